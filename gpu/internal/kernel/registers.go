package kernel

import (
	"math"
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
	most     int // letters of a text; 0: any
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
	most := 0
	if shapes[0].free {
		if most = l.withinTexts(); most == 0 {
			return nil, nil
		}
	}
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
		k := &registers{instance: in, perScore: 6*in.shape.pairThreads + 4*in.shape.words, tables: in.shape.tableWork(), most: most}
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
	return (k.shape.longest == 0 || longer <= k.shape.longest) && longer+bound <= abi.MaxOffset && k.certifies(pattern, text, bound) && k.tablesFit(longer)
}

// certifies reports whether the kernel takes a text, and its band certifies the bound.
func (k *registers) certifies(pattern, text, bound int) bool {
	return (k.most == 0 || text <= k.most) && k.shape.certifies(&k.penalties, text-pattern) >= bound
}

func (k *registers) Work(pattern, text, score, bound int) float64 {
	if k.shape.free {
		return k.freeWork(pattern, text, score, bound)
	}
	return waveWork(score, bound, k.perScore)
}

// freeWork is waveWork with free ends: wavefronts begin on all diagonals from which the end is within the bound, and
// grow downwards. A warp computes all diagonals of its band. What a cell takes grows with the number of words.
func (k *registers) freeWork(pattern, text, score, bound int) float64 {
	width, cell := max(text-pattern, 0)+bound, 0.55+0.1*math.Log2(float64(k.shape.words)/6)
	if !k.shape.ofBlock() {
		width, cell = max(width, 2*k.shape.half()), 0.45+0.04*float64(k.shape.words)
	}
	return cell * float64(score) * float64(width+k.perScore)
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
	return k.plan(words, k.sharedBytes(g.Text, g.Pattern))
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
