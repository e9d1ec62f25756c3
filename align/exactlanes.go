package align

import "wfagpu/cigar"

// exactLanes aligns similar pairs several at a time, each in a lane of vectors, whose scores are above those that
// groups certify. The bands are narrow: seeds show what alignments cost at least that leave them and come back. All
// alignments of the scores that are likely stay on some more diagonals, on which alone seeds are looked for.
type exactLanes struct {
	*given
	model  Model
	queue  *laneQueue
	places codes
	seeds  laneSeeds // of the last pair
	trials laneTrials
	joined bool // the last pair that was looked at waits
	// pairs counts those that have been looked at, last up to the last one that could wait, and apart is how many there
	// are from one to the next. Where few pairs wait they fill no vectors, and their storage is not worth it.
	pairs, last int
	apart       float64
	// batch is the one whose pairs are being finished, by dst and do, which are made once.
	batch *Batch
	dst   func(*laneMember) cigar.CIGAR
	do    func(*laneMember, spanResult, bool)
}

const (
	exactLaneLetter = 5.0 // cost in nanoseconds of a letter of a pair besides its cells
	exactLaneShare  = 0.8 // of what other methods cost, and
	exactLaneScores = 0.5 // without CIGARs, which cost them more
	exactLaneLeast  = 64  // least letters of a pattern
	exactLaneApart  = 4   // the most pairs from one that waits to the next one; a dozen in a row are fewer, at first
)

// newExactLanes returns nil for models and levels that it does not take.
func newExactLanes(g *given, m *Model) *exactLanes {
	l := &exactLanes{given: g, model: *m, places: codes{kern: g.kern}, apart: 2 * exactLaneApart}
	l.queue = newLaneQueue(g.kern.lanes, &l.model, &l.places, g.scoreOnly, g.memory)
	if l.queue == nil {
		return nil
	}
	return l
}

// takes reports whether the loaded pair may wait, by its letters and its expected score.
func (l *exactLanes) takes(guess int) bool {
	n := l.pattern.n
	return exactLaneLeast <= n && n <= laneLetters && l.text.n <= laneMostText && guess <= l.shown() && !l.queue.full()
}

// shown returns about what seeds show that an alignment costs beside the band of the loaded pair.
func (l *exactLanes) shown() int { return l.queue.steps.short.unit * l.pattern.n / laneShort }

// waits lets the loaded pair, which it takes, whose score is expected to be guess and which costs other nanoseconds by
// other methods, wait for others if that is quicker, and reports whether it does.
func (l *exactLanes) waits(guess int, other float64) bool {
	q, n, m := l.queue, l.pattern.n, l.text.n
	size, ok := q.sizeOf(guess + guess/8)
	if !ok {
		return false
	}
	band := between(n, m).wider(l.spare(guess))
	share := exactLaneShare
	if l.scoreOnly {
		share = exactLaneScores
	}
	other = share * (other - exactLaneLetter*float64(n))
	if !q.takes(size, n, band.count(), other) || !l.often() || !l.trials.tries(size, q.estimate(size, n, band.count()), other) {
		return false
	}
	l.add(size, band, l.reach(guess+guess/2+15*q.steps.short.unit), other)
	l.joined = true
	return true
}

// often reports whether many of the last pairs could wait, as the one at hand can.
func (l *exactLanes) often() bool {
	const weight = 1.0 / 16
	l.apart += weight * (float64(l.pairs-l.last) - l.apart)
	l.last = l.pairs
	return l.apart <= exactLaneApart
}

// spare returns how many diagonals the band of the loaded pair has on either side for an expected score. A stretch of the
// alignment may have more errors than seeds show: the gaps that lead out of the band and back cost as much.
func (l *exactLanes) spare(guess int) int {
	stretch := 19*l.queue.steps.short.unit + guess/24 + max(0, guess-l.shown()*2/3)/6
	return max(laneSpare, l.pen.longest(stretch/2))
}

// reach returns how many diagonals on either side of those between the ends alignments of a score are on at most.
func (l *exactLanes) reach(score int) int {
	return max(laneReach, l.pen.longest((score-abs(l.text.n-l.pattern.n)*l.pen.GapExtend)/2)+1)
}

// add lets the loaded pair wait, on a band. Its seeds are looked for on reach diagonals beside those between the ends.
// By other methods it costs so many nanoseconds.
func (l *exactLanes) add(size laneSize, band diagonals, reach int, other float64) *laneMember {
	end := l.text.n - l.pattern.n
	l.places.margin = max(l.places.margin, reach+abs(end))
	l.places.load(l.text)
	l.seeds.findOn(l.queue.kern, &l.places, l.pattern, between(l.pattern.n, l.text.n).wider(reach), l.pen.leave(end, reach)-1)
	return l.queue.add(size, l.pattern, l.text, &l.seeds, band, other)
}

// note sets the index of the pair if it is the one that has begun to wait last.
func (l *exactLanes) note(index int) bool {
	if l == nil || !l.joined {
		return false
	}
	l.joined = false
	l.queue.note(index)
	return true
}

// lanesPay lets the loaded pair, whose score is expected to be guess, wait for others in lanes if that is quicker than
// other methods, and reports whether it does.
func (a *exact) lanesPay(guess int) bool {
	if !a.waits || guess == 0 || a.lanes == nil || guess > a.limit || !a.lanes.takes(guess) {
		return false
	}
	other := min(a.plainCost(guess), a.bundle.costOf(a.pattern.n, a.text.n))
	if f := a.fence; f != nil && f.fenced.takes(guess) {
		other = min(other, f.cost())
	}
	return a.lanes.waits(guess, other)
}

// finishExactLanes aligns the pairs of b that wait in lanes, all or as many as fill vectors. None waits meanwhile.
func (a *Aligner) finishExactLanes(b *Batch, all bool) {
	l := a.exact.lanes
	if l == nil {
		return
	}
	if stopped(a.stop) {
		l.queue.drop()
	}
	defer func(waits bool) { a.exact.waits, l.batch = waits, nil }(a.exact.waits)
	a.exact.waits, l.batch = false, b
	if l.do == nil {
		l.dst = func(m *laneMember) cigar.CIGAR { return l.batch.Results[m.index].CIGAR[:0] }
		l.do = a.finishLane
	}
	l.queue.each(all, l.dst, l.do)
}

// finishLane takes the result of a pair that has waited in lanes, or aligns it alone if lanes are not sure of it.
func (a *Aligner) finishLane(m *laneMember, r spanResult, ok bool) {
	l := a.exact.lanes
	out, p := &l.batch.Results[m.index], &l.batch.Pairs[m.index]
	cost, c, err := r.cost, r.cigar, error(nil)
	l.trials.record(m.size, ok)
	if ok {
		a.stats.Banded++
		l.given.costs.observe(min(cost, a.limit), m.pattern.n, m.text.n)
	} else if err = a.load(p.Pattern, p.Text); err == nil {
		cost, c, err = a.align(out.CIGAR[:0])
	}
	out.Place = Place{PatternEnd: m.pattern.n, TextEnd: m.text.n}
	out.Score, out.CIGAR, out.Err = a.result(cost, c, err, m.pattern.n+m.text.n)
}
