package align

import "math"

// setBound sets the bound on the cost of the pair, of which a cost of bound is expected: that of
// the alignments that a beam of the cheapest cells leads to. -1 is for no bound. A bound that is
// predicted remains if a beam finds nothing but much more: it does not come over long gaps.
func (s *sweep[C]) setBound(bound int, predicted bool) error {
	s.bound, s.beam, s.rest.taken = bound, 0, false
	s.found = s.worst()
	if s.model.Span.EndsAnywhere() || s.bound >= s.found {
		s.bound = -1
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
	return err
}

// muchMore is how many times a predicted cost a beam finds where it has lost the alignment.
const muchMore = 2

// raiseBound sets the next bound after one that no alignment is within, none if that would leave out
// nothing.
func (s *sweep[C]) raiseBound() {
	s.bound = min(4*s.bound+1, s.found)
	if s.bound >= s.worst() {
		s.bound = -1
	}
}

// worst is what no alignment needs to exceed.
func (s *sweep[C]) worst() int { return s.model.Cost(s.pattern.n) + s.model.Cost(s.text.n) }

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
	s.ready(&t, s.bound+1)
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
			to = min(to, max(0, s.ends.last+beamAbove+s.pattern.n/beamLetters))
		}
		bound = min(bound, start+s.letter*from+cheapest(border[from:to+1], s.letter)+s.beam)
	}
	// What is to come costs rest at least, of which deletions pay some by their letters.
	rest, extend := s.rest.from(first), s.model.last().Extend
	most := bound - rest - start
	leads := func(j int) bool {
		c := s.letter*j + int(border[j])
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
		furthest := extend*high - start - s.letter*high - int(border[high]) + s.model.last().Open
		far = (bound - max(0, rest-s.rest.letters(s.rows)) + furthest) / extend
		beyond = max(beyond, furthest-extend*first)
	} else {
		low = m + 1
	}
	// Begins in the first column may leave out seeds.
	if s.model.left(first+1)+s.rest.from(first+s.rows) <= bound {
		low, far = 0, max(far, bound/extend)
	}
	far = min(far, max(0, first+(s.bound+beyond+extend*s.ends.last)/(2*extend)))
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
		fill(b[s.rows+from:s.rows+to], s.cell(first, from, s.bound+1)) // which costs more in later columns
	}
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

// toEnd returns the least that it costs to come from diagonal k to one with an end.
func (s *sweep[C]) toEnd(k int) int {
	// A gap may be open already.
	return max(0, s.ends.first-k, k-s.ends.last) * s.model.last().Extend
}
