package align

import "math"

// run computes all strips and finds what the best end costs. With keep it stores what the
// traceback needs. full is false if that does not fit the memory.
func (s *sweep[C]) run(keep bool) (full bool, err error) {
	n, m := s.pattern.n, s.text.n
	s.end = spanCell{cost: math.MaxInt}
	if s.model.Span.EndsAnywhere() {
		s.end.cost = s.model.FreeLetter * (n + m) // the empty alignment
	}
	s.mayEnd(0, m, s.model.top(m))
	s.mayEnd(n, 0, s.model.left(n))
	s.lastStrip = sweepStrip{last: m}
	for first := 0; first < n; first += s.rows {
		t := s.enter(first)
		if keep && !s.cells.keep(s, &t) {
			return false, nil
		}
		final := first+s.rows >= n
		for from := 0; from < t.steps; from += sweepBlock {
			if stopped(s.stop) {
				return false, errStopped
			}
			steps := min(sweepBlock, t.steps-from)
			history := s.history[:0]
			if final && s.endsIn(&t, from, steps) {
				history = s.history
			}
			if keep {
				if whole := s.cells.keepBlock(s, &t, from); whole != nil {
					history = whole
				}
			}
			s.advance(&t, from, steps, history)
			if final {
				s.lastRow(&t, from, steps, history)
			}
			if s.model.Span.EndsAnywhere() {
				s.tracked(first, from/sweepBlock)
			}
		}
		if t.last == m {
			s.lastColumn(first)
		}
		s.lastStrip = t
	}
	return true, nil
}

// lastLane returns the lane of the last row of the matrix in the last strip.
func (s *sweep[C]) lastLane() int { return s.strips*s.rows - s.pattern.n }

// endsIn reports whether the last row has ends in steps of the last strip.
func (s *sweep[C]) endsIn(t *sweepStrip, from, steps int) bool {
	if s.model.Span != EndsFree {
		return false
	}
	lane := s.lastLane()
	first := max(1, s.text.n-s.model.Free.TextEnd)
	return s.column(t, lane, from+steps) >= first && s.column(t, lane, from+1) <= s.text.n
}

// lastRow looks at the ends of the last row in steps of the last strip.
func (s *sweep[C]) lastRow(t *sweepStrip, from, steps int, history []C) {
	if !s.endsIn(t, from, steps) {
		return
	}
	lane, n, m := s.lastLane(), s.pattern.n, s.text.n
	// The steps of the columns from the first with an end, or the first, to the last.
	shift := s.column(t, lane, from+1)
	first, last := max(1, m-s.model.Free.TextEnd, t.before+1), min(m, shift+steps-1)
	for j := max(first, shift); j <= last; j++ {
		c := s.cost(n, j, history[(j-shift)*s.rows+lane])
		if c += s.model.FreeLetter * (m - j); c < s.end.cost || c == s.end.cost && s.end.v >= n {
			s.mayEnd(n, j, c-s.model.FreeLetter*(m-j))
		}
	}
}

// lastColumn looks at the ends of the last column in the strip after first rows.
func (s *sweep[C]) lastColumn(first int) {
	n, m := s.pattern.n, s.text.n
	free := 0
	if s.model.Span == EndsFree {
		free = min(n, s.model.Free.PatternEnd)
	}
	for i := max(first+1, n-free); i <= min(n, first+s.rows); i++ {
		s.mayEnd(i, m, s.cost(i, m, s.part(sweepH)[first+s.rows-i]))
	}
}

// mayEnd notes cell (i,j) on the last row or column, of cost c, if it is the best end so far.
func (s *sweep[C]) mayEnd(i, j, c int) {
	n, m := s.pattern.n, s.text.n
	if s.model.Span.EndsAnywhere() || !s.model.mayEnd(i, j, n, m) {
		return // tracked, or no end
	}
	e := spanCell{i, j, c + s.model.FreeLetter*(n-i+m-j)}
	if e.before(s.end) {
		s.end = e
	}
}

// tracked notes the best row and block so far, in the strip after first rows, of alignments that
// may end everywhere.
func (s *sweep[C]) tracked(first, block int) {
	least := s.part(s.parts() - 1)
	letters := s.letter * (s.pattern.n + s.text.n)
	best := C(min(s.end.cost-letters+s.bias, s.ceiling))
	low := best
	for _, c := range least {
		low = min(low, c)
	}
	if low > best {
		return
	}
	for l := s.rows - 1; l >= 0; l-- {
		if i := s.row(first, l); least[l] == low && (low < best || i < s.end.v) {
			s.end = spanCell{i, -1, int(low) - s.bias + letters}
			s.endBlock = block
			return
		}
	}
}

// findEnd finds the column of a tracked end.
func (s *sweep[C]) findEnd() {
	e := &s.end
	if e.h >= 0 {
		return
	}
	cost := e.cost - s.letter*(s.pattern.n+s.text.n)
	for j := max(0, s.endBlock*sweepBlock-s.rows); j <= s.text.n; j++ {
		if s.cells.cost(e.v, j)-s.letter*(e.v+j) == cost {
			e.h = j
			return
		}
	}
}
