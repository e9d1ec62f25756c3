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

// waits lets a pair, whose seeds have been found, wait for others, on the narrowest band beside which seeds are
// likely to show that alignments cost more: near most seeds, by these or by short ones, or on all diagonals.
func (x *insideMethod) waits(pattern, text *sequence) bool {
	q, s := x.queue, &x.seeds
	guess := x.expected(pattern.n)
	band := s.near.wider(laneSpare + guess/laneShare)
	size, ok := q.sizeOf(guess)
	whole := x.whole(pattern.n, text.n)
	if !ok || !q.takes(size, pattern.n, band.count(), whole) {
		return false
	}
	if 100*guess <= laneKnown*q.steps.of(s.letters).unit*(len(s.first)-s.elsewhere/2) {
		q.add(size, pattern, text, &s.laneSeeds, band, whole).known = true
		return true
	}
	all := between(pattern.n, text.n).wider(laneSpare + guess/laneShare)
	if !x.trials.tries(size, q.estimate(size, pattern.n, min(all.count(), laneWidth)), whole) {
		return false
	}
	takesAll := q.takes(size, pattern.n, all.count(), whole)
	m := q.add(size, pattern, text, &s.laneSeeds, band, whole)
	waits := (!takesAll || all.count() > laneAll) && q.useChain(m) && q.mayExclude(m, guess)
	if !waits {
		m.band, m.chain.seeds = all, 0
		waits = takesAll && (all.count() <= laneAll || q.excludes(m, guess))
	}
	x.trials.excluded.record(waits, 2)
	if !waits {
		q.remove(m)
	}
	return waits
}

const (
	laneSpare  = 6   // least diagonals on either side of those of most seeds
	laneShare  = 12  // and one in so many of the cost that is expected
	laneKnown  = 90  // the most percent of what seeds cost beside the band that is expected
	laneLikely = 95  // that of what seeds cost beside a band that may be all of those
	laneAll    = 224 // all diagonals, where they cost less than short seeds and a wider band
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
	if m.cost > m.seeds.certain {
		return false
	}
	size, ok := q.sizeOf(m.cost)
	m.size = max(m.size, size)
	all := between(m.pattern.n, m.text.n)
	left, right := q.elsewhere(m)
	far := left <= m.cost && m.band.first > all.first || right <= m.cost && m.band.last < all.last
	switch {
	case far && all.count() > laneAll && m.chain.seeds == 0 && q.useChain(m) && q.mayExclude(m, m.cost):
		m.band = m.band.wider(laneSpare)
	case far:
		m.band = diagonals{min(m.band.first, all.first), max(m.band.last, all.last)}.wider(laneSpare)
	default:
		m.band = m.band.wider(m.width() / 2)
	}
	return ok && q.takes(m.size, m.pattern.n, m.width(), m.whole) && q.mayExclude(m, m.cost)
}

// mayExclude is excludes where an attempt takes long: lanes of a byte are tried anyway.
func (q *laneQueue) mayExclude(m *laneMember, cost int) bool {
	return m.size == laneBytes || q.excludes(m, cost)
}

// excludes reports whether seeds may show that alignments beside the band of a pair cost more than some do.
func (q *laneQueue) excludes(m *laneMember, cost int) bool {
	if q.model.Span == Global { // alignments come back to the band
		return true
	}
	left, right := q.elsewhere(m)
	// Alignments that are beside all diagonals have come there by a gap, or end behind one.
	all := between(m.pattern.n, m.text.n)
	gap := func(letters int) int {
		if letters < 0 {
			return 0
		}
		return q.steps.insertion(letters + 1)
	}
	left += gap(all.first - m.band.first)
	right += gap(m.band.last - all.last)
	return 100*cost <= laneLikely*min(left, right)
}

// elsewhere returns what alignments cost at least that are on the left of the band of a pair, and on the right
// of it.
func (q *laneQueue) elsewhere(m *laneMember) (left, right int) {
	if x := &m.chain; x.seeds > 0 {
		x.beside(&q.steps.chain, m.pattern.n, m.text.n, m.band)
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
