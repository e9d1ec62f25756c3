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
	// Traceback kernels, for texts up to longText letters and for longer ones;
	// nil if scoreOnly.
	traceback, longTraceback *driver.Function
	tracebackThreads         int // threads per pair of the first
}

// longText is the text length above which the traceback has 32 threads per pair: a
// launch has few long pairs.
const longText = 4096

// loadRegisters loads the kernels of shapes, none if no kernel is compiled for the
// penalties.
func loadRegisters(f *Family, l *loader, shapes []shape) ([]Kernel, error) {
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
			if err := k.loadTraceback(l); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

func (k *registers) loadTraceback(l *loader) (err error) {
	// A launch has many short pairs; one thread traces each.
	k.tracebackThreads = 1
	if k.shape.pairThreads == 32 {
		k.tracebackThreads = 8
	}
	if k.traceback, err = l.function(fmt.Sprintf("wfa_trace_%d", k.tracebackThreads)); err != nil {
		return err
	}
	k.longTraceback, err = l.function("wfa_trace_32")
	return err
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
	return longer+bound <= abi.MaxOffset && k.shape.certifies(&k.penalties, text-pattern) >= bound &&
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

// rowWords returns the size of a pair's M rows up to a score.
func (k *registers) rowWords(score int) int {
	return (score + Unroll(k.penalties) + 1) * k.shape.rowWords()
}

// MaxBound counts the rows of the pairs of a block, and of the groups of threads
// without a pair.
func (k *registers) MaxBound(words int) int {
	if k.scoreOnly {
		return MaxBound
	}
	rows := k.shape.pairs + k.shape.spareRows()
	return words/(rows*k.shape.rowWords()) - Unroll(k.penalties) - 1
}

func (k *registers) Plan(g Group, _ int) (Plan, bool, error) {
	var p Plan
	if !k.scoreOnly {
		p.PerTask = 4 * k.rowWords(g.Bound)
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
	a.MaxScore = int32(g.Bound)
	a.RowStride = uint64(k.rowWords(g.Bound))
	a.PairThreads, a.PairWords = int32(k.shape.pairThreads), int32(k.shape.words)
	text, pattern := k.tables(g.Text, g.Pattern)
	a.TextEntries, a.PatternEntries = int32(text), int32(pattern)
	blocks := min(p.blocks, (int(a.Count)+k.shape.pairs-1)/k.shape.pairs)
	if err := launch(s, k.kernel, blocks, p.threads, p.shared, &a); err != nil || k.scoreOnly {
		return err
	}
	if g.Text > longText {
		return traceback(s, k.longTraceback, 32, &a)
	}
	return traceback(s, k.traceback, k.tracebackThreads, &a)
}

// Outcome ignores flags that an adaptive band has set in an earlier pass.
func (k *registers) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }

func exactOutcome(flags abi.Flags) Outcome {
	if flags&^(abi.FlagLost|abi.FlagDrifted) != 0 {
		return Broken
	}
	return Exceeded
}
