package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// TestApproxMemory holds that the bound on memory changes no alignment.
func TestApproxMemory(t *testing.T) {
	var all tally
	many := 2
	if testing.Short() {
		many = 1
	}
	r := rand.New(rand.NewPCG(6, 6))
	for i, p := range aligntest.PenaltySets() {
		var patterns, texts [][]byte
		for j, set := range []simulate.Options{
			{Length: 600, ErrorRate: 0.15},
			{Length: 500, ErrorRate: 0.2, Model: simulate.Bursts},
			{Length: 150, ErrorRate: 0.1},
		} {
			set.Seed = uint64(10*i + j)
			a, b := simulated(t, many, set)
			patterns, texts = append(patterns, a...), append(texts, b...)
		}
		for j := range 2 * many { // gaps of up to half the sequence
			s, with := patterns[j], texts[j]
			at := r.IntN(len(s) / 2)
			gap := min(len(s)/2, 5000/p.GapExtend)
			without := slices.Concat(s[:at], s[at+gap:])
			if j%2 == 0 {
				patterns, texts = append(patterns, without), append(texts, with)
			} else {
				patterns, texts = append(patterns, with), append(texts, without)
			}
		}
		for j := range patterns {
			for _, o := range []align.Options{
				{Approx: &align.Approx{Band: 8 + r.IntN(150), Lambda: 1 + r.IntN(60)}},
				{Approx: &align.Approx{Band: 700, Lambda: align.MaxLambda}}, // long gaps fit
				{Approx: &align.Approx{}},
			} {
				o.Penalties = p
				var as []*align.Aligner
				for _, o.Memory = range []int{1 << 30, 1, 50_000, 300_000} {
					as = append(as, newAligner(t, o))
				}
				sameApprox(t, &all, as, o, patterns[j], texts[j])
			}
		}
	}
	all.atLeast(t, 15*many*len(aligntest.PenaltySets()), 8*many*len(aligntest.PenaltySets()))
}

// TestApproxMemoryUsed holds that storage stays within the bound where a pair needs more, and
// that below the bound it is as much as the pair needs.
func TestApproxMemoryUsed(t *testing.T) {
	patterns, texts := simulated(t, 2, simulate.Options{Length: 6000, ErrorRate: 0.15, Seed: 1})
	for _, c := range []struct{ memory, least, most int }{
		{1 << 30, 1_500_000, 4_000_000},
		{1 << 20, 1 << 19, 1 << 20},
		{1, 1, 600_000},
	} {
		a := newAligner(t, align.Options{Approx: &align.Approx{Band: 256}, Memory: c.memory})
		for i := range patterns {
			if _, _, _, ok, err := a.AlignApprox(patterns[i], texts[i]); err != nil || !ok {
				t.Fatal(ok, err)
			}
			if used := align.ApproxHistory(a); used < c.least || used > c.most {
				t.Errorf("with Memory %d traceback storage is %d bytes", c.memory, used)
			}
		}
	}
}

// A band that has all diagonals of a pair, however many more it has, finds the optimum, as does one that is a little
// too narrow for that to be certain, with an alignment that costs it; and it takes storage for those that the pair has.
func TestApproxWideBands(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, p := range append(aligntest.PenaltySets(), align.Penalties{Mismatch: 254, GapOpen: 255, GapExtend: 253}) {
		for i, c := range aligntest.RandomCases(r.Uint64(), 12, 60) {
			if len(c.Pattern) == 0 || len(c.Text) == 0 {
				continue
			}
			all := len(c.Pattern) + len(c.Text) + 1
			for j, band := range []int{max(8, 2*all-1), max(8, 2*all), max(8, 2*all+1), 4096} {
				a := newAligner(t, align.Options{Penalties: p, Approx: &align.Approx{Band: band, Lambda: []int{1, 25}[i%2]}, Memory: []int{1, 1 << 30}[i/2%2]})
				score, cost, alignment, ok, err := a.AlignApprox(c.Pattern, c.Text)
				if want := exactScore(t, p, c); err != nil || !ok || score != want || cost != want {
					t.Fatalf("%v, band %d: score %d, cost %d, %v, %v, want %d\n%s\n%s", p, band, score, cost, ok, err, want, c.Pattern, c.Text)
				}
				if err := alignment.Verify(c.Pattern, c.Text); err != nil {
					t.Errorf("%v, band %d: %v", p, band, err)
				}
				if used := align.ApproxHistory(a); j > 0 && used > 16<<20 {
					t.Errorf("%v, band %d: %d and %d letters take %d bytes", p, band, len(c.Pattern), len(c.Text), used)
				}
			}
		}
	}
}
