package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
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
			r[i] = estimate.Rate{Bound: 0.2, Again: 0.4, PerSeed: 20, Spare: 20, Known: true}
			for rate := range r[i].SlackShares {
				r[i].SlackShares[rate].Usual, r[i].SlackShares[rate].Most = 0.5, 0.7
			}
		}
		length, score := tc.length, 27*tc.length/10
		k := passes.Task{Pattern: int32(length), Text: int32(length + 100), Class: uint8(estimate.LengthClass(length + 100))}
		err := p.FirstWithin(&k, false, 0, &r, nil)
		for n := 0; err == nil && !spanned(p, &k); n++ {
			if n == 6 {
				t.Fatalf("%d letters, limit %d: %+v after %d passes", length, tc.limit, k, n)
			}
			if int(k.Kernel) == p.Kernels.Probe {
				if err = p.Probed(&k, kernel.Probed{Seeds: int32(length / 10), Apart: 50}, &r, nil); err != nil {
					break
				}
				continue
			}
			upper := kernel.Bound{}
			if p.Kernels.Seeded(int(k.Kernel)) { // without a broken seed
				upper.Score = score
				if !p.Kernels.Kernels[k.Kernel].Takes(length, length+100, int(k.Bound)) {
					upper.Slack = score
				}
			}
			_, err = p.Next(&k, 0, upper, &r, nil)
		}
		if err != nil && err != passes.ErrBeyond {
			t.Errorf("%d letters, limit %d: %v", length, tc.limit, err)
		}
	}
}

// spanned reports whether a task has a pass over the whole matrix.
func spanned(p *passes.Policy, t *passes.Task) bool { return family(p, t) == "span" }

// A pair whose score a band has not certified goes on with a band that certifies it, also if the
// score is within its bound or the limit.
func TestSlackOfNextPass(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, limit := range []int{0, 3000} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, Cutoff: limit, families: gotohFamilies})
		policy, r, bounds := &e.policy, e.estimate.Rates(), *e.scheduler.maxBounds.Load()
		first := passes.Task{Pattern: 10_000, Text: 10_000, Class: 13}
		likely := *r
		likely[13].SlackShares[estimate.SlackRate(2900, 10_000)].Most = 400. / 2900
		policy.Bounded(&first, 2900, &likely, bounds)
		narrow := policy.Kernels.Certified(int(first.Kernel), 10_000, 10_000)
		next := first
		_, err := policy.Next(&next, 0, kernel.Bound{Score: 2800, Slack: 1500}, r, bounds)
		if certified := policy.Kernels.Certified(int(next.Kernel), 10_000, 10_000); err != nil || certified < 1500 || narrow >= 1500 || next.Bound != 2800 || next.Attempts != passes.Exceeded {
			t.Errorf("limit %d: %v, %+v certifies a slack of %d, after %d", limit, err, next, certified, narrow)
		}
	}
}
