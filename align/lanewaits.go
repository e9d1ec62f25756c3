package align

// laneExpected predicts what pairs cost in lanes.
type laneExpected struct {
	laneSeeds         // of the last pair
	each      float64 // cost of the last pairs for each seed that is missing, 0 at first
}

// observe records the cost of a pair of which so many seeds are missing.
func (e *laneExpected) observe(cost, missing int) {
	const weight = 1.0 / 16
	each := float64(cost) / float64(missing+1)
	if e.each == 0 {
		e.each = each
	}
	e.each += weight * (each - e.each)
}

// expected returns the cost that is expected of a pattern of so many letters.
func (x *insideMethod) expected(pattern int) int {
	if s := &x.seeds; s.each > 0 {
		return int(s.each * float64(s.missing+1))
	}
	return x.rate.expected(pattern)
}

// waits lets a pair, whose seeds have been found, wait for others.
func (x *insideMethod) waits(pattern, text *sequence) bool {
	q, s := x.queue, &x.seeds
	guess := x.expected(pattern.n)
	band := q.bandFor(&s.laneSeeds, pattern.n, text.n, guess)
	if guess > laneScore || !q.takes(pattern.n, band.count()) || q.estimate(pattern.n, band.count()) > x.whole(pattern.n, text.n) {
		return false
	}
	q.add(pattern, text, &s.laneSeeds, band)
	return true
}

const (
	laneSpare = 6  // least diagonals on either side of those of most seeds
	laneShare = 12 // and one in so many of the cost that is expected
	laneKnown = 90 // the most percent of what seeds cost beside the band that is expected
)

// bandFor returns the diagonals that are likely to be enough for a pair of a cost that is expected: all of
// them where seeds are likely to show too little of what alignments cost elsewhere.
func (q *laneQueue) bandFor(s *laneSeeds, pattern, text, cost int) diagonals {
	spare := laneSpare + cost/laneShare
	if 100*cost > laneKnown*q.steps.of(s.letters).unit*len(s.first) {
		if all := (diagonals{0, text - pattern}).wider(spare); q.takes(pattern, all.count()) {
			return all
		}
	}
	return s.near.wider(spare)
}

// widen makes the band of a pair wider that has been too narrow, and reports whether it is small enough.
func (q *laneQueue) widen(m *laneMember) bool {
	all := diagonals{0, m.text.n - m.pattern.n}
	if m.beside <= m.cost && (m.band.first > all.first || m.band.last < all.last) {
		m.band = diagonals{min(m.band.first, all.first), max(m.band.last, all.last)}.wider(laneSpare)
	} else {
		m.band = m.band.wider(m.width() / 2)
	}
	return m.cost <= laneScore && q.takes(m.pattern.n, m.width())
}
