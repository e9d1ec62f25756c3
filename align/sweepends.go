package align

import "math"

// sweepBest is the best end of the strips that a sweep has computed.
type sweepBest[C sweepCell] struct {
	spanCell
	of    *sweepStrips[C]
	block int // of a strip in which a tracked end was found
}

// start prepares for a pair, whose row 0 and column 0 have been computed.
func (e *sweepBest[C]) start(s *sweepStrips[C]) {
	n, m := s.pattern.n, s.text.n
	e.of, e.spanCell = s, spanCell{cost: math.MaxInt}
	if s.model.Span.EndsAnywhere() {
		e.cost = s.model.FreeLetter * (n + m) // the empty alignment
	}
	e.mayEnd(0, m, s.model.top(m))
	e.mayEnd(n, 0, s.model.left(n))
}

// lastLane returns the lane of the last row of the matrix in the last strip.
func (e *sweepBest[C]) lastLane() int { return e.of.strips*e.of.rows - e.of.pattern.n }

// within reports whether the last row has ends in steps of the last strip.
func (e *sweepBest[C]) within(t *sweepStrip, from, steps int) bool {
	s := e.of
	if s.model.Span != EndsFree {
		return false
	}
	lane := e.lastLane()
	first := max(1, s.text.n-s.model.Free.TextEnd)
	return s.column(t, lane, from+steps) >= first && s.column(t, lane, from+1) <= s.text.n
}

// lastRow looks at the ends of the last row in steps of the last strip.
func (e *sweepBest[C]) lastRow(t *sweepStrip, from, steps int, history []C) {
	if !e.within(t, from, steps) {
		return
	}
	s := e.of
	lane, n, m := e.lastLane(), s.pattern.n, s.text.n
	// The steps of the columns from the first with an end, or the first, to the last.
	shift := s.column(t, lane, from+1)
	first, last := max(1, m-s.model.Free.TextEnd, t.before+1), min(m, shift+steps-1)
	for j := max(first, shift); j <= last; j++ {
		c := s.cost(n, j, history[(j-shift)*s.rows+lane])
		if c += s.model.FreeLetter * (m - j); c < e.cost || c == e.cost && e.v >= n {
			e.mayEnd(n, j, c-s.model.FreeLetter*(m-j))
		}
	}
}

// lastColumn looks at the ends of the last column in the strip after first rows.
func (e *sweepBest[C]) lastColumn(first int) {
	s := e.of
	n, m := s.pattern.n, s.text.n
	free := 0
	if s.model.Span == EndsFree {
		free = min(n, s.model.Free.PatternEnd)
	}
	for i := max(first+1, n-free); i <= min(n, first+s.rows); i++ {
		e.mayEnd(i, m, s.cost(i, m, s.part(sweepH)[first+s.rows-i]))
	}
}

// mayEnd notes cell (i,j) on the last row or column, of cost c, if it is the best end so far.
func (e *sweepBest[C]) mayEnd(i, j, c int) {
	s := e.of
	n, m := s.pattern.n, s.text.n
	if s.model.Span.EndsAnywhere() || !s.model.mayEnd(i, j, n, m) {
		return // tracked, or no end
	}
	cell := spanCell{i, j, c + s.model.FreeLetter*(n-i+m-j)}
	if cell.before(e.spanCell) {
		e.spanCell = cell
	}
}

// tracked notes the best row and block so far, in the strip after first rows, of alignments that
// may end everywhere.
func (e *sweepBest[C]) tracked(first, block int) {
	s := e.of
	least := s.part(s.parts() - 1)
	letters := s.letter * (s.pattern.n + s.text.n)
	best := C(min(e.cost-letters+s.bias, s.ceiling))
	low := best
	for _, c := range least {
		low = min(low, c)
	}
	if low > best {
		return
	}
	for l := s.rows - 1; l >= 0; l-- {
		if i := s.row(first, l); least[l] == low && (low < best || i < e.v) {
			e.spanCell, e.block = spanCell{i, -1, int(low) - s.bias + letters}, block
			return
		}
	}
}

// find finds the column of a tracked end.
func (e *sweepBest[C]) find(cells *sweepCells[C]) {
	if e.h >= 0 {
		return
	}
	s := e.of
	cost := e.cost - s.letter*(s.pattern.n+s.text.n)
	for j := max(0, e.block*sweepBlock-s.rows); j <= s.text.n; j++ {
		if cells.cost(e.v, j)-s.letter*(e.v+j) == cost {
			e.h = j
			return
		}
	}
}
