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
	trace    tracer // nil if scoreOnly
	perScore int    // work of a score beside its cells
	tables   tableWork
	packed   int // the kernel of the same shape with packed tables, among a set's; 0 if there is none
}

// tableWork is the work of a kernel's look-ups beside that of others: tables with entries take
// time for each letter, as a lane alone follows a run of matches, packed ones for each look-up. The
// longer tables with entries are, the fewer blocks have them on an SM: perCube is for each cube of a letter.
type tableWork struct{ perCell, perScore, perLetter, perCube float64 }

func (s *shape) tableWork() tableWork {
	switch words := float64(s.words); {
	case s.bases == packed && s.ofBlock():
		return tableWork{perCell: 0.85, perScore: min(5*words, 150), perLetter: 1.2}
	case s.bases == packed:
		return tableWork{perCell: 0.3, perScore: 131*words - 162, perLetter: 1.2}
	case s.ofBlock():
		return tableWork{perLetter: 9, perCube: 20e-8}
	case s.pairThreads == 32:
		return tableWork{perLetter: 10 + 5*words}
	}
	return tableWork{}
}

func (w tableWork) of(length, score, bound int) float64 {
	n := float64(length)
	return w.perCell*waveWork(score, bound, 0) + w.perScore*float64(score) + (w.perLetter+w.perCube*n*n)*n
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
		// Words without a diagonal take time, too.
		k := &registers{instance: in, perScore: 6*in.shape.pairThreads + 4*in.shape.words, tables: in.shape.tableWork()}
		if in.shape.ofBlock() {
			k.perScore = 150 + 20*in.shape.words
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

func (k *registers) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// Takes reports whether the band certifies the bound, offsets fit into 16 bits and the
// look-ahead tables into shared memory.
func (k *registers) Takes(pattern, text, bound int) bool {
	longer := max(text, pattern)
	return (k.shape.longest == 0 || longer <= k.shape.longest) && longer+bound <= abi.MaxOffset &&
		k.shape.certifies(&k.penalties, text-pattern) >= bound && k.tablesFit(longer)
}

func (k *registers) Work(_, _, score, bound int) float64 { return waveWork(score, bound, k.perScore) }

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
