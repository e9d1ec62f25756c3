package kernel

import (
	"math"
	"testing"

	"wfagpu/align"
)

// TestOutsideCosts: missing seeds are counted where they cost more than indels.
func TestOutsideCosts(t *testing.T) {
	for _, c := range []struct {
		p       align.Penalties
		longest int
		seeds   bool
		letter  float64
	}{
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, 10_000, false, 0.5},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 10_000, false, 1.5},
		{align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 2}, 10_000, false, 0.75},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 10_000, true, 16 / 8.4},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 1<<16 + 1, false, 1},
		{align.Penalties{Mismatch: 9, GapOpen: 13, GapExtend: 1}, 1 << 16, true, 7.5 / 8.4},
	} {
		if got, want := outsideCostsOf(c.p, c.longest), (outsideCosts{c.seeds, c.letter}); got.seeds != want.seeds || math.Abs(got.letter-want.letter) > 1e-9 {
			t.Errorf("%v, %d letters: %v, want %v", c.p, c.longest, got, want)
		}
	}
}
