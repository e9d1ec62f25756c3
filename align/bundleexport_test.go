package align

import (
	"math"

	"wfagpu/cigar"
)

// AlignBundles aligns those pairs of b together that a bundle takes, whatever they cost; ok tells which
// ones. It is nil for models that bundles do not take. Options need no defaults but memory.
func AlignBundles(o Options, b *Batch) (ok []bool, err error) {
	if o, err = o.withDefaults(); err != nil {
		return nil, err
	}
	a, err := NewAligner(o)
	if err != nil {
		return nil, err
	}
	q := newBundle(a.kern, &a.model, o.ScoreOnly, o.Memory)
	if q == nil {
		return nil, nil
	}
	q.worth = math.Inf(1)
	ok = make([]bool, len(b.Pairs))
	finish := func() {
		q.each(
			func(m *bundleMember) cigar.CIGAR { return nil },
			func(m *bundleMember, r spanResult, done bool, failed error) {
				out := &b.Results[m.index]
				out.Score, out.CIGAR, out.Err = a.model.Score(r.cost, m.pattern.n+m.text.n), r.cigar, failed
				if a.model.Span != Global {
					out.Place = r.place
				}
				ok[m.index] = done
			},
		)
	}
	for i, p := range b.Pairs {
		if err := a.load(p.Pattern, p.Text); err != nil {
			return nil, err
		}
		if q.takes(a.pattern.n, a.text.n) {
			q.add(&a.pattern, &a.text)
			if q.note(i); q.full() {
				finish()
			}
		}
	}
	finish()
	return ok, nil
}
