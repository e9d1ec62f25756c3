package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// sweepMethod aligns pairs of any span by the whole matrix, with a vector of cells at a time
// (sweepArgs; Wozniak 1997). It takes the pairs whose costs fit its cells.
type sweepMethod struct {
	kern      *kernels
	scoreOnly bool
	memory    int  // bytes of borders and states for the traceback
	bound     int  // a cost that an alignment is likely not to exceed; -1 for none
	predicted bool // the bound is from what has been seen of the pair
	limit     int  // an alignment that costs more is not wanted; 0 for none
	narrow    sweep[int16]
	wide      sweep[int32]
	stop      *atomic.Bool
}

func (x *sweepMethod) stopOn(stop *atomic.Bool) { x.stop = stop }

// align aligns a pair.
func (x *sweepMethod) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if x.kern.sweep16 == nil || min(pattern.n, text.n) == 0 {
		return spanResult{}, false, nil
	}
	f, ok := newSweepFrame(x.kern, m, pattern.n, text.n)
	if !ok {
		return spanResult{}, false, nil
	}
	if f.bits == 16 {
		return alignSweep(&x.narrow, x, dst, m, &f, pattern, text)
	}
	return alignSweep(&x.wide, x, dst, m, &f, pattern, text)
}

// sweepCell is the type of cells.
type sweepCell interface{ int16 | int32 }

func alignSweep[C sweepCell](s *sweep[C], x *sweepMethod, dst cigar.CIGAR, m *Model, f *sweepFrame, pattern, text *sequence) (spanResult, bool, error) {
	s.stop = x.stop
	s.load(m, f, pattern, text)
	s.begins, s.ends = m.diagonals(pattern.n, text.n)
	if err := s.setBound(x.bound, x.predicted); err != nil {
		return spanResult{}, false, err
	}
	for ; ; s.raiseBound() {
		s.begin()
		if s.bounded() {
			s.findRest(x.kern)
		}
		if !x.scoreOnly {
			s.cells.begin(s, x.memory)
		}
		if err := s.run(!x.scoreOnly); err != nil {
			return spanResult{}, false, err
		}
		if !s.bounded() || s.best.cost <= s.bound || x.limit > 0 && s.bound >= x.limit {
			break
		}
	}
	if x.scoreOnly || x.limit > 0 && s.best.cost > x.limit {
		return spanResult{cost: s.best.cost, cigar: dst[:0]}, true, nil
	}
	s.best.find(&s.cells)
	t := spanTraceback{model: m, pattern: pattern, text: text, cells: &s.cells}
	return t.result(dst, s.best.spanCell, s.stop)
}

// sweep computes the matrix of a pair in strips of rows, from the first to the last, and leaves out
// cells beyond a bound.
type sweep[C sweepCell] struct {
	sweepStrips[C]
	bound        int // cells of more may be left out; -1 for none
	found        int // what an alignment costs that has been found
	beam         int // in a first run only cells that cost so little more than others; 0 for all
	fall         int // how much less an alignment costs, at the most, for each diagonal upwards
	lastStrip    sweepStrip
	rest         sweepRest
	begins, ends diagonals
	best         sweepBest[C]
	cells        sweepCells[C]
	stop         *atomic.Bool
}

// run computes all strips and finds what the best end costs. With keep it stores what the
// traceback needs.
func (s *sweep[C]) run(keep bool) error {
	n, m := s.pattern.n, s.text.n
	s.best.start(&s.sweepStrips)
	s.lastStrip = sweepStrip{last: m}
	for first := 0; first < n; first += s.rows {
		t := s.enter(first)
		if keep {
			s.cells.keep(s, &t)
		}
		final := first+s.rows >= n
		for from := 0; from < t.steps; from += sweepBlock {
			if stopped(s.stop) {
				return errStopped
			}
			steps := min(sweepBlock, t.steps-from)
			history := s.history[:0]
			if final && s.best.within(&t, from, steps) {
				history = s.history
			}
			if keep {
				if whole := s.cells.keepBlock(s, &t, from); whole != nil {
					history = whole
				}
			}
			s.advance(&t, from, steps, history)
			if final {
				s.best.lastRow(&t, from, steps, history)
			}
			if s.model.Span.EndsAnywhere() {
				s.best.tracked(first, from/sweepBlock)
			}
		}
		if t.last == m {
			s.best.lastColumn(first)
		}
		s.lastStrip = t
	}
	return nil
}
