package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// sweepMethod aligns pairs of any span by the whole matrix, with a vector of cells at a time
// (sweepArgs; Wozniak 1997). It takes the pairs whose costs fit its cells and whose strips fit its
// memory.
type sweepMethod struct {
	kern      *kernels
	scoreOnly bool
	memory    int // bytes of borders and states for the traceback
	bound     int // a cost that an alignment is likely not to exceed; -1 for none
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
	f, ok := m.frame(x.kern, pattern.n, text.n)
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

// sweep computes the matrix of a pair in strips of rows, from the first to the last.
type sweep[C sweepCell] struct {
	sweepFrame
	model         *Model
	pattern, text *sequence
	routine       *sweepRoutine
	rows          int // of a strip
	strips        int
	bound         int // cells of more may be left out; -1 for none
	beam          int // in a first run only cells that cost so little more than others; 0 for all
	lastStrip     sweepStrip
	rest          sweepRest
	begins, ends  diagonals
	padText       sequence
	reverse       sequence

	border, insBorder, longBorder []C // the row before the next strip, element rows is column 0
	state                         []C
	constants                     []C
	args                          sweepArgs
	history                       []C // H of the steps of a block
	end                           spanCell
	endBlock                      int // block of a strip in which a tracked end was found
	cells                         sweepCells[C]
	stop                          *atomic.Bool
}

// sweepBlock is how many steps are computed in one call.
const sweepBlock = 512

func alignSweep[C sweepCell](s *sweep[C], x *sweepMethod, dst cigar.CIGAR, m *Model, f *sweepFrame, pattern, text *sequence) (spanResult, bool, error) {
	s.stop = x.stop
	s.load(m, f, pattern, text)
	if err := s.setBound(x.kern, x.bound); err != nil {
		return spanResult{}, false, err
	}
	for ; ; s.bound *= 4 {
		if s.bound >= m.Cost(pattern.n)+m.Cost(text.n) {
			s.bound = -1
		}
		s.begin()
		if s.bounded() {
			s.findRest(x.kern)
		}
		if !x.scoreOnly {
			s.cells.begin(s, x.memory)
		}
		if ok, err := s.run(!x.scoreOnly); !ok {
			return spanResult{}, false, err
		}
		if !s.bounded() || s.end.cost <= s.bound {
			break
		}
	}
	if x.scoreOnly {
		return spanResult{cost: s.end.cost, cigar: dst[:0]}, true, nil
	}
	s.findEnd()
	t := spanTraceback{model: m, pattern: pattern, text: text, cells: &s.cells}
	return t.result(dst, s.end, s.stop)
}

// load sets the pair and computes row 0.
func (s *sweep[C]) load(m *Model, f *sweepFrame, pattern, text *sequence) {
	s.sweepFrame, s.model, s.pattern, s.text = *f, m, pattern, text
	s.begins, s.ends = m.diagonals(pattern.n, text.n)
	s.routine, _ = s.choose(pattern.n, text.n)
	s.rows = s.routine.vectors * s.lanes
	s.strips = (pattern.n + s.rows - 1) / s.rows
	fillBytes := func(q *sequence, n, pad int, with byte) []byte {
		letters := q.resize(n, pad)
		for i := range pad {
			q.buf[i] = with
		}
		for i := pad + n; i < len(q.buf); i++ {
			q.buf[i] = with
		}
		return letters
	}
	copy(fillBytes(&s.padText, text.n, s.rows+seqPad, textEnd), text.letters())
	n := s.strips * s.rows
	reversed := fillBytes(&s.reverse, n, seqPad, patternEnd)
	for i := range n - pattern.n {
		reversed[i] = patternEnd
	}
	reverseInto(reversed[n-pattern.n:], pattern.letters())

	lanes := s.lanes
	s.constants = roomFor(s.constants, sweepConstants*lanes)
	for c, v := range s.costs {
		if c == sweepEnd {
			v = -1
		}
		for l := range lanes {
			s.constants[c*lanes+l] = C(v)
		}
	}
	s.state = roomFor(s.state, s.parts()*s.rows)
	s.history = roomFor(s.history, sweepBlock*s.rows)
}

// begin computes row 0.
func (s *sweep[C]) begin() {
	width := s.text.n + 3*s.rows
	s.border, s.insBorder = roomFor(s.border, width), roomFor(s.insBorder, width)
	if s.two() {
		s.longBorder = roomFor(s.longBorder, width)
	}
	for j := range width - s.rows {
		at := min(j, s.text.n)
		h := s.cell(0, at, s.model.top(at))
		s.border[s.rows+j] = h
		s.insBorder[s.rows+j] = h + C(s.costs[sweepOpen])
		if s.two() {
			s.longBorder[s.rows+j] = h + C(s.costs[sweepOpenLong])
		}
	}
}

// setBound sets the bound on the cost of the pair, of which a cost of bound is expected: that of
// the alignments that a beam of the cheapest cells leads to. -1 is for no bound.
func (s *sweep[C]) setBound(k *kernels, bound int) error {
	s.bound, s.beam, s.rest.taken = bound, 0, false
	if s.model.Span.EndsAnywhere() {
		s.bound = -1
	}
	if !s.bounded() || s.strips < beamStrips {
		return nil
	}
	worst := s.model.Cost(s.pattern.n) + s.model.Cost(s.text.n)
	s.bound, s.beam = worst, beamMismatches*s.model.Mismatch
	s.begin()
	_, err := s.run(false)
	s.beam, s.bound = 0, bound
	if s.end.cost <= worst {
		s.bound = s.end.cost
	}
	return err
}

// A beam takes cells that cost up to so many mismatches more than the cheapest one of their row. It
// is for patterns of some strips.
const (
	beamMismatches = 48
	beamStrips     = 3
)

// findRest finds bounds for what is to come, within reach of alignments of cost bound.
func (s *sweep[C]) findRest(k *kernels) {
	gap := s.model.longest(s.bound)
	s.rest.find(k, s.model, s.pattern, s.text, max(s.begins.first, s.ends.first-gap)-gap, min(s.begins.last, s.ends.last+gap)+gap, s.stop)
}

// choose returns the routine of the strips that cost least, and what they cost.
func (f *sweepFrame) choose(pattern, text int) (best *sweepRoutine, cost float64) {
	cost = math.Inf(1)
	for i := range f.routines {
		r := &f.routines[i]
		rows := r.vectors * f.lanes
		strips := (pattern + rows - 1) / rows
		if c := sweepSetup + float64(text)*sweepColumn + float64(strips)*(sweepEnter+float64(text+rows)*r.step); c < cost {
			best, cost = r, c
		}
	}
	return best, cost
}

// Costs in nanoseconds, as in choose.go.
const (
	sweepSetup  = 300.0
	sweepColumn = 2.0   // of the border
	sweepEnter  = 300.0 // state and ends of a strip
)

// two reports whether gaps have two costs.
func (s *sweep[C]) two() bool { return s.model.Long != Gap{} }

// parts is the number of parts of the state.
func (s *sweep[C]) parts() int {
	n := sweepDelLong
	if s.two() {
		n = sweepParts
	}
	if s.model.Span.EndsAnywhere() {
		n++
	}
	return n
}

// cell returns what cell (i,j) holds if it costs c; cost is the other way round.
func (s *sweep[C]) cell(i, j, c int) C { return C(min(c-s.letter*(i+j)+s.bias, s.ceiling)) }
func (s *sweep[C]) cost(i, j int, c C) int {
	return int(c) - s.bias + s.letter*(i+j)
}
