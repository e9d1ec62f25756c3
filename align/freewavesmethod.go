package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// wavesMethod aligns similar pairs by wavefronts from many begins at once. It is for global and
// ends-free alignments.
type wavesMethod struct {
	scoreOnly bool
	memory    int // bytes of rows
	kern      *kernels
	waves     freeWaves
	seeds     freeSeeds
	narrow    *freeNarrow // of the model, or nil
	cells     costCells   // of the pair, for the traceback
	history   waveHistory // of pairs whose rows exceed the memory
	most      int         // bytes that it takes at most, else wavefronts are given up; 0 for no bound
	exceeded  bool
	guess     int     // the cost that is expected
	predicted int     // by wavefronts that were given up, 0 by none
	budget    float64 // nanoseconds after which wavefronts are given up
	spent     float64
	// Of the pair.
	begins, ends diagonals
	stop         *atomic.Bool
}

func (x *wavesMethod) stopOn(stop *atomic.Bool) { x.stop = stop }

// align takes pairs whose wavefronts cost no more than the budget.
func (x *wavesMethod) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if m.Span.EndsAnywhere() {
		return spanResult{}, false, nil
	}
	w := &x.waves
	if w.model != m {
		w.prepare(x.kern, m)
		x.narrow = newFreeNarrow(x.kern, m)
		x.history.waves, x.history.run, x.history.memory = w, w, x.memory
	}
	x.cells = w
	x.history.start(false, x.stop)
	x.begins, x.ends = m.diagonals(pattern.n, text.n)
	x.spent, x.predicted = 0, 0
	if x.canSeed(m, pattern, text) {
		end, err := x.seeded()
		if err != nil || end.found() {
			w.pattern, w.text = pattern, text
			return x.result(dst, end, err)
		}
	}
	if x.spent+expectedWaves(m, pattern.n, text.n, max(x.guess, x.predicted)) > x.budget {
		return spanResult{}, false, nil
	}
	// An alignment that begins beyond the diagonals of ends has a gap back to them, so for low
	// scores few begins are enough.
	for beyond := firstBegins; ; beyond *= 4 {
		from, to := max(x.begins.first, x.ends.first-beyond), min(x.begins.last, x.ends.last+beyond)
		most := math.MaxInt
		if from > x.begins.first || to < x.begins.last {
			most = m.Cost(beyond+1) - 1
		}
		x.cells, x.exceeded = w, false
		w.start(pattern, text, from, to, !x.scoreOnly)
		end, err := x.run(most)
		if err == nil && !end.found() && x.exceeded {
			// In parts, which are computed again for the traceback.
			w.start(pattern, text, from, to, false)
			x.history.start(true, x.stop)
			x.cells = &x.history
			end, err = x.run(most)
			x.history.on = false
		}
		if err != nil || end.found() || w.s < most {
			return x.result(dst, end, err)
		}
	}
}

// release gives rows back that take much of the memory, for another method, which has the same memory.
func (x *wavesMethod) release() {
	x.waves.release(x.memory / 4 / wavesShare)
	x.history.release(x.memory / 4 / wavesShare)
}

// wavesShare is what part of the memory rows may take that are kept while other methods align a pair.
const wavesShare = 8

// result makes the result of a pair from its best end.
func (x *wavesMethod) result(dst cigar.CIGAR, end spanCell, err error) (spanResult, bool, error) {
	if err != nil || !end.found() {
		return spanResult{}, false, err
	}
	if x.scoreOnly {
		return spanResult{cost: end.cost, cigar: dst[:0]}, true, nil
	}
	w := &x.waves
	t := spanTraceback{model: w.model, pattern: w.pattern, text: w.text, cells: x.cells}
	return t.result(dst, end, x.stop)
}
