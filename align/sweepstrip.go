package align

import (
	"math"
	"unsafe"
)

// run computes all strips and finds what the best end costs. With keep it stores what the
// traceback needs.
func (s *sweep[C]) run(keep bool) error {
	n, m := s.pattern.n, s.text.n
	s.end = spanCell{cost: math.MaxInt}
	if s.model.tracks() {
		s.end.cost = s.model.FreeLetter * (n + m) // the empty alignment
	}
	s.mayEnd(0, m, s.model.top(m))
	s.mayEnd(n, 0, s.model.left(n))
	for strip := range s.strips {
		s.enter(strip)
		if keep {
			s.cells.keepBorder(s, strip)
		}
		for from := 0; from < s.steps; from += sweepBlock {
			if stopped(s.stop) {
				return errStopped
			}
			steps := min(sweepBlock, s.steps-from)
			if keep {
				s.cells.keepState(s, strip, from)
			}
			history := s.history[:0]
			if strip == s.strips-1 && s.endsIn(from, steps) {
				history = s.history
			}
			if whole := s.cells.whole(s, strip, from); keep && whole != nil {
				history = whole
			}
			s.advance(strip, from, steps, s.border, s.insBorder, s.longBorder, history)
			if strip == s.strips-1 {
				s.lastRow(from, steps, history)
			}
			if s.model.tracks() {
				s.tracked(strip, from/sweepBlock)
			}
		}
		s.lastColumn(strip)
	}
	return nil
}

// part returns a part of the state.
func (s *sweep[C]) part(i int) []C { return s.state[i*s.rows:][:s.rows] }

// row returns the row of the matrix in a lane of a strip.
func (s *sweep[C]) row(strip, lane int) int { return (strip+1)*s.rows - lane }

// enter sets the state before the first step of a strip.
func (s *sweep[C]) enter(strip int) {
	h, before := s.part(sweepH), s.part(sweepBefore)
	next := s.cell(s.row(strip, 0), 0, s.model.left(s.row(strip, 0)))
	for l := range s.rows {
		i := s.row(strip, l)
		h[l] = next
		next = s.cell(i-1, 0, s.model.left(i-1))
		before[l] = next
	}
	open, long := C(s.costs[sweepOpen]), C(s.costs[sweepOpenLong])
	for l, c := range h {
		s.part(sweepDel)[l], s.part(sweepIns)[l] = c+open, c+open
		if s.two() {
			s.part(sweepDelLong)[l], s.part(sweepInsLong)[l] = c+long, c+long
		}
	}
	if s.model.tracks() {
		least := s.part(s.parts() - 1)
		for l := range least {
			least[l] = C(s.ceiling)
		}
	}
}

// advance computes steps of a strip after the first from ones. history receives the H of each
// unless it is empty.
func (s *sweep[C]) advance(strip, from, steps int, border, ins, long, history []C) {
	a := &s.args
	a.state = unsafe.Pointer(&s.state[0])
	a.constants = unsafe.Pointer(&s.constants[0])
	a.text = &s.padText.buf[s.padText.pad+from+1-s.rows]
	a.pattern = &s.reverse.buf[s.reverse.pad+(s.strips-1-strip)*s.rows]
	a.h, a.g = unsafe.Pointer(&border[s.rows+from+1]), unsafe.Pointer(&ins[s.rows+from+1])
	if s.two() {
		a.long = unsafe.Pointer(&long[s.rows+from+1])
	}
	a.steps, a.stride = steps, 0
	a.history = unsafe.Pointer(&s.history[0])
	if len(history) > 0 {
		a.history, a.stride = unsafe.Pointer(&history[0]), s.rows*s.bits/8
	}
	s.routine.run(a)
}

// lane returns the lane of the last row of the matrix in the last strip.
func (s *sweep[C]) lastLane() int { return s.strips*s.rows - s.pattern.n }

// column returns the column of a lane after so many steps.
func (s *sweep[C]) column(lane, steps int) int { return steps - (s.rows - 1 - lane) }

// endsIn reports whether the last row has ends in steps of the last strip.
func (s *sweep[C]) endsIn(from, steps int) bool {
	if s.model.Span != EndsFree {
		return false
	}
	lane := s.lastLane()
	first := max(1, s.text.n-s.model.Free.TextEnd)
	return s.column(lane, from+steps) >= first && s.column(lane, from+1) <= s.text.n
}

// lastRow looks at the ends of the last row in steps of the last strip.
func (s *sweep[C]) lastRow(from, steps int, history []C) {
	if !s.endsIn(from, steps) {
		return
	}
	lane, n, m := s.lastLane(), s.pattern.n, s.text.n
	first := max(1, m-s.model.Free.TextEnd)
	for t := range steps {
		if j := s.column(lane, from+t+1); j >= first && j <= m {
			s.mayEnd(n, j, s.cost(n, j, history[t*s.rows+lane]))
		}
	}
}

// lastColumn looks at the ends of the last column in a strip.
func (s *sweep[C]) lastColumn(strip int) {
	n, m := s.pattern.n, s.text.n
	for l, c := range s.part(sweepH) {
		if i := s.row(strip, l); i <= n {
			s.mayEnd(i, m, s.cost(i, m, c))
		}
	}
}

// mayEnd notes cell (i,j) on the last row or column, of cost c, if it is the best end so far.
func (s *sweep[C]) mayEnd(i, j, c int) {
	n, m := s.pattern.n, s.text.n
	switch s.model.Span {
	case Local, Extension:
		return // tracked
	case EndsFree:
		if !(i == n && m-j <= s.model.Free.TextEnd || j == m && n-i <= s.model.Free.PatternEnd) {
			return
		}
	default:
		if i < n || j < m {
			return
		}
	}
	e := spanCell{i, j, c + s.model.FreeLetter*(n-i+m-j)}
	if e.before(s.end) {
		s.end = e
	}
}

// tracked notes the best row and block so far of alignments that may end everywhere.
func (s *sweep[C]) tracked(strip, block int) {
	least := s.part(s.parts() - 1)
	// An alignment that ends in a cell of 0 columns more costs what the cell holds.
	best := C(min(s.end.cost-s.letter*(s.pattern.n+s.text.n)+s.bias, s.ceiling))
	low := best
	for _, c := range least {
		low = min(low, c)
	}
	if low > best {
		return
	}
	for l := s.rows - 1; l >= 0; l-- {
		if i := s.row(strip, l); least[l] == low && (low < best || i < s.end.v) {
			s.end = spanCell{i, -1, int(low) - s.bias + s.letter*(s.pattern.n+s.text.n)}
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
