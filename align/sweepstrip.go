package align

import (
	"math"
	"unsafe"
)

// sweepStrip is a strip of the matrix: its rows, and the columns that are computed, which begin
// behind column before.
type sweepStrip struct {
	first        int // rows before it
	before, last int
	steps        int // its last row comes rows steps after its first
	border       int // where its border and its states are stored
	states       int
}

// enter makes the strip of the rows after first, and its state before the first step. The border
// holds the row before it, and the cells of which alignments of bound at most may lead on.
func (s *sweep[C]) enter(first int) sweepStrip {
	t := sweepStrip{first: first, before: 0, last: s.text.n}
	if s.bounded() {
		t.before, t.last = s.live(first)
	}
	t.steps = t.last - t.before + s.rows
	s.ready(&t)
	return t
}

// ready makes the state before the first step of a strip.
func (s *sweep[C]) ready(t *sweepStrip) {
	h, before := s.part(sweepH), s.part(sweepBefore)
	for l := range s.rows {
		i, j := s.row(t.first, l), t.before
		if t.before == 0 {
			h[l] = s.cell(i, 0, s.model.left(i))
			before[l] = s.cell(i-1, 0, s.model.left(i-1))
			continue
		}
		// The cells before the first step are one antidiagonal, and dead.
		j -= s.rows - 1 - l
		h[l], before[l] = s.cell(i, j, s.bound+1), s.cell(i-1, j, s.bound+1)
	}
	open, long := C(s.costs[sweepOpen]), C(s.costs[sweepOpenLong])
	for l, c := range h {
		s.part(sweepDel)[l], s.part(sweepIns)[l] = c+open, c+open
		if s.two() {
			s.part(sweepDelLong)[l], s.part(sweepInsLong)[l] = c+long, c+long
		}
	}
	if s.model.Span.EndsAnywhere() {
		least := s.part(s.parts() - 1)
		for l := range least {
			least[l] = C(s.ceiling)
		}
	}
}

// part returns a part of the state.
func (s *sweep[C]) part(i int) []C { return s.state[i*s.rows:][:s.rows] }

// row returns the row of the matrix in a lane of a strip after first rows.
func (s *sweep[C]) row(first, lane int) int { return first + s.rows - lane }

// column returns the column of a lane after so many steps of a strip.
func (s *sweep[C]) column(t *sweepStrip, lane, steps int) int {
	return t.before + steps - (s.rows - 1 - lane)
}

// advance computes steps of a strip after the first from ones. history receives the H of each
// unless it is empty.
func (s *sweep[C]) advance(t *sweepStrip, from, steps int, history []C) {
	a := &s.args
	at := t.before + from + 1 // column of the first row
	a.state = unsafe.Pointer(&s.state[0])
	a.constants = unsafe.Pointer(&s.constants[0])
	a.text = &s.padText.buf[s.padText.pad+at-s.rows]
	a.pattern = &s.reverse.buf[s.reverse.pad+s.strips*s.rows-s.rows-t.first]
	a.h, a.g = unsafe.Pointer(&s.border[s.rows+at]), unsafe.Pointer(&s.insBorder[s.rows+at])
	if s.two() {
		a.long = unsafe.Pointer(&s.longBorder[s.rows+at])
	}
	a.steps, a.stride = steps, 0
	a.history = unsafe.Pointer(&s.history[0])
	if len(history) > 0 {
		a.history, a.stride = unsafe.Pointer(&history[0]), s.rows*s.bits/8
	}
	s.routine.run(a)
}

// bounded reports whether cells of more than bound are left out.
func (s *sweep[C]) bounded() bool { return s.bound >= 0 }

// live returns the columns of the strip after first rows in which alignments of no more than bound
// may lead on: the one before the first, and the last one. It kills the others in the border.
func (s *sweep[C]) live(first int) (before, last int) {
	m := s.text.n
	from, to := s.lastStrip.before+1, s.lastStrip.last
	if s.lastStrip.before == 0 {
		from = 0
	}
	// What is to come costs rest at least, and deletions, which touch a seed, not much less.
	rest, extend := s.rest.from(first), s.model.last().Extend
	border, bound := s.border[s.rows:], s.bound
	if s.beam > 0 {
		least := math.MaxInt
		for j := from; j <= to; j++ {
			least = min(least, int(border[j])+s.letter*j)
		}
		bound = min(bound, s.cost(first, 0, 0)+least+s.beam)
	}
	long := bound - max(0, rest-2*s.model.Mismatch)
	low, far := m+1, -1
	for j := from; j <= to; j++ {
		c := s.cost(first, j, border[j])
		if c+rest > bound || c+s.toEnd(j-first) > s.bound {
			continue
		}
		low = min(low, j)
		far = max(far, j*extend+long-c)
	}
	far /= extend
	// Begins in the first column may leave out seeds.
	if s.model.left(first+1)+s.rest.from(first+s.rows) <= bound {
		low, far = 0, max(far, bound/extend)
	}
	before, last = max(0, low-1), min(m, far+s.rows)
	if before < s.rows {
		before = 0
	}
	last = max(last, before)
	kill := func(j int) {
		s.border[s.rows+j] = s.cell(first, j, s.bound+1)
		s.insBorder[s.rows+j] = s.cell(first, j, s.bound+1)
		if s.two() {
			s.longBorder[s.rows+j] = s.cell(first, j, s.bound+1)
		}
	}
	for j := before; j < from; j++ {
		kill(j)
	}
	for j := to + 1; j <= min(last+2*s.rows, m); j++ {
		kill(j)
	}
	return before, last
}

// toEnd returns the least that it costs to come from diagonal k to one with an end.
func (s *sweep[C]) toEnd(k int) int {
	// A gap may be open already.
	return max(0, s.ends.first-k, k-s.ends.last) * s.model.last().Extend
}
