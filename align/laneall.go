package align

// waitsOnAll lets a pair wait for others on all diagonals between its begins and its ends, where these are few and the
// pair has so many errors that seeds near most of their places often show too little. Alignments that leave such a band
// have a gap that leads out of it, and errors in the seeds that have no place on the diagonals beside it, which alone
// are searched.
func (x *insideMethod) waitsOnAll(pattern, text *sequence) bool {
	q := x.queue
	guess := x.rate.expected(pattern.n)
	shown := x.allSeeds(pattern.n, text.n)
	if shown == 0 || 100*guess <= laneNearly*shown {
		return false
	}
	all := between(pattern.n, text.n)
	band := all.wider(laneSpare + guess/laneShare)
	size, ok := q.sizeOf(guess + guess/8)
	whole := x.whole(pattern.n, text.n)
	if !ok || all.count() > laneAll || !q.takes(size, pattern.n, band.count(), whole) || !x.allTrials.tries(size, q.estimate(size, pattern.n, band.count()), whole) {
		return false
	}
	x.findBeside(pattern, text, max(laneReach, q.steps.longest(guess+guess/4+8*q.steps.short.unit)))
	m := q.add(size, pattern, text, &x.seeds.laneSeeds, band, whole)
	m.onAll = true
	waits := q.mayExclude(m, guess)
	if !waits { // a longer gap leads out of a wider band
		left, right := q.elsewhere(m)
		m.band = all.wider(q.steps.longest(guess + guess/12 - min(left, right)))
		waits = q.takes(size, pattern.n, m.width(), whole) && q.mayExclude(m, guess)
	}
	x.allTrials.excluded.record(waits, 2)
	if !waits {
		q.remove(m)
	}
	return waits
}

// laneNearly is the percentage of what all seeds cost from which on those near most places often show too little.
const laneNearly = 78

// findBeside finds the places of seeds on the diagonals between begins and ends and so many on either side of them.
// Alignments beside these cost more than an insertion of as many letters.
func (x *insideMethod) findBeside(pattern, text *sequence, reach int) {
	x.places.margin = max(x.places.margin, reach+max(0, pattern.n-text.n))
	x.places.load(text)
	all := between(pattern.n, text.n)
	x.seeds.findOn(x.lanes.kern, &x.places, pattern, all.wider(reach), x.lanes.steps.insertion(reach+1)-1)
}

// insertion returns what one of so many letters costs.
func (c *laneCosts) insertion(letters int) int { return c.insOpen + (letters-1)*c.insExtend }

// longest returns how many letters an insertion of a cost has at most.
func (c *laneCosts) longest(cost int) int {
	if cost < c.insOpen {
		return 0
	}
	return 1 + (cost-c.insOpen)/c.insExtend
}
