package align_test

import (
	"math/rand/v2"
	"testing"

	"wfagpu/align"
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
		text := make([]string, len(pairs))
		beyond := 0
		for i, pair := range pairs {
			s, c := slowAlignment(pair.Pattern, pair.Text, p)
			want[i], text[i] = s, c.String()
			if s > 28_000 {
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
					score, cigar := want[i], text[i]
					if o.Cutoff > 0 && score > o.Cutoff {
						score = align.Beyond
					}
					if o.ScoreOnly || score == align.Beyond {
						cigar = ""
					}
					if got.Err != nil || got.Score != score || len(got.CIGAR) > 0 && got.CIGAR.String() != cigar || len(got.CIGAR) == 0 && cigar != "" {
						t.Errorf("%v, pair %d, %+v: %d %s %v, want %d %s", p, i, o, got.Score, got.CIGAR, got.Err, score, cigar)
					}
				}
				if level != align.LevelGo && stats.Banded < int64(beyond) && o.Cutoff == 0 && o.Memory == 0 {
					t.Errorf("%v, %+v: %+v, of which %d scores are beyond the bands'", p, o, stats, beyond)
				}
			}
		}
	}
}
