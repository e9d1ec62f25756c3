package align

import "math"

// setBound sets the bound on the cost of the pair, of which a cost of bound is expected: that of
// the alignments that a beam of the cheapest cells leads to. -1 is for no bound. A bound that is
// predicted remains if a beam finds nothing but much more: it does not come over long gaps.
func (s *sweep[C]) setBound(bound int, predicted bool) error {
	s.bound, s.beam, s.rest.taken, s.fall = bound, 0, false, 0
	s.found = s.worst()
	if s.bound >= s.found {
		s.bound = -1
	}
	if s.model.Span.EndsAnywhere() {
		// Letters that are left out tell nothing of what an alignment costs, so only a beam does.
		s.fall = s.model.FreeLetter
		if s.strips < beamStrips {
			s.bound = -1
		}
	}
	if !s.bounded() || s.strips < beamStrips {
		return nil
	}
	whole := s.routine
	s.take(s.beamRoutine())
	defer s.take(whole)
	s.bound, s.beam = s.found, beamMismatches*s.model.Mismatch
	s.begin()
	err := s.run(false)
	s.beam, s.bound = 0, bound
	if s.best.cost > s.found {
		return err
	}
	s.found = s.best.cost
	if !predicted || s.found < muchMore*bound {
		s.bound = s.found
	}
	if s.bound >= s.worst() {
		s.bound = -1
	}
	return err
}

// muchMore is how many times a predicted cost a beam finds where it has lost the alignment.
const muchMore = 2

// raiseBound sets the next bound after one that no alignment is within, none if that would leave out
// nothing.
func (s *sweep[C]) raiseBound() {
	last := s.bound
	s.bound = min(4*s.bound+1, s.found)
	if s.bound <= last || s.bound >= s.worst() {
		s.bound = -1
	}
}

// worst is what no alignment needs to exceed.
func (s *sweep[C]) worst() int {
	n, m := s.pattern.n, s.text.n
	if s.model.Span.EndsAnywhere() {
		return s.model.FreeLetter * (n + m)
	}
	return s.model.Cost(n) + s.model.Cost(m)
}

// above returns what an alignment through cell (i,j) costs at least more than the cell and the errors
// behind it. Where alignments end anywhere, each diagonal upwards is so much less to be left out of the text,
// and each one downwards as much more: letters of the pattern that are left out cost twice as much instead.
func (s *sweep[C]) above(i, j int) int { return s.fall * (s.text.n - j - s.pattern.n + i) }

// dead returns a cost of cell (i,j) from which all alignments cost more than the bound.
func (s *sweep[C]) dead(i, j int) int { return s.bound + 1 - s.above(i, j) }

// A beam takes cells that cost up to so many mismatches more than the cheapest one of their row, and
// begins up to so many diagonals above those of ends, and one more for every so many letters of the
// pattern. It is for patterns of some strips.
const (
	beamMismatches = 24
	beamAbove      = 64
	beamLetters    = 8
	beamStrips     = 3
)

// beamRows is the least rows of the strips of a beam, where strips may have as many.
const beamRows = 32

// beamRoutine returns that of narrow strips, for a beam is narrow, too.
func (s *sweep[C]) beamRoutine() *sweepRoutine {
	for i := range s.routines {
		if r := &s.routines[i]; r.vectors*s.lanes >= beamRows {
			return r
		}
	}
	return s.routine
}

// findRest finds bounds for what is to come, within reach of alignments of cost bound.
func (s *sweep[C]) findRest(k *kernels) {
	if m := s.model; m.Span.EndsAnywhere() {
		// Beyond these diagonals lead a gap, or letters of the pattern that are left out.
		most := s.bound - s.above(0, 0)
		gap := m.mostGap(most, s.pattern.n+s.text.n)
		out := max(gap, most/(2*m.FreeLetter))
		if m.Span == Extension {
			s.rest.find(k, m, s.pattern, s.text, -gap, min(gap, s.ends.last+out), s.stop)
		} else {
			s.rest.find(k, m, s.pattern, s.text, -out, s.ends.last+out, s.stop)
		}
		return
	}
	gap := s.model.longest(s.bound)
	s.rest.find(k, s.model, s.pattern, s.text, max(s.begins.first, s.ends.first-gap)-gap, min(s.begins.last, s.ends.last+gap)+gap, s.stop)
}

// enter makes the strip of the rows after first, and its state before the first step. The border
// holds the row before it, and the cells of which alignments of bound at most may lead on.
func (s *sweep[C]) enter(first int) sweepStrip {
	t := sweepStrip{first: first, before: 0, last: s.text.n}
	if s.bounded() {
		t.before, t.last = s.live(first)
	}
	t.steps = t.last - t.before + s.rows
	s.ready(&t, s.dead)
	return t
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
	border, bound, start := s.border[s.rows:], s.bound, s.cost(first, 0, 0)
	if s.beam > 0 {
		if first == 0 {
			to = min(to, s.beamBegins())
		}
		bound = min(bound, start+s.above(first, 0)+(s.letter-s.fall)*from+cheapest(border[from:to+1], s.letter-s.fall)+s.beam)
	}
	// What is to come costs rest at least, of which deletions pay some by their letters.
	rest, extend := s.rest.from(first), s.model.last().Extend-s.fall
	start += s.above(first, 0)
	letter := s.letter - s.fall
	most := bound - rest - start
	leads := func(j int) bool {
		c := letter*j + int(border[j])
		return c <= most && start+c+s.toEnd(j-first) <= s.bound
	}
	low, high := from, to
	for low <= high && !leads(low) {
		low++
	}
	for high > low && !leads(high) {
		high--
	}
	// How far deletions come. Beyond the diagonals of ends they are to be taken back by insertions.
	far, beyond := -1, -extend*first
	if low <= high {
		// A deletion before the last column that leads on has come to it at what opened it, or less.
		furthest := extend*high - start - letter*high - int(border[high]) + s.model.last().Open
		far = (bound - max(0, rest-s.rest.letters(s.rows)) + furthest) / extend
		beyond = max(beyond, furthest-extend*first)
	} else {
		low = m + 1
	}
	// Begins in the first column, or anywhere, may leave out seeds.
	if s.model.left(first+1)+s.above(first+1, 0)+s.rest.from(first+s.rows) <= bound {
		if low = 0; s.model.Span == Local {
			far = m
		} else {
			far = max(far, (bound-s.above(0, 0))/extend)
		}
	}
	if s.fall > 0 {
		// Beyond the last diagonal letters of the pattern are left out, or inserted.
		far = min(far, first+s.rows+s.ends.last+s.rest.downwards(first+s.rows, 2*s.fall, bound-s.above(0, 0)))
	} else {
		far = min(far, max(0, first+(s.bound+beyond+extend*s.ends.last)/(2*extend)))
	}
	before, last = max(0, low-1), min(m, far+s.rows)
	if before < s.rows {
		before = 0
	}
	last = max(last, before)
	s.kill(first, before, from)
	s.kill(first, to+1, min(last+s.rows, m)+1)
	return before, last
}

// kill makes the columns from..to-1 of the border, which is row first, cost more than bound.
func (s *sweep[C]) kill(first, from, to int) {
	if from >= to {
		return
	}
	for _, b := range s.borders() {
		fill(b[s.rows+from:s.rows+to], s.cell(first, from, s.dead(first, from))) // which costs as much or more in later columns
	}
}

// beamBegins returns the last column that alignments of a beam begin in.
func (s *sweep[C]) beamBegins() int {
	last := s.ends.last
	switch s.model.Span {
	case Local:
		return s.text.n
	case Extension:
		last = 0
	}
	return max(0, last+beamAbove+s.pattern.n/beamLetters)
}

// cheapest returns the least of some cells, with so much added for each cell before them, or a large
// number for none.
func cheapest[C sweepCell](cells []C, each int) int {
	least := math.MaxInt32
	for j, c := range cells {
		least = min(least, int(c)+each*j)
	}
	return least
}

// toEnd returns the least that it costs to come from diagonal k to one with an end, or to leave out letters of the
// pattern for which the text has none.
func (s *sweep[C]) toEnd(k int) int {
	if s.fall > 0 {
		return max(0, k-s.ends.last) * 2 * s.fall
	}
	// A gap may be open already.
	return max(0, s.ends.first-k, k-s.ends.last) * s.model.last().Extend
}
