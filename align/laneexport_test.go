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
	results, ok = make([]Result, len(pairs)), make([]bool, len(pairs))
	finish := func() {
		q.each(true, func(*laneMember) cigar.CIGAR { return nil }, func(m *laneMember, r spanResult, sure bool) {
			ok[m.index] = sure
			results[m.index] = Result{Score: a.model.Score(r.cost, m.pattern.n+m.text.n), CIGAR: r.cigar, Place: r.place}
		})
	}
	for i, p := range pairs {
		size := laneBytes
		if p.Words {
			size = laneWords
		}
		if err := a.load(p.Pattern, p.Text); err != nil {
			return nil, nil, err
		}
		band := diagonals{p.First, p.Last}
		x.places.load(&a.text)
		if !q.takes(size, a.pattern.n, band.count(), math.Inf(1)) || !x.seeds.find(q.kern, &x.places, &a.pattern) {
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
