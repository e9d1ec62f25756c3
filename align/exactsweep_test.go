package align_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// Pairs with scores beyond the bands' have the alignment that the rule asks for, or none beyond a cutoff, and
// no wavefronts compute their scores where the level has sweeps.
func TestScoresBeyondBands(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 255))
	var pairs []align.Pair
	for _, n := range []int{300, 420, 700} {
		for _, rate := range []float64{0.33, 0.5} {
			a := letters(r, "ACGT", n)
			pairs = append(pairs, align.Pair{Pattern: a, Text: edited(r, "ACGT", a, rate)})
		}
		pairs = append(pairs, align.Pair{Pattern: letters(r, "ACGT", n), Text: letters(r, "ACGT", n+n/5)})
	}
	for _, p := range []align.Penalties{{Mismatch: 250, GapOpen: 241, GapExtend: 99}, {Mismatch: 255, GapOpen: 0, GapExtend: 254}} {
		want := make([]int, len(pairs))
		optima := make([]cigar.CIGAR, len(pairs))
		beyond := 0
		for i, pair := range pairs {
			want[i], optima[i] = slowAlignment(pair.Pattern, pair.Text, p)
			if want[i] > 28_000 {
				beyond++
			}
		}
		if beyond < len(pairs)/2 {
			t.Fatalf("%v: %d of %d pairs have scores beyond the bands'", p, beyond, len(pairs))
		}
		for _, level := range align.Levels() {
			for _, o := range []align.Options{{}, {ScoreOnly: true}, {Cutoff: 40_000}, {Memory: 1 << 16}} {
				o.Penalties, o.Level, o.Threads = p, level, 1
				b := &align.Batch{Pairs: pairs}
				stats := mustAlign(t, o, b)
				for i, got := range b.Results {
					checkOptimum(t, fmt.Sprintf("pair %d, %+v", i, o), o, got, want[i], optima[i])
				}
				if level != align.LevelGo && stats.Banded < int64(beyond) && o.Cutoff == 0 && o.Memory == 0 {
					t.Errorf("%v, %+v: %+v, of which %d scores are beyond the bands'", p, o, stats, beyond)
				}
			}
		}
	}
}
