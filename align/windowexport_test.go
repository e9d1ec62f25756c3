package align

// AlignWaiting aligns the pairs of b as an engine of one thread does, and returns how many of those that
// waited in lanes have joined a bundle.
func AlignWaiting(o Options, b *Batch) (joined int, err error) {
	if o, err = o.withDefaults(); err != nil {
		return 0, err
	}
	a, err := NewAligner(o)
	if err != nil {
		return 0, err
	}
	x := a.spanned
	a.alignRange(b, 0, len(b.Pairs))
	if x.inside != nil && x.inside.lanes != nil {
		a.finishLanes(b, x.inside)
	}
	if q := x.choice.bundle; q != nil {
		for i := range q.used {
			if q.waiting[i].known.found() {
				joined++
			}
		}
	}
	a.finishWaiting(b)
	return joined, nil
}
