package align

// laneExpected predicts what pairs cost in lanes.
type laneExpected struct {
	laneSeeds          // of the last pair
	rate      seedRate // of the last pairs
}

// expected returns the cost that is expected of a pattern of so many letters.
func (x *insideMethod) expected(pattern int) int {
	if s := &x.seeds; s.rate > 0 {
		return s.rate.expected(s.missing)
	}
	return x.rate.expected(pattern)
}

// waits lets a pair, whose seeds have been found, wait for others.
func (x *insideMethod) waits(pattern, text *sequence) bool {
	q, s := x.queue, &x.seeds
	guess := x.expected(pattern.n)
	band := s.near.wider(laneSpare + guess/laneShare)
	if guess > laneScore || !q.takes(pattern.n, band.count()) || q.estimate(pattern.n, band.count()) > x.whole(pattern.n, text.n) {
		return false
	}
	known := 100*guess <= laneKnown*q.steps.of(s.letters).unit*(len(s.first)-s.elsewhere/2)
	all := between(pattern.n, text.n).wider(laneSpare + guess/laneShare)
	if !known && all.count() <= laneAll && q.takes(pattern.n, all.count()) {
		band = all
	}
	member := q.add(pattern, text, &s.laneSeeds, band)
	if !known && band != all {
		q.useChain(member)
	}
	return true
}

const (
	laneSpare = 6   // least diagonals on either side of those of most seeds
	laneShare = 12  // and one in so many of the cost that is expected
	laneKnown = 90  // the most percent of what seeds cost beside the band that is expected
	laneAll   = 224 // all diagonals, where they cost less than short seeds and a wider band
)

// between returns the diagonals between those that alignments begin and end on, of either length of the text.
func between(pattern, text int) diagonals {
	return diagonals{min(0, text-pattern), max(0, text-pattern)}
}

// useChain uses short seeds for what alignments cost beside the band, if they have few places.
func (q *laneQueue) useChain(m *laneMember) bool {
	if q.steps.chain.unit <= 0 {
		return false
	}
	q.places.load(&m.text)
	return m.chain.find(q.kern, q.places, &m.pattern)
}

// widen makes the band of a pair wider that has been too narrow, and reports whether it is small enough.
// If seeds do not exclude that the best alignment is elsewhere, it uses short ones, or all diagonals.
func (q *laneQueue) widen(m *laneMember) bool {
	all := between(m.pattern.n, m.text.n)
	left, right := q.elsewhere(m)
	far := left <= m.cost && m.band.first > all.first || right <= m.cost && m.band.last < all.last
	switch {
	case far && all.count() > laneAll && m.chain.seeds == 0 && q.useChain(m):
		m.band = m.band.wider(laneSpare)
	case far:
		m.band = diagonals{min(m.band.first, all.first), max(m.band.last, all.last)}.wider(laneSpare)
	default:
		m.band = m.band.wider(m.width() / 2)
	}
	return m.cost <= laneScore && q.takes(m.pattern.n, m.width())
}

// elsewhere returns what alignments cost at least that are on the left of the last band, and on the right
// of it.
func (q *laneQueue) elsewhere(m *laneMember) (left, right int) {
	if x := &m.chain; x.seeds > 0 {
		for i := range x.seeds {
			left, right = left+int(x.costs[0][i]), right+int(x.costs[1][i])
		}
		return left, right
	}
	unit := q.steps.of(m.seeds.letters).unit
	for i := range m.seeds.first {
		absentLeft, absentRight := m.seeds.absent(i, m.band)
		if absentLeft {
			left += unit
		}
		if absentRight {
			right += unit
		}
	}
	return left, right
}
