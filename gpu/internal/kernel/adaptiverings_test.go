package kernel

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// ringsOf returns the words of the kernel of the adaptive-rings family that takes a band at some penalties,
// 0 if none does: the narrowest one in which four diagonals and more stay free. Four blocks have their
// rings in shared memory.
func ringsOf(p align.Penalties, band align.AdaptiveBand) int {
	for _, words := range []int{1, 2, 5, 9} {
		if band.Band > 64*words-4 {
			continue
		}
		if ring := 128 * words * (max(p.Mismatch, p.GapOpen) + 2*p.GapExtend); band.Lambda > abi.MaxLambda || 4*ring > 227<<10 {
			return 0
		}
		return words
	}
	return 0
}

// wantedRings are the words of the kernels of the adaptive-rings family that a configuration needs, by form.
func wantedRings(c Config) map[string]map[int]bool {
	want := map[string]map[int]bool{"_rows": {}, "_score": {}}
	if c.Penalties == (align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}) {
		return want
	}
	form := map[bool]string{false: "_rows", true: "_score"}[c.ScoreOnly]
	for _, band := range c.Bands {
		want[form][ringsOf(c.Penalties, band)] = true
	}
	for _, band := range c.Bounds {
		want["_score"][ringsOf(c.Penalties, band)] = true
	}
	delete(want["_rows"], 0)
	delete(want["_score"], 0)
	return want
}

// Kernels whose rings do not fit are not needed.
func TestLoadNeedsItsRings(t *testing.T) {
	for p, most := range map[align.Penalties]int{align.EditPenalties: 9, widePenalties: 5, vastPenalties: 0} {
		for _, scoreOnly := range []bool{false, true} {
			c := Config{Penalties: p, ScoreOnly: scoreOnly, Bands: everyBand(p), Families: []string{"adaptive_rings"}}
			want, widest := map[string]bool{}, 0
			for form, rings := range wantedRings(c) {
				for words := range rings {
					want[fmt.Sprintf("wfa_adaptive_rings_%d_Packed%s", words, form)] = true
					widest = max(widest, words)
				}
			}
			want["wfa_adaptive_long_trace"] = !scoreOnly && len(want) > 0
			if widest != most {
				t.Errorf("%v: kernels of up to %d words, want %d", p, widest, most)
			}
			wantNeeded(t, c, want, map[string]bool{})
		}
	}
}

// At penalties that have no kernels in registers, Adaptive chooses the narrowest kernel with rings for a band,
// unless they are too large.
func TestAdaptiveRings(t *testing.T) {
	coarse := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, tc := range []struct {
		penalties    align.Penalties
		band, lambda int
		want         string
	}{
		{align.EditPenalties, 8, 1, "adaptive_rings 1_Packed"}, {align.EditPenalties, 60, 50, "adaptive_rings 1_Packed"},
		{align.EditPenalties, 61, 50, "adaptive_rings 2_Packed"}, {coarse, 60, 50, "adaptive_rings 1_Packed"},
		{coarse, 61, 50, "adaptive_rings 2_Packed"}, {coarse, 124, abi.MaxLambda, "adaptive_rings 2_Packed"},
		{coarse, 125, 50, "adaptive_rings 5_Packed"}, {coarse, 316, 50, "adaptive_rings 5_Packed"},
		{coarse, 317, 50, "adaptive_rings 9_Packed"}, {coarse, 572, 50, "adaptive_rings 9_Packed"},
		{coarse, 573, 50, "adaptive_block"}, {coarse, 60, abi.MaxLambda + 1, "adaptive_block"},
		{widePenalties, 124, 50, "adaptive_rings 2_Packed"}, {widePenalties, 316, 50, "adaptive_rings 5_Packed"},
		{widePenalties, 317, 50, "adaptive_block"}, {vastPenalties, 8, 1, "adaptive_block"},
		{align.Penalties{Mismatch: 254, GapOpen: 9, GapExtend: 100}, 60, 50, "adaptive_rings 1_Packed"}, // 454 rows
		{align.Penalties{Mismatch: 255, GapOpen: 9, GapExtend: 100}, 60, 50, "adaptive_block"},
		{align.Penalties{Mismatch: 9, GapOpen: 254, GapExtend: 100}, 60, 50, "adaptive_rings 1_Packed"},
		{align.Penalties{Mismatch: 9, GapOpen: 255, GapExtend: 100}, 60, 50, "adaptive_block"},
		{registerPenalties[0], 60, 50, "adaptive_warp 1_16"},
	} {
		band := align.AdaptiveBand{Band: tc.band, Lambda: tc.lambda, MaxDrift: 5}
		bands := []align.AdaptiveBand{wideBand, band}
		for _, c := range []Config{{Bands: bands}, {Bounds: bands}, {Bands: bands, Bounds: bands}, {Bounds: bands, Bands: bands[:1]}} {
			c.Penalties = tc.penalties
			set := mustLoad(t, newImage(), c)
			adaptive := set.Adaptive
			if len(c.Bands) < len(bands) {
				adaptive = set.Bounds
			}
			for _, lengths := range [][2]int{{100, 50}, {50, 100}, {1000, 1000}, {500_000, 400_000}} {
				if tc.penalties == registerPenalties[0] && lengths[0] >= 1000 {
					continue // TestAdaptive
				}
				got := set.Kernels[adaptive(band, lengths[0], lengths[1])]
				if name(got) != tc.want || got.Band() != band {
					t.Errorf("%v, %+v, lengths %v: %s with %+v, want %s", tc.penalties, band, lengths, name(got), got.Band(), tc.want)
				}
				k := adaptive(band, lengths[0], lengths[1])
				at := set.Wide(k, lengths[0], lengths[1], 10, nil)
				if wide := set.Kernels[at]; name(wide) != "adaptive_block" || wide.Band() != band || (k < set.Bounding) != (at < set.Bounding) {
					t.Errorf("%v, %+v: %s with %+v for pairs that overflow", tc.penalties, band, name(wide), wide.Band())
				}
			}
			if of := set.Kernels[adaptive(band, 1<<30, 1)]; tc.penalties != registerPenalties[0] && name(of) != "adaptive_block" {
				t.Errorf("%v, %+v: %s for addresses that it lacks", tc.penalties, band, name(of))
			}
		}
	}
}

// A block has the rings of a pair in shared memory, and no rows with scores alone. Origins double what is
// ahead of the rows. Four blocks and more are on an SM.
func TestAdaptiveRingsPlan(t *testing.T) {
	for _, tc := range []struct {
		penalties    align.Penalties
		band, shared int
		perTask      int // for a score bound of 1000, in words
	}{
		{align.EditPenalties, 60, 128 * 3, 32*1005 + 64},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 61, 256 * 18, 64*1005 + 64},
		{align.Penalties{Mismatch: 12, GapOpen: 10, GapExtend: 3}, 300, 640 * 18, 160*1005 + 64},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 572, 1152 * 18, 288*1005 + 64},
		{widePenalties, 316, 640 * 74, 160*1005 + 64},
	} {
		band := align.AdaptiveBand{Band: tc.band, Lambda: 50, MaxDrift: 10}
		for _, scoreOnly := range []bool{false, true} {
			set := mustLoad(t, newImage(), Config{Penalties: tc.penalties, ScoreOnly: scoreOnly, Bands: []align.AdaptiveBand{band}})
			k := set.Kernels[set.Adaptive(band, 300, 300)]
			want := Plan{PerTask: 4 * tc.perTask, threads: 32, pairs: 1, shared: tc.shared}
			if scoreOnly {
				want.PerTask = 0
			}
			p, ok, err := k.Plan(Group{Count: 1000, Bound: 1000, Text: 300, Pattern: 300}, 16<<20)
			if want.blocks = p.blocks; err != nil || !ok || p != want || k.Family().Name != "adaptive_rings" {
				t.Errorf("%v, %d diagonals: %s: %+v, %v, %v, want %+v", tc.penalties, tc.band, name(k), p, ok, err, want)
			}
			if p.Wave() < 4*132 {
				t.Errorf("%v, %d diagonals: %d blocks", tc.penalties, tc.band, p.Wave())
			}
		}
	}
}
