package align

import "wfagpu/cigar"

// AlignWaiting aligns the pairs of b, which are fewer than wait in lanes, as an engine of one thread does.
// It returns how many wait there, and of how many of these it takes another method to be sure.
func AlignWaiting(o Options, b *Batch) (waited, lost int, err error) {
	if o, err = o.withDefaults(); err != nil {
		return 0, 0, err
	}
	for range 2 { // first to count them
		a, err := NewAligner(o)
		if err != nil {
			return 0, 0, err
		}
		a.alignRange(b, 0, len(b.Pairs))
		if x := a.spanned.inside; x != nil && x.lanes != nil && waited == 0 {
			waited = len(x.lanes.waiting)
			x.lanes.each(true, func(*laneMember) cigar.CIGAR { return nil }, func(_ *laneMember, _ spanResult, ok bool) {
				if !ok {
					lost++
				}
			})
			continue
		}
		a.finishWaiting(b)
	}
	return waited, lost, nil
}
