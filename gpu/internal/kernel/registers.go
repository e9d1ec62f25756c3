package kernel

import (
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// registers is an exact kernel with wavefronts in registers, of the warp or the block
// family.
type registers struct {
	instance
	trace tracer // nil if scoreOnly
	registersWork
}

// registersWork is the estimated work of a kernel's pairs.
type registersWork struct {
	perScore  int     // beside the cells of a score
	perCell   float64 // of a cell
	perLetter float64 // of a letter of the longer sequence
}

// work returns that of a shape. Words without a diagonal take time, too; warps of the block
// family wait for each other. Look-ups in packed tables are slower, but all lanes of a warp
// follow a run of matches, which a lane alone does in the others.
func (s *shape) work() registersWork {
	block := s.pairThreads == 32 && s.pairs == 1 && s.warps > 1
	switch {
	case s.bases == packed && block:
		return registersWork{330 + 41*s.words, 1.3, 1.2}
	case s.bases == packed:
		return registersWork{30 + 135*s.words, 1.3, 1.2}
	case block:
		return registersWork{min(150+32*s.words, 1300+14*s.words), 1, float64(20 + 6*s.warps)}
	case s.pairThreads == 32:
		return registersWork{6*s.pairThreads + 4*s.words, 1, float64(10 + 5*s.words)}
	}
	return registersWork{6*s.pairThreads + 4*s.words, 1, 0}
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
		// Null cells look up one entry for each diagonal of the band.
		in, err := loadInstance(f, l, &shapes[i], 2*shapes[i].half()+1)
		if err != nil {
			return nil, err
		}
		k := &registers{instance: in, registersWork: in.shape.work()}
		if !l.ScoreOnly {
			if k.trace, err = trace(k.shape); err != nil {
				return nil, err
			}
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

func (k *registers) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// Takes reports whether the band certifies the bound, offsets fit into 16 bits and the
// look-ahead tables into shared memory.
func (k *registers) Takes(pattern, text, bound int) bool {
	longer := max(text, pattern)
	return (k.shape.longest == 0 || longer <= k.shape.longest) && longer+bound <= abi.MaxOffset &&
		k.shape.certifies(&k.penalties, text-pattern) >= bound && k.tablesFit(longer)
}

func (k *registers) Work(pattern, text, score, bound int) float64 {
	return k.perCell*waveWork(score, bound, 0) + float64(k.perScore)*float64(score) + k.perLetter*float64(max(pattern, text))
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
	words := 0
	if !k.scoreOnly {
		words = k.trace.words(k.shape, g.Bound)
	}
	return k.plan(g, words)
}

func (k *registers) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	a.MaxScore = int32(g.Bound)
	return k.launch(s, &a, g, p)
}

func (k *registers) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.scoreOnly {
		return nil
	}
	a.MaxScore = int32(g.Bound)
	k.setRows(&a, p)
	return k.trace.launch(s, &a, g)
}

// Outcome ignores flags that an adaptive band has set in an earlier pass.
func (k *registers) Outcome(flags abi.Flags) Outcome { return exactOutcome(flags) }

func exactOutcome(flags abi.Flags) Outcome {
	if flags&^(abi.FlagLost|abi.FlagDrifted) != 0 {
		return Broken
	}
	return Exceeded
}
