package bandrule

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

func cases(t *testing.T) []align.Pair {
	t.Helper()
	var pairs []align.Pair
	for _, s := range []sets.Set{
		{Options: simulate.Options{Length: 120, ErrorRate: 0.15, Seed: 1}, Count: 60},
		{Options: simulate.Options{Length: 900, ErrorRate: 0.12, Seed: 2, Model: simulate.Bursts}, Count: 12},
	} {
		b, err := s.Batch()
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, b.Pairs...)
	}
	for _, c := range aligntest.RandomCases(3, 60, 90) {
		if min(len(c.Pattern), len(c.Text)) > 0 {
			pairs = append(pairs, align.Pair{Pattern: c.Pattern, Text: c.Text})
		}
	}
	return pairs
}

func aligned(t *testing.T, p align.Penalties, approx *align.Approx, pairs []align.Pair) (*align.Engine, *align.Batch) {
	t.Helper()
	e, err := align.New(align.Options{Penalties: p, ScoreOnly: true, Approx: approx})
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{First: 1, Pairs: pairs}
	if err := e.AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return e, b
}

// ByDegrees is the rule of package align.
func TestByDegreesIsAligns(t *testing.T) {
	pairs := cases(t)
	lostInAll, missed := 0, 0
	for _, p := range aligntest.PenaltySets()[:4] {
		_, optima := aligned(t, p, nil, pairs)
		for _, w := range []AdaptiveBand{{8, 3}, {16, 1}, {17, 25}, {32, 10}, {64, 25}, {64, 200}} {
			e, got := aligned(t, p, &align.Approx{Band: w.Band, Lambda: w.Lambda}, pairs)
			lost := 0
			for i, pair := range pairs {
				score, ok := Score(pair.Pattern, pair.Text, p, w, ByDegrees)
				if !ok {
					lost++
					score = optima.Results[i].Score
				}
				if score != got.Results[i].Score {
					t.Fatalf("%v, %+v: score %d, package align has %d\n%q\n%q", p, w, score, got.Results[i].Score, pair.Pattern, pair.Text)
				}
				if score != optima.Results[i].Score {
					missed++
				}
			}
			if failed := e.ApproxStats().Fallback; int(failed) != lost {
				t.Errorf("%v, %+v: %d pairs are lost, %d in package align", p, w, lost, failed)
			}
			lostInAll += lost
		}
	}
	t.Logf("%d lost, %d not optimal", lostInAll, missed)
	if missed == 0 {
		t.Error("the bands are too wide for a test")
	}
}

// The rules agree where ByDegrees moves by the whole distance, and differ where it
// does not. In a band over the whole matrix both are exact.
func TestAtOnce(t *testing.T) {
	pairs := cases(t)
	p := align.DefaultPenalties
	_, optima := aligned(t, p, nil, pairs)
	differ := 0
	for i, pair := range pairs {
		both := func(w AdaptiveBand) (a, b int, same bool) {
			a, okA := Score(pair.Pattern, pair.Text, p, w, ByDegrees)
			b, okB := Score(pair.Pattern, pair.Text, p, w, AtOnce)
			return a, b, a == b && okA == okB
		}
		if a, b, same := both(AdaptiveBand{16, 12}); !same {
			t.Errorf("pair %d: scores %d and %d with a λ of 3β/4", i+1, a, b)
		}
		if _, _, same := both(AdaptiveBand{16, 2}); !same {
			differ++
		}
		if a, b, same := both(AdaptiveBand{4096, 25}); !same || a != optima.Results[i].Score {
			t.Errorf("pair %d: scores %d and %d in a wide band, optimum %d", i+1, a, b, optima.Results[i].Score)
		}
	}
	if differ == 0 {
		t.Error("the rules never differ")
	}
}
