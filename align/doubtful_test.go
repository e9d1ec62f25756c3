package align_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// TestDoubtfulScores holds which scores are doubtful against the rule, word for word. The pairs have
// unrelated letters in the middle, as where a read is on wrong diagonals.
func TestDoubtfulScores(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	reached, doubtful := 0, 0
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 1, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		for range 60 {
			pattern := randomBases(r, 200+r.IntN(200))
			text := append([]byte(nil), pattern...)
			copy(text[r.IntN(150):], randomBases(r, r.IntN(50)))
			for range r.IntN(12) {
				text[r.IntN(len(text))] = "ACGT"[r.IntN(4)]
			}
			b := align.AdaptiveBand{Band: 16 + r.IntN(40), Lambda: 1 + r.IntN(30), MaxDrift: math.MaxInt32, StallInterval: r.IntN(15)}
			want := slowBand(pattern, text, p, b)
			for _, level := range align.Levels() {
				a := newAligner(t, align.Options{Penalties: p, Approx: &align.Approx{}, Level: level})
				got, err := aligntest.AlignBand(a, pattern, text, b)
				if err != nil || got.Doubtful != want.doubtful || got.Drifted != want.drifted || want.found && got.Score != want.score {
					t.Fatalf("%+v, error %v, want %+v: %v, %+v\n%s\n%s", got, err, want, p, b, pattern, text)
				}
			}
			if want.found {
				reached++
			}
			if want.doubtful {
				doubtful++
			}
		}
	}
	t.Logf("%d scores, %d doubtful", reached, doubtful)
	if doubtful < 20 || reached-doubtful < 20 {
		t.Errorf("%d scores, %d doubtful", reached, doubtful)
	}
}

// TestUndoneGaps has reads with a gap that another one undoes nearby: the band stays on the wrong diagonals between
// them, without drifting or stalling, whatever λ is.
func TestUndoneGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	patterns, texts := undoneGaps(r, 40)
	exact := newAligner(t, align.Options{ScoreOnly: true})
	for _, lambda := range []int{0, 20, 75, 120, 200, 1000} {
		a := newAligner(t, align.Options{Approx: &align.Approx{Lambda: lambda}})
		missed, excess, sum := 0, 0, 0
		for i := range patterns {
			score, optimum := alignBoth(t, a, exact, patterns[i], texts[i])
			if score > optimum {
				missed++
			}
			excess += score - optimum
			sum += optimum
		}
		t.Logf("λ %d: %d of %d optima missed, by %d of %d; %+v", lambda, missed, len(patterns), excess, sum, a.ApproxStats())
		if missed > 3 || a.ApproxStats().Pieces == 0 {
			t.Errorf("λ %d: %d optima missed, by %d of %d; %+v", lambda, missed, excess, sum, a.ApproxStats())
		}
	}
}

// undoneGaps are pairs of 6,000 letters with some substitutions and an insertion of 64 to 83 letters, which a
// deletion of as many makes up for 150 to 219 letters later.
func undoneGaps(r *rand.Rand, count int) (patterns, texts [][]byte) {
	for range count {
		pattern := randomBases(r, 6000)
		gap, between := 64+r.IntN(20), 150+r.IntN(70)
		text := slices.Concat(pattern[:3000], randomBases(r, gap), pattern[3000:3000+between], pattern[3000+between+gap:])
		for range 6 {
			text[r.IntN(len(text))] = 'A'
		}
		patterns, texts = append(patterns, pattern), append(texts, text)
	}
	return patterns, texts
}

// TestCuts has the lengths from which on pairs are cut before their first band.
func TestCuts(t *testing.T) {
	for _, tc := range []struct {
		a           align.Approx
		short, long int
		cuts, early bool
	}{
		{align.Approx{}, 500, 511, false, false},
		{align.Approx{}, 1000 - 46, 1000, true, false}, // a drift of 15, and 1000 / 32
		{align.Approx{}, 1000 - 47, 1000, true, true},
		{align.Approx{}, 10_000 - 343, 10_000, true, false}, // a drift of 31, and 10,000 / 32
		{align.Approx{}, 10_000 - 344, 10_000, true, true},
		{align.Approx{Lambda: 200}, 10_000 - 344, 10_000, true, true},
		{align.Approx{Band: 64}, 5000, 10_000, false, false},
	} {
		for _, lengths := range [][2]int{{tc.short, tc.long}, {tc.long, tc.short}} {
			if cuts, early := tc.a.Cuts(lengths[0], lengths[1]); cuts != tc.cuts || early != tc.early {
				t.Errorf("%+v, %v: %v, %v, want %v, %v", tc.a, lengths, cuts, early, tc.cuts, tc.early)
			}
		}
	}
}

// TestLostInWiderBands has noisy reads with a gap that is longer than wide bands drift: those that lose their path
// there must not go on over unrelated letters.
func TestLostInWiderBands(t *testing.T) {
	patterns, texts := simulated(t, 40, simulate.Options{
		Length: 6000, ErrorRate: 0.08, MaxErrorRate: 0.15, Model: simulate.SV, Seed: 3,
		Variants: simulate.Variants{Share: 1, Least: 300, Most: 1500, Kinds: "insertion,deletion"},
	})
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 6, GapOpen: 4, GapExtend: 3}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		exact := newAligner(t, align.Options{Penalties: p, ScoreOnly: true})
		a := newAligner(t, align.Options{Penalties: p, ScoreOnly: true, Approx: &align.Approx{}})
		excess, sum := 0, 0
		for i := range patterns {
			score, _, err := a.Align(patterns[i], texts[i], nil)
			optimum, _, err2 := exact.Align(patterns[i], texts[i], nil)
			if err != nil || err2 != nil || score < optimum {
				t.Fatalf("pair %d: score %d, optimum %d, errors %v, %v", i+1, score, optimum, err, err2)
			}
			excess += score - optimum
			sum += optimum
		}
		t.Logf("%v: excess %d of %d; %+v", p, excess, sum, a.ApproxStats())
		if 2000*excess > sum {
			t.Errorf("%v: excess %d of %d; %+v", p, excess, sum, a.ApproxStats())
		}
	}
}
