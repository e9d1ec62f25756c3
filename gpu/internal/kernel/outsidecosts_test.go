package kernel

import (
	"math"
	"testing"

	"wfagpu/align"
)

// TestOutsideCosts: missing seeds are counted where they cost more than indels, and affine gaps where scores are high and these cost
// more than either.
func TestOutsideCosts(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	for _, c := range []struct {
		p       align.Penalties
		longest int
		want    outsideCosts
	}{
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, 10_000, outsideCosts{false, 0.5, 0.8}},
		{align.Penalties{Mismatch: 2, GapOpen: 1, GapExtend: 1}, 10_000, outsideCosts{false, 0.5, 0}},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 10_000, outsideCosts{false, 1.5, 2.4}},
		{align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 2}, 10_000, outsideCosts{false, 0.75, 0}},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 10_000, outsideCosts{true, 1.92, 0}},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 1<<16 + 1, outsideCosts{false, 1, 1.6}},
		{align.Penalties{Mismatch: 9, GapOpen: 13, GapExtend: 1}, 1 << 16, outsideCosts{true, 0.9, 0}},
	} {
		got := outsideCostsOf(c.p, c.longest)
		if got.seeds != c.want.seeds || !near(got.letter, c.want.letter) || !near(got.affine, c.want.affine) {
			t.Errorf("%v, %d letters: %v, want %v", c.p, c.longest, got, c.want)
		}
		const letters = 10_000
		usual := int(letters * got.letter)
		if got.takesAffine(affineFirst, usual, letters) || got.takesAffine(affineFirst, usual+1, letters) != (c.want.affine > 0) {
			t.Errorf("%v, %d letters: affine gaps do not begin at a score of %d", c.p, c.longest, usual)
		}
	}
}

// TestUsualSlackOfAffineGaps: scores that indels outside certify in wide bands alone, or in none, have no more slack than by affine gaps.
func TestUsualSlackOfAffineGaps(t *testing.T) {
	const letters = 10_000
	with, without := align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, align.Penalties{Mismatch: 2, GapOpen: 1, GapExtend: 1}
	for score := 100; score < 7000; score += 100 {
		a, b := UsualSlack(with, false, score, letters), UsualSlack(without, false, score, letters)
		if score < 3000 && a != b+4 && a < 75 || score > 4500 && 2*a > b {
			t.Errorf("score %d: slack %d with affine gaps, %d without", score, a, b)
		}
		// Within texts affine gaps are taken alone, for scores that indels do not certify in any band.
		in, other := UsualSlack(with, true, score, letters), UsualSlack(without, true, score, letters)
		none := int(unknownWithin * float64(score))
		if score <= 5000 && in != min(other+2, none) || score > 5000 && score <= 6000 && in > 180 || score >= 5000 && other != none {
			t.Errorf("score %d: slack %d within a text, %d without", score, in, other)
		}
	}
}
