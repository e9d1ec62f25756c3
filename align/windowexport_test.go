package align

// AlignWaiting aligns the pairs of b as an engine of one thread does, and returns how many of those that
// waited in lanes were not aligned there, and how many waited.
func AlignWaiting(o Options, b *Batch) (lost, waited int, err error) {
	if o, err = o.withDefaults(); err != nil {
		return 0, 0, err
	}
	a, err := NewAligner(o)
	if err != nil {
		return 0, 0, err
	}
	a.alignRange(b, 0, len(b.Pairs))
	a.finishWaiting(b)
	if x := a.spanned.inside; x != nil && x.lanes != nil {
		lost, waited = x.lanes.lost, x.lanes.waited
	}
	return lost, waited, nil
}
