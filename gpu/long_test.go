package gpu

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Pairs too long for other kernels with 16-bit offsets take those whose origins move, and those that
// overflow in these take kernels with 32-bit offsets: in both modes, also in bounding passes, and at
// penalties whose wavefronts are in no registers.
func TestLongOnFake(t *testing.T) {
	coarse := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, tc := range []struct {
		name              string
		penalties         align.Penalties
		approx            *align.Approx
		first, overflowed string // names of kernels begin so
	}{
		{"exact", align.DefaultPenalties, nil, "wfa_long_", "wfa_tiles_"},
		{"bounding", align.DefaultPenalties, nil, "wfa_adaptive_long_", "wfa_adaptive_block_"},
		{"automatic", align.DefaultPenalties, &align.Approx{}, "wfa_adaptive_long_", "wfa_adaptive_block_"},
		{"band", align.DefaultPenalties, &align.Approx{Band: 300, Lambda: 20}, "wfa_adaptive_long_2_3_1_5_", "wfa_adaptive_block_"},
		{"wide", align.DefaultPenalties, &align.Approx{Band: 500, Lambda: 20}, "wfa_adaptive_long_2_3_1_9_", "wfa_adaptive_block_"},
		{"bounding", coarse, nil, "wfa_adaptive_rings_", "wfa_adaptive_block_"},
		{"bounding", align.EditPenalties, nil, "wfa_adaptive_rings_", "wfa_adaptive_block_"},
		{"automatic", coarse, &align.Approx{}, "wfa_adaptive_rings_", "wfa_adaptive_block_"},
		{"automatic", align.EditPenalties, &align.Approx{}, "wfa_adaptive_rings_", "wfa_adaptive_block_"},
		{"narrow", align.EditPenalties, &align.Approx{Band: 60, Lambda: 20}, "wfa_adaptive_rings_1_", "wfa_adaptive_block_"},
		{"band", coarse, &align.Approx{Band: 300, Lambda: 20}, "wfa_adaptive_rings_5_", "wfa_adaptive_block_"},
		{"wide", coarse, &align.Approx{Band: 500, Lambda: 20}, "wfa_adaptive_rings_9_", "wfa_adaptive_block_"},
	} {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v score=%v", tc.name, tc.penalties, scoreOnly), func(t *testing.T) {
				b := &align.Batch{}
				for i, length := range []int{33_000, 33_005, 40_000, 50_005} { // the second and the last overflow
					b.Pairs = append(b.Pairs, simulated(t, 2, simulate.Options{
						Length: length, ErrorRate: 0.02, Model: simulate.Substitution, Seed: uint64(i),
					}).Pairs...)
				}
				o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: tc.approx}
				opts := Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: tc.approx}
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

// Pairs that overflow, with a gap where they could be cut, are cut if they leave their band, and not
// otherwise: as those of a kernel in which none overflows.
func TestOverflowIsNoReasonToCut(t *testing.T) {
	for p, length := range map[align.Penalties]int{
		align.DefaultPenalties: 36_000, {Mismatch: 6, GapOpen: 5, GapExtend: 3}: 2500,
	} {
		o := align.Options{Penalties: p, ScoreOnly: true, Approx: &align.Approx{}}
		b := simulated(t, 2+20_000/length, simulate.Options{Length: length, ErrorRate: 0.02, Seed: 3})
		for i := range b.Pairs {
			text := b.Pairs[i].Text
			text = slices.Concat(text[:length/2], text[length/2+30:])
			b.Pairs[i].Text = text[:len(text)-(len(text)+3)%8] // they overflow
		}
		pieces := map[string]int64{}
		for _, families := range []string{wavefrontFamilies, blockFamilies} {
			g := newFakeGPU(t, 4000)
			e := openOnFake(t, g, Options{Penalties: p, ScoreOnly: true, Approx: o.Approx, MaxError: ErrorBound{Fraction: 5}, families: families})
			s := asInBands(t, withCPU(t, e, o), o, b)
			pieces[families] = s.Kernels["pieces"]
			if g.launched("wfa_adaptive_block_") == 0 {
				t.Errorf("%v: no pair overflows: %v", p, g.counts)
			}
		}
		if got, want := pieces[wavefrontFamilies], pieces[blockFamilies]; got != want || int(want) == len(b.Pairs) {
			t.Errorf("%v: %d of %d pairs are cut, %d where none overflows", p, got, len(b.Pairs), want)
		}
	}
}
