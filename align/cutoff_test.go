package align_test

import (
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// With a cutoff, scores below it and their alignments are those without, all others are Beyond.
func TestCutoff(t *testing.T) {
	sets := []simulate.Options{
		{Length: 30, ErrorRate: 0.1}, {Length: 150, ErrorRate: 0.05}, {Length: 400, ErrorRate: 0.3},
		{Length: 1500, ErrorRate: 0.02}, {Length: 3000, ErrorRate: 0.15}, {Length: 6000, ErrorRate: 0.08, Model: simulate.Bursts},
	}
	var pairs []align.Pair
	for i, o := range sets {
		o.Seed = uint64(i)
		g, err := simulate.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + 20_000/o.Length {
			p, x := g.Next()
			pairs = append(pairs, align.Pair{Pattern: append([]byte(nil), p...), Text: append([]byte(nil), x...)})
		}
	}
	long := pairs[len(pairs)-1].Text
	pairs = append(pairs, align.Pair{Text: long[:9]}, align.Pair{Pattern: long, Text: long}, align.Pair{Pattern: long[:40], Text: long},
		align.Pair{}, align.Pair{Pattern: long, Text: pairs[0].Text})
	for _, level := range levels(t) {
		for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 1, GapOpen: 0, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 4}} {
			for _, o := range []align.Options{{}, {ScoreOnly: true}, {Memory: 64 << 10}} {
				o.Penalties, o.Level, o.Threads = p, level, 1
				whole := &align.Batch{Pairs: pairs}
				mustAlign(t, o, whole)
				r := rand.New(rand.NewPCG(7, 7))
				for _, pick := range []func(score int) int{
					func(int) int { return 1 }, func(int) int { return 40 }, func(int) int { return 700 },
					func(score int) int { return score + 1 }, func(score int) int { return max(score, 1) },
					func(score int) int { return 1 + r.IntN(2*score+1) },
				} {
					// Of a batch, all pairs have one cutoff: that of one of them.
					o.Cutoff = pick(whole.Results[r.IntN(len(pairs))].Score)
					b := &align.Batch{Pairs: pairs}
					stats := mustAlign(t, o, b)
					beyond := int64(0)
					for i := range pairs {
						want, got := whole.Results[i], b.Results[i]
						if want.Score >= o.Cutoff {
							want.Score, want.CIGAR = align.Beyond, nil
							beyond++
						}
						if got.Err != nil || got.Score != want.Score || got.CIGAR.String() != want.CIGAR.String() {
							t.Fatalf("%+v, %d and %d letters: %d %s %v, want %d %s", o, len(pairs[i].Pattern), len(pairs[i].Text), got.Score, got.CIGAR, got.Err, want.Score, want.CIGAR)
						}
					}
					if all := stats.Wavefront + stats.Banded + stats.Checkpointed; stats.Beyond != beyond || all != int64(len(pairs)) {
						t.Errorf("%+v: %+v, want %d of %d beyond", o, stats, beyond, len(pairs))
					}
				}
			}
		}
	}
}

// mustAlign aligns a batch, and returns the counts.
func mustAlign(t *testing.T, o align.Options, b *align.Batch) align.Stats {
	t.Helper()
	e, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return e.Stats()
}

// checkOptimum checks a result under options against the optimum.
func checkOptimum(t *testing.T, what string, o align.Options, got align.Result, score int, optimum cigar.CIGAR) {
	t.Helper()
	if o.Cutoff > 0 && score >= o.Cutoff {
		score = align.Beyond
	}
	text := optimum.String()
	if o.ScoreOnly || score == align.Beyond {
		text = ""
	}
	if got.Err != nil || got.Score != score || got.CIGAR.String() != text && len(got.CIGAR)+len(text) > 0 {
		t.Errorf("%s: %d %s %v, want %d %s", what, got.Score, got.CIGAR, got.Err, score, text)
	}
}

// levels are the code paths of this machine.
func levels(t *testing.T) []align.Level {
	t.Helper()
	var found []align.Level
	for _, l := range []align.Level{align.LevelAVX512, align.LevelAVX2, align.LevelGo} {
		if _, err := align.New(align.Options{Level: l}); err == nil {
			found = append(found, l)
		}
	}
	return found
}

// A cutoff is not negative, and for the exact mode.
func TestCutoffOptions(t *testing.T) {
	for _, o := range []align.Options{{Cutoff: -1}, {Cutoff: 5, Approx: &align.Approx{}}} {
		if _, err := align.New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
