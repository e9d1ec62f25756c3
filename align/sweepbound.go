package align

import "math"

// setBound sets the bound on the cost of the pair, of which a cost of bound is expected: that of
// the alignments that a beam of the cheapest cells leads to. -1 is for no bound.
func (s *sweep[C]) setBound(bound int) error {
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
	if s.best.cost <= worst {
		s.bound = s.best.cost
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
