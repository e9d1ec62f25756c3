package kernel

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// registers is an exact kernel with wavefronts in registers, of the warp or the block
// family.
type registers struct {
	family    *Family
	shape     *shape
	penalties align.Penalties
	scoreOnly bool
	kernel    *driver.Function
	shared    int // largest dynamic shared memory of a block
	sms       int
	trace     tracer // nil if scoreOnly
}

// tracer is the traceback of a family: what its kernels store for it, and the kernel
// that reads that.
type tracer interface {
	// words returns the size of what is stored for a pair up to a score bound.
	words(s *shape, bound int) int
	// maxBound returns the largest bound for which words is at most a number. It is
	// negative if there is none.
	maxBound(s *shape, words int) int
	launch(s *driver.Stream, a *abi.Params, g Group) error
}

// loadRegisters loads the kernels of shapes, none if no kernel is compiled for the
// penalties. trace loads the traceback for a shape.
func loadRegisters(f *Family, l *loader, shapes []shape, trace func(*shape) (tracer, error)) ([]Kernel, error) {
	if !slices.Contains(registerPenalties, l.Penalties) {
		return nil, nil
	}
	var kernels []Kernel
	for i := range shapes {
		k := &registers{family: f, shape: &shapes[i], penalties: l.Penalties, scoreOnly: l.ScoreOnly, sms: l.device.SMs}
		var err error
		if k.kernel, k.shared, err = l.large(kernelName(f, l.Penalties, k.shape, l.ScoreOnly)); err != nil {
			return nil, err
		}
		if !l.ScoreOnly {
			if k.trace, err = trace(k.shape); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// kernelName returns the name of a kernel with wavefronts in registers.
func kernelName(f *Family, p align.Penalties, s *shape, scoreOnly bool) string {
	return fmt.Sprintf("wfa_%s_%d_%d_%d_%s_%s", f.Name, p.Mismatch, p.GapOpen, p.GapExtend, s.name, suffix(scoreOnly))
}

func (k *registers) Family() *Family          { return k.family }
func (k *registers) Cost() int                { return 2 * k.shape.half() }
func (k *registers) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// Takes reports whether the band certifies the bound, offsets fit into 16 bits and
// the look-ahead tables fit into shared memory. Tables have the size of the longest
// text and of the longest pattern of a launch, possibly of different pairs.
func (k *registers) Takes(pattern, text, bound int) bool {
	longer := max(text, pattern)
	return (k.shape.longest == 0 || longer <= k.shape.longest) &&
		longer+bound <= abi.MaxOffset && k.shape.certifies(&k.penalties, text-pattern) >= bound &&
		k.sharedBytes(longer, longer) <= k.shared
}

// tables returns the entries of the look-ahead tables. Null cells look up one
// entry for each diagonal of the band.
func (k *registers) tables(text, pattern int) (textEntries, patternEntries int) {
	return k.shape.tables(text, pattern, 2*k.shape.half()+1)
}

func (k *registers) sharedBytes(text, pattern int) int {
	t, p := k.tables(text, pattern)
	return k.shape.tableBytes(t + p)
}

// MaxBound counts the memory of the pairs of a block, and of the groups of threads
// without a pair.
func (k *registers) MaxBound(words int) int {
	if k.scoreOnly {
		return MaxBound
	}
	return min(k.trace.maxBound(k.shape, words/(k.shape.pairs+k.shape.spareRows())), MaxBound)
}

func (k *registers) Plan(g Group, _ int) (Plan, bool, error) {
	var p Plan
	if !k.scoreOnly {
		p.PerTask = 4 * k.trace.words(k.shape, g.Bound)
		p.Fixed = k.shape.spareRows() * p.PerTask
	}
	p.threads, p.shared = k.shape.threads(), k.sharedBytes(g.Text, g.Pattern)
	perSM, err := k.kernel.BlocksPerSM(p.threads, p.shared)
	p.blocks = perSM * k.sms
	return p, true, err
}

// Launch fills the device once: blocks take pairs from a counter until all are
// taken.
func (k *registers) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g, p)
	text, pattern := k.tables(g.Text, g.Pattern)
	a.TextEntries, a.PatternEntries = int32(text), int32(pattern)
	blocks := min(p.blocks, (int(a.Count)+k.shape.pairs-1)/k.shape.pairs)
	return launch(s, k.kernel, blocks, p.threads, p.shared, &a)
}

func (k *registers) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.scoreOnly {
		return nil
	}
	k.set(&a, g, p)
	return k.trace.launch(s, &a, g)
}

// set sets the parameters of both kernels.
func (k *registers) set(a *abi.Params, g Group, p Plan) {
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(p.PerTask / 4)
	a.PairThreads, a.PairWords = int32(k.shape.pairThreads), int32(k.shape.words)
}

// Outcome ignores flags that an adaptive band has set in an earlier pass.
func (k *registers) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }

func exactOutcome(flags abi.Flags) Outcome {
	if flags&^(abi.FlagLost|abi.FlagDrifted) != 0 {
		return Broken
	}
	return Exceeded
}
