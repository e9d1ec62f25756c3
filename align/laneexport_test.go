package align

import (
	"math"

	"wfagpu/cigar"
)

// LanePair is a pair that is to be aligned in lanes on the diagonals from First to Last.
type LanePair struct {
	Pattern, Text []byte
	First, Last   int
	Chain         bool // what is beside the band is known of chains of seeds
	Words         bool // lanes have two bytes
	Reach         int  // seeds are looked for on so many diagonals beside begins and ends alone, if it is not 0
}

// laneResults returns storage for the results of n pairs that wait in lanes by their indices, and what finishes those
// that wait. ok tells of which pairs the results are sure.
func (a *Aligner) laneResults(q *laneQueue, n int) (results []Result, ok []bool, finish func()) {
	results, ok = make([]Result, n), make([]bool, n)
	return results, ok, func() {
		q.each(true, func(*laneMember) cigar.CIGAR { return nil }, func(m *laneMember, r spanResult, sure bool) {
			ok[m.index] = sure
			results[m.index] = Result{Score: a.model.Score(r.cost, m.pattern.n+m.text.n), CIGAR: r.cigar, Place: r.place}
		})
	}
}

// laneSizeOf returns the size of lanes of two bytes, or of one.
func laneSizeOf(words bool) laneSize {
	if words {
		return laneWords
	}
	return laneBytes
}

// AlignInLanes aligns pairs in lanes, once, on the bands that they have. ok tells of which pairs the results
// are sure. It is nil where the model has no lanes.
func AlignInLanes(o Options, pairs []LanePair) (results []Result, ok []bool, err error) {
	if o, err = o.withDefaults(); err != nil {
		return nil, nil, err
	}
	a, err := NewAligner(o)
	if err != nil || a.spanned == nil || a.spanned.inside == nil || a.spanned.inside.lanes == nil {
		return nil, nil, err
	}
	x := a.spanned.inside
	q := x.lanes
	results, ok, finish := a.laneResults(q, len(pairs))
	for i, p := range pairs {
		size := laneSizeOf(p.Words)
		if err := a.load(p.Pattern, p.Text); err != nil {
			return nil, nil, err
		}
		band := diagonals{p.First, p.Last}
		if !q.takes(size, a.pattern.n, band.count(), math.Inf(1)) {
			continue
		}
		if x.places.load(&a.text); p.Reach > 0 && a.pattern.n >= laneShort {
			x.findBeside(&a.pattern, &a.text, p.Reach)
		} else if !x.seeds.find(q.kern, &x.places, &a.pattern) {
			continue
		}
		m := q.add(size, &a.pattern, &a.text, &x.seeds.laneSeeds, band, 0)
		m.index, m.tries = i, laneTries
		if p.Chain {
			q.useChain(m)
		}
		if q.full() {
			finish()
		}
	}
	finish()
	return results, ok, nil
}

// AlignTwice aligns a batch twice with one thread, which knows what to expect then, and returns how many of its pairs
// have waited on all diagonals.
func AlignTwice(o Options, b *Batch) (onAll int, err error) {
	if o, err = o.withDefaults(); err != nil {
		return 0, err
	}
	a, err := NewAligner(o)
	if err != nil {
		return 0, err
	}
	b.PrepareResults()
	for range 2 {
		for i := range b.Pairs {
			a.alignRange(b, i, i+1)
			x := a.spanned.inside
			if x == nil || x.lanes == nil || len(x.lanes.waiting) == 0 {
				continue
			}
			if m := x.lanes.waiting[len(x.lanes.waiting)-1]; m.onAll && m.index == i {
				onAll++
			}
		}
		a.finishWaiting(b)
	}
	return onAll, nil
}
