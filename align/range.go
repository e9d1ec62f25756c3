package align

import "errors"

// errWaits is returned for a pair that has joined a group and is not aligned
// yet.
var errWaits = errors.New("waits for its group")

// alignRange fills the results of the pairs [from, to) of b, or of some of
// them when it is stopped.
func (a *Aligner) alignRange(b *Batch, from, to int) {
	if len(a.groups) > 0 {
		a.batch = b
	}
	for i := from; i < to && !a.stopped(); i++ {
		p, r := &b.Pairs[i], &b.Results[i]
		if r.Err = a.load(p.Pattern, p.Text); r.Err != nil {
			continue
		}
		a.index = i
		s, c, err := a.align(r.CIGAR[:0])
		if err != errWaits {
			r.Score, r.CIGAR, r.Err = s*a.scale, c, err
		}
	}
	for _, g := range a.groups {
		if !a.stopped() {
			a.finish(g)
		}
		g.used = 0
	}
	a.batch = nil
}
