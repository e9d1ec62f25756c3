package align

import "wfagpu/cigar"

// wait lets pairs wait for others from now on, or no longer.
func (a *spanned) wait(on bool) {
	on = on && a.approx == nil
	a.choice.queue = nil
	if on {
		a.choice.queue = a.choice.bundle
	}
	if a.inside != nil {
		a.inside.queue, a.inside.bundle = nil, a.choice.queue
		if on {
			a.inside.queue = a.inside.lanes
		}
	}
}

// waits notes the index of the pair that has begun to wait, and reports whether those that wait as it
// does are to be aligned now.
func (a *spanned) waits(index int) bool {
	if b := a.choice.bundle; b.note(index) {
		return b.full()
	}
	q := a.inside.queue
	q.note(index)
	return q.full()
}

// finishWaiting aligns the pairs of b that wait, each alone where that is quicker.
func (a *Aligner) finishWaiting(b *Batch) {
	if a.exact != nil {
		a.finishExactLanes(b, true)
		if q := a.exact.bundle; q != nil {
			a.finishBundle(b, q)
		}
		return
	}
	a.finishSpanned(b, true)
}

// finishFull aligns the pairs of b that wait where no more may, each alone where that is quicker.
func (a *Aligner) finishFull(b *Batch) {
	a.finishSpanned(b, false)
	a.spanned.wait(true)
}

// finishSpanned aligns the pairs of b that wait, all or those where no more may. None waits meanwhile.
func (a *Aligner) finishSpanned(b *Batch, all bool) {
	a.spanned.wait(false)
	if x := a.spanned.inside; x != nil && x.lanes != nil && (all || x.lanes.full()) {
		a.finishLanes(b, x, all)
	}
	if q := a.spanned.choice.bundle; q != nil && (all || q.full()) {
		a.finishBundle(b, q)
	}
}

// finishLanes aligns the pairs of b that wait in lanes, all or as many as fill vectors.
func (a *Aligner) finishLanes(b *Batch, x *insideMethod, all bool) {
	q := x.lanes
	if stopped(a.stop) {
		q.drop()
	}
	q.each(all,
		func(m *laneMember) cigar.CIGAR { return b.Results[m.index].CIGAR[:0] },
		func(m *laneMember, r spanResult, ok bool) {
			out := &b.Results[m.index]
			cost, c, err := r.cost, r.cigar, error(nil)
			a.spanned.place = r.place
			switch {
			case m.onAll:
				x.allTrials.record(m.size, ok)
			case !m.known:
				x.trials.record(m.size, ok)
			}
			if !ok && a.joinBundle(b, m) {
				return
			}
			a.stats.Banded++ // none waits in approximate mode
			if ok {
				x.observe(cost, m.pattern.n, m.text.n)
				a.spanned.choice.rate.observe(cost, m.pattern.n)
				if !m.onAll {
					x.seeds.rate.observe(m.cost, m.seeds.missing)
				}
				if cost > a.spanned.limit {
					err, a.spanned.place = errBeyond, Place{}
				}
			} else {
				p := &b.Pairs[m.index]
				if err = a.load(p.Pattern, p.Text); err == nil {
					cost, c, err = a.spanned.align(out.CIGAR[:0], &a.pattern, &a.text)
				}
			}
			out.Score, out.CIGAR, out.Err = a.result(cost, c, err, m.pattern.n+m.text.n)
			out.Place = a.spanned.place
		},
	)
}

// joinBundle lets a pair that has waited in lanes wait to be aligned by its whole matrix if that is
// quicker than alone.
func (a *Aligner) joinBundle(b *Batch, m *laneMember) bool {
	x := a.spanned.choice
	q := x.bundle
	if q == nil || !q.takes(m.pattern.n, m.text.n) {
		return false
	}
	x.waves.guess = x.rate.expected(m.pattern.n)
	if q.cost(m.pattern.n, m.text.n) >= sweepShare*x.sweeps(&a.spanned.model, m.pattern.n, m.text.n) {
		return false
	}
	if q.full() {
		a.finishBundle(b, q)
	}
	q.add(&m.pattern, &m.text)
	return q.note(m.index)
}
