package gpu

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/estimate"
)

// TestEmulatedSlack: pairs take narrower bands once the slack of such pairs is known. Among them
// are some with gaps out of the band and back, whose slack is most of their scores; they go on with
// wider bands. All have the alignments of the CPU.
func TestEmulatedSlack(t *testing.T) {
	const length = 420
	pairs := simulated(t, 150, simulate.Options{Length: length, ErrorRate: 0.07, Seed: 4}).Pairs
	for i := range 12 {
		p := pairs[12*i]
		gap := simulated(t, 1, simulate.Options{Length: 25 + 5*i, Seed: uint64(i)}).Pairs[0].Text
		p.Pattern = slices.Concat(p.Pattern[:100], gap, p.Pattern[100:300-len(gap)], p.Pattern[300:])
		pairs[12*i] = p
	}
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 4, GapOpen: 4, GapExtend: 1}} {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/score=%v", p, scoreOnly), func(t *testing.T) {
				t.Parallel()
				e := openEmulated(t, Options{Penalties: p, ScoreOnly: scoreOnly, families: gotohFamilies})
				class := estimate.LengthClass(length)
				// work is that of the kernel that pairs take with a rate.
				work := func(r estimate.Rate) float64 {
					k := e.policy.Kernels.Exact(length, length, r.Likely(int(r.Bound*length), length), nil)
					return e.policy.Kernels.Kernels[k].Work(length, length, 0, 0)
				}
				for range 3 {
					b := &align.Batch{Pairs: pairs}
					mustAlignAll(t, e, b)
					if n := wantAlignedAsOnCPU(t, align.Options{Penalties: p, ScoreOnly: scoreOnly}, b); n != len(b.Pairs) {
						t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
					}
				}
				r := e.estimate.Rates()[class]
				known := 0
				for rate, s := range r.SlackShares {
					if e.estimate.Told(class, rate) {
						known++
						if s.Usual >= 0.75 || s.Most < s.Usual {
							t.Errorf("shares of slack %+v", s)
						}
					}
				}
				if known == 0 {
					t.Error("no shares of slack are known")
				}
				plain := r
				for rate := range plain.SlackShares {
					plain.SlackShares[rate].Usual = 1
				}
				if work(r) > 0.9*work(plain) {
					t.Errorf("work of %v with seeds, %v without", work(r), work(plain))
				}
				if e.Stats().SecondPass == 0 {
					t.Errorf("no pair takes another pass: %+v", e.Stats())
				}
			})
		}
	}
}
