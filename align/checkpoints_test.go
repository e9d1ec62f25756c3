package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// TestCheckpointsAtUnequalLengths has costly gap extensions and diagonals that end early.
func TestCheckpointsAtUnequalLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 19))
	pairs := 1500
	if testing.Short() {
		pairs = 200
	}
	for _, p := range []align.Penalties{{Mismatch: 4, GapOpen: 5, GapExtend: 19}, {Mismatch: 1, GapOpen: 3, GapExtend: 12}, {Mismatch: 1, GapOpen: 11, GapExtend: 17}} {
		for _, level := range align.Levels() {
			a := newAligner(t, align.Options{Penalties: p, Level: level})
			for range pairs {
				pattern, text := letters(r, "AC", r.IntN(12)), letters(r, "AC", r.IntN(60))
				want, alignment := slowAlignment(pattern, text, p)
				for _, method := range []string{align.ByCheckpoints, align.ByFewCheckpoints} {
					score, c, _, err := align.AlignBy(a, method, pattern, text, want)
					if err != nil || score != want || !slices.Equal(c, alignment) {
						t.Fatalf("%s, %s, %v: score %d, %v (%v), want %d, %v, for %q against %q",
							level, method, p, score, c, err, want, alignment, pattern, text)
					}
				}
			}
		}
	}
}

// TestLittleMemory holds that pairs above the memory bound are aligned with checkpoints, on every
// code path, and as those with plenty of memory.
func TestLittleMemory(t *testing.T) {
	patterns, texts := simulated(t, 4, simulate.Options{Length: 2500, ErrorRate: 0.15, Seed: 3})
	for _, level := range align.Levels() {
		e, err := align.New(align.Options{Level: level, Memory: 1, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		b := &align.Batch{}
		for i := range patterns {
			b.Pairs = append(b.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
		}
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i, r := range b.Results {
			if want := aligntest.BandedScore(patterns[i], texts[i], align.DefaultPenalties); r.Err != nil || r.Score != want {
				t.Errorf("%s: score %d, error %v, want %d", level, r.Score, r.Err, want)
			}
			if err := aligntest.Check(patterns[i], texts[i], align.DefaultPenalties, r); err != nil {
				t.Errorf("%s: %v", level, err)
			}
		}
		if s := e.Stats(); s.Checkpointed != int64(len(patterns)) {
			t.Errorf("%s: %+v, want %d pairs with checkpoints", level, s, len(patterns))
		}
	}
}
