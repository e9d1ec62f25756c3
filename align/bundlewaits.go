package align

import "wfagpu/cigar"

// finishBundle aligns the pairs of b that wait in q, each alone where that is quicker.
func (a *Aligner) finishBundle(b *Batch, q *bundle) {
	if stopped(a.stop) {
		q.used = 0
	}
	if a.exact != nil {
		defer func(waits bool) { a.exact.waits = waits }(a.exact.waits)
		a.exact.waits = false
	}
	q.each(
		func(m *bundleMember) cigar.CIGAR { return b.Results[m.index].CIGAR[:0] },
		func(m *bundleMember, r spanResult, ok bool, err error) {
			out, p := &b.Results[m.index], &b.Pairs[m.index]
			cost, c, letters := r.cost, r.cigar, m.pattern.n+m.text.n
			switch {
			case ok:
				a.stats.Banded++
				out.Place = a.fromBundle(m, &r)
			case err == nil:
				if err = a.load(p.Pattern, p.Text); err == nil {
					cost, c, err = a.alignAlone(out.CIGAR[:0])
				}
				out.Place = a.Place()
			}
			out.Score, out.CIGAR, out.Err = a.result(cost, c, err, letters)
		},
	)
}

// alignAlone aligns a pair of a bundle that has been loaded.
func (a *Aligner) alignAlone(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if a.spanned != nil {
		a.stats.Banded++ // none waits in approximate mode
		return a.spanned.align(dst, &a.pattern, &a.text)
	}
	return a.align(dst)
}

// fromBundle notes the result of a pair and returns its place.
func (a *Aligner) fromBundle(m *bundleMember, r *spanResult) Place {
	whole := Place{PatternEnd: m.pattern.n, TextEnd: m.text.n}
	s := a.spanned
	if s == nil {
		a.exact.costs.observe(min(r.cost, a.limit), m.pattern.n, m.text.n)
		return whole
	}
	s.choice.observe(&s.model, r.cost, m.pattern.n, m.text.n)
	if s.inside != nil {
		s.inside.observe(r.cost, m.pattern.n, m.text.n)
	}
	switch {
	case r.cost > s.limit:
		return Place{}
	case s.model.Span == Global:
		return whole
	}
	return r.place
}
