package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// With a limit, passes of a pattern within a text end, however far the score that a band finds is
// above the limit: the next band certifies the limit.
func TestSlackBeyondTheLimit(t *testing.T) {
	o := spanOptionsOf(endsFree(align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, Free: freeText})[0])
	for _, tc := range []struct{ length, limit int }{{10_000, 900}, {3000, 450}, {5000, 2000}, {1000, 300}} {
		o.Cutoff = tc.limit
		p := &openEmulated(t, o).policy
		var r estimate.Rates
		for i := range r {
			r[i] = estimate.Rate{Bound: 0.2, Again: 0.4, Known: true}
			for rate := range r[i].SlackShares {
				r[i].SlackShares[rate].Usual, r[i].SlackShares[rate].Most = 0.5, 0.7
			}
		}
		length, score := tc.length, 27*tc.length/10
		k := task{pattern: int32(length), text: int32(length + 100), class: uint8(estimate.LengthClass(length + 100))}
		err := p.firstWithin(&k, false, 0, &r, nil)
		for passes := 0; err == nil && !p.spanned(&k); passes++ {
			if passes == 6 {
				t.Fatalf("%d letters, limit %d: %+v after %d passes", length, tc.limit, k, passes)
			}
			upper := kernel.Bound{}
			if p.kernels.Seeded(int(k.kernel)) { // without a broken seed
				upper.Score = score
				if !p.kernels.Kernels[k.kernel].Takes(length, length+100, int(k.bound)) {
					upper.Slack = score
				}
			}
			_, err = p.next(&k, 0, upper, &r, nil)
		}
		if err != nil && err != errBeyond {
			t.Errorf("%d letters, limit %d: %v", length, tc.limit, err)
		}
	}
}

// spanned reports whether a task has a pass over the whole matrix.
func (p *policy) spanned(t *task) bool { return p.family(t) == "span" }

// A pair whose score a band has not certified goes on with a band that certifies it, also if the
// score is within its bound or the limit.
func TestSlackOfNextPass(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, limit := range []int{0, 3000} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, Cutoff: limit, families: gotohFamilies})
		policy, r, bounds := &e.policy, e.estimate.Rates(), *e.scheduler.maxBounds.Load()
		first := task{pattern: 10_000, text: 10_000, class: 13}
		likely := *r
		likely[13].SlackShares[estimate.SlackRate(2900, 10_000)].Most = 400. / 2900
		policy.bounded(&first, 2900, &likely, bounds)
		narrow := policy.kernels.Certified(int(first.kernel), 10_000, 10_000)
		next := first
		_, err := policy.next(&next, 0, kernel.Bound{Score: 2800, Slack: 1500}, r, bounds)
		if certified := policy.kernels.Certified(int(next.kernel), 10_000, 10_000); err != nil || certified < 1500 || narrow >= 1500 || next.bound != 2800 || next.attempts != exceeded {
			t.Errorf("limit %d: %v, %+v certifies a slack of %d, after %d", limit, err, next, certified, narrow)
		}
	}
}
