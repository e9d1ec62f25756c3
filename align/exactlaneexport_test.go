package align

import "math"

// ExactLanePair is a pair that is to be aligned globally in lanes.
type ExactLanePair struct {
	Pattern, Text []byte
	Spare         int  // diagonals of the band on either side of those between the ends
	Reach         int  // and those that seeds are looked for on
	Words         bool // lanes have two bytes
	Tries         int  // bands, ever wider
}

// AlignInExactLanes aligns pairs globally in lanes. ok tells of which pairs the results are sure. It is nil where the
// penalties or the level have no lanes.
func AlignInExactLanes(o Options, pairs []ExactLanePair) (results []Result, ok []bool, err error) {
	if o, err = o.withDefaults(); err != nil {
		return nil, nil, err
	}
	a, err := NewAligner(o)
	if err != nil || a.exact.lanes == nil {
		return nil, nil, err
	}
	l := a.exact.lanes
	l.pattern, l.text = &a.pattern, &a.text
	results, ok, finish := a.laneResults(l.queue, len(pairs))
	for i, p := range pairs {
		size := laneSizeOf(p.Words)
		if err := a.load(p.Pattern, p.Text); err != nil {
			return nil, nil, err
		}
		band := between(a.pattern.n, a.text.n).wider(p.Spare)
		if a.pattern.n < 2*laneShort || !l.queue.takes(size, a.pattern.n, band.count(), math.Inf(1)) {
			continue
		}
		m := l.add(size, band, p.Reach, math.Inf(1))
		m.index, m.tries = i, laneTries-p.Tries
		if l.queue.full() {
			finish()
		}
	}
	finish()
	return results, ok, nil
}

// ExactLanes aligns a batch with one thread, and returns how many of its pairs waited in lanes at once, -1
// where there are no lanes.
func ExactLanes(o Options, b *Batch) (pairs int, err error) {
	if o, err = o.withDefaults(); err != nil {
		return 0, err
	}
	a, err := NewAligner(o)
	if err != nil {
		return 0, err
	}
	if a.exact.lanes == nil {
		return -1, nil
	}
	b.PrepareResults()
	for i := range b.Pairs {
		a.alignRange(b, i, i+1)
		pairs = max(pairs, len(a.exact.lanes.queue.waiting))
	}
	a.finishWaiting(b)
	return pairs, nil
}
