package gpu

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Pairs too long for other kernels with 16-bit offsets take those whose origins move, and those that
// overflow in these take kernels with 32-bit offsets: in both modes, also in bounding passes.
func TestLongOnFake(t *testing.T) {
	for _, tc := range []struct {
		name              string
		approx            *align.Approx
		first, overflowed string // names of kernels begin so
	}{
		{"exact", nil, "wfa_long_", "wfa_tiles_"},
		{"bounding", nil, "wfa_adaptive_long_", "wfa_adaptive_block_"},
		{"automatic", &align.Approx{}, "wfa_adaptive_long_", "wfa_adaptive_block_"},
		{"band", &align.Approx{Band: 300, Lambda: 20}, "wfa_adaptive_long_2_3_1_5_", "wfa_adaptive_block_"},
		{"wide", &align.Approx{Band: 500, Lambda: 20}, "wfa_adaptive_long_2_3_1_9_", "wfa_adaptive_block_"},
	} {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s score=%v", tc.name, scoreOnly), func(t *testing.T) {
				b := &align.Batch{}
				for i, length := range []int{33_000, 33_005, 40_000, 50_005} { // the second and the last overflow
					b.Pairs = append(b.Pairs, simulated(t, 2, simulate.Options{
						Length: length, ErrorRate: 0.02, Model: simulate.Substitution, Seed: uint64(i),
					}).Pairs...)
				}
				o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: tc.approx}
				opts := Options{ScoreOnly: scoreOnly, Approx: tc.approx}
				if tc.name == "exact" {
					opts.MaxError.Score = 3000
				}
				g := newFakeGPU(t, 16_000)
				e := openOnFake(t, g, opts)
				mustAlignAll(t, e, b)
				wantAsOnCPU(t, o, b)
				for _, name := range []string{tc.first, tc.overflowed} {
					if g.launched(name) == 0 {
						t.Errorf("no kernel %s… was launched: %v", name, g.counts)
					}
				}
				wantStats(t, e, len(b.Pairs))
			})
		}
	}
}
