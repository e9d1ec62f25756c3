package kernel

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
)

// name describes a kernel of a Set.
func name(k Kernel) string {
	switch k := k.(type) {
	case *registers:
		return k.family.Name + " " + k.shape.name
	case *long:
		return k.family.Name + " " + k.shape.name
	case *adaptiveWarp:
		return k.family.Name + " " + k.shape.name
	case *adaptiveLong:
		return k.family.Name + " " + k.shape.name
	case *adaptiveRings:
		return k.family.Name + " " + k.shape.name
	case *gotoh:
		s := gotohShape{lanes: k.lanes, columns: k.columns}
		if k.lanes > 32 { // several warps
			s.lanes = 0
		}
		return fmt.Sprintf("gotoh %s %d", s.name(), k.lanes)
	case *edit:
		return fmt.Sprintf("edit %s %d", k.shape.name(), k.lanes)
	case *tiles:
		if k.inShared {
			return "tiles shared"
		}
		return "tiles global"
	}
	return k.Family().Name
}

// wavefrontFamilies are all but the gotoh family.
var wavefrontFamilies = []string{"warp", "block", "long", "tiles", "general", "adaptive_warp", "adaptive_block"}

// unlimited are bounds that memory sets no limit to.
func unlimited(s *Set) []int { return slices.Repeat([]int{MaxBound}, len(s.Kernels)) }

// Exact chooses the first kernel that certifies the bound and has memory for it, with packed tables
// where scores are low for the length.
func TestExact(t *testing.T) {
	set := mustLoad(t, newImage(), Config{Penalties: registerPenalties[0], Bands: []align.AdaptiveBand{narrowBand}, Families: wavefrontFamilies})
	for _, tc := range []struct {
		pattern, text, bound int
		want                 string
	}{
		{100, 100, 0, "warp 8x1_16"},
		{100, 100, 21, "warp 8x1_16"}, {100, 100, 22, "warp 8x2_16"},
		{100, 107, 14, "warp 8x1_16"}, {100, 109, 10, "warp 8x2_16"},
		{107, 100, 14, "warp 8x1_16"}, {108, 100, 10, "warp 8x2_16"},
		{500, 500, 69, "warp 8x4_16"}, {2000, 2000, 69, "warp 32x2_Packed"},
		{4000, 4000, 69, "warp 32x2_Packed"}, {4000, 4000, 240, "warp 32x4_Packed"},
		{1000, 1000, 280, "block 2x3x1_8"}, {1500, 1500, 390, "block 4x3x1_8"}, {4000, 4000, 280, "block 2x3x1_Packed"},
		{10_000, 10_000, 1700, "block 7x2x2_8"}, {15_000, 15_000, 800, "block 7x2x2_Packed"},
		{20_000, 20_000, 389, "block 2x3x1_Packed"}, {20_000, 20_000, 390, "block 4x3x1_Packed"},
		{15_000, 15_000, 12_293, "block 16x4x3_8"}, {15_000, 15_000, 12_294, "long 16x4x4_Packed"},
		{15_000, 15_000, 16_389, "long 16x4x4_Packed"}, {15_000, 15_000, 16_390, "tiles shared"},
		{31_990, 31_990, 10, "warp 32x2_Packed"}, {31_990, 31_990, 11, "long 7x2x2_Packed"},
		{9, 40_000, 5, "tiles shared"}, {100_000, 100_000, 5, "long 7x2x2_Packed"}, {100_000, 100_000, 2000, "long 8x3x2_Packed"},
		{100_000, 100_000, 4000, "long 8x4x2_Packed"}, {100_000, 100_000, 5000, "long 10x4x2_Packed"}, {100_000, 100_000, 6149, "long 8x4x3_Packed"},
		{100_000, 100_000, 10_245, "long 20x4x2_Packed"}, {100_000, 100_000, 10_246, "long 16x4x3_Packed"},
		{100_000, 100_000, 12_293, "long 16x4x3_Packed"}, {100_000, 100_000, 16_389, "long 16x4x4_Packed"}, {100_000, 100_000, 16_390, "tiles shared"},
		{150_000, 150_000, 1500, "long 7x2x2_Packed"}, {460_000, 460_000, 1500, "tiles global"}, {110_000, 110_000, 16_390, "tiles global"},
		{1_000_000, 1_000_000, cigarCapacity - 2, "tiles global"}, {1_000_000, 1_000_000, cigarCapacity, "general"},
	} {
		got := set.Kernels[set.Exact(tc.pattern, tc.text, Plain(tc.bound), unlimited(set))]
		if name(got) != tc.want {
			t.Errorf("%d and %d letters, score up to %d: %s, want %s", tc.pattern, tc.text, tc.bound, name(got), tc.want)
		}
	}
	maxBounds := unlimited(set)
	first := set.Exact(100, 100, Plain(20), maxBounds)
	maxBounds[first] = 19
	if got := name(set.Kernels[set.Exact(100, 100, Plain(20), maxBounds)]); got != "warp 8x2_16" {
		t.Errorf("without memory in the first kernel: %s", got)
	}
	for i, k := range set.Kernels {
		if k.Family().Name == "tiles" {
			maxBounds[i] = 16_389
		}
	}
	if got := name(set.Kernels[set.Exact(15_000, 15_000, Plain(16_390), maxBounds)]); got != "general" {
		t.Errorf("without memory in the tiles kernels: %s", got)
	}
	other := mustLoad(t, newImage(), Config{Penalties: align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, Families: wavefrontFamilies})
	if got := name(other.Kernels[other.Exact(100, 100, Plain(1), unlimited(other))]); got != "general" || len(other.Kernels) != 1 {
		t.Errorf("penalties without kernels in registers: %s of %d kernels", got, len(other.Kernels))
	}
}

// Adaptive chooses the narrowest kernel for a band.
func TestAdaptive(t *testing.T) {
	for _, tc := range []struct {
		band, lambda, length int
		want                 string
	}{
		{8, 1, 100, "adaptive_warp 1_16"}, {60, 50, 2047, "adaptive_warp 1_16"}, {60, 50, 2048, "adaptive_warp 1_Packed"},
		{61, 50, 100, "adaptive_warp 1_16"}, {62, 50, 100, "adaptive_warp 2_16"}, {62, 50, 5000, "adaptive_warp 2_Packed"},
		{126, 50, 100, "adaptive_warp 3_Packed"}, {1085, 8192, 100, "adaptive_warp 17_Packed"},
		{1086, 50, 100, "adaptive_block"}, {64, 8193, 100, "adaptive_block"}, {64, 8193, 32_001, "adaptive_block"}, {64, 50, 32_001, "adaptive_long 2_Packed"},
		{317, 50, 32_001, "adaptive_long 5_Packed"}, {573, 50, 500_000, "adaptive_long 9_Packed"}, {574, 50, 32_001, "adaptive_block"},
	} {
		band := align.AdaptiveBand{Band: tc.band, Lambda: tc.lambda, MaxDrift: 5}
		set := mustLoad(t, newImage(), Config{Penalties: registerPenalties[0], Bands: []align.AdaptiveBand{wideBand, band}})
		for _, lengths := range [][2]int{{tc.length, 50}, {50, tc.length}} {
			if got := set.Kernels[set.Adaptive(band, lengths[0], lengths[1])]; name(got) != tc.want || got.Band() != band {
				t.Errorf("%+v, lengths %v: %s with %+v, want %s", band, lengths, name(got), got.Band(), tc.want)
			}
		}
	}
}

// Bounds chooses the narrowest kernel for a band, which stores nothing;
// Exact chooses none of these kernels.
func TestBounding(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		c := Config{Penalties: registerPenalties[0], ScoreOnly: scoreOnly, Bounds: []align.AdaptiveBand{narrowBand, wideBand}}
		set := mustLoad(t, newImage(), c)
		for _, tc := range []struct {
			band   align.AdaptiveBand
			length int
			want   string
		}{
			{narrowBand, 100, "adaptive_warp 1_16"}, {narrowBand, 5000, "adaptive_warp 1_Packed"},
			{narrowBand, 40_000, "adaptive_long 2_Packed"}, {wideBand, 100, "adaptive_block"},
		} {
			k := set.Kernels[set.Bounds(tc.band, tc.length, tc.length)]
			if name(k) != tc.want || k.Band() != tc.band {
				t.Errorf("%+v, %d letters: %s with %+v, want %s", tc.band, tc.length, name(k), k.Band(), tc.want)
			}
			p, ok, err := k.Plan(Group{Count: 100, Bound: 500, Text: tc.length, Pattern: tc.length}, 16<<20)
			if err != nil || !ok || p.PerTask != 0 || k.MaxBound(1) != MaxBound {
				t.Errorf("%s: %+v, %v, %v, bounds up to %d", name(k), p, ok, err, k.MaxBound(1))
			}
		}
		for length := 10; length < 1<<20; length *= 3 {
			for bound := 1; bound < 1<<20; bound *= 3 {
				if k := set.Kernels[set.Exact(length, length, Plain(bound), unlimited(set))]; k.Band() != (align.AdaptiveBand{}) {
					t.Errorf("%d letters, score up to %d: %s", length, bound, name(k))
				}
			}
		}
	}
	if set := mustLoad(t, newImage(), Config{Penalties: registerPenalties[0]}); set.Adaptive(narrowBand, 100, 100) >= 0 || set.Bounds(narrowBand, 100, 100) >= 0 {
		t.Error("a kernel for a band that the configuration lacks")
	}
}
