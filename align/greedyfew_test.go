package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKnownErrorsInLanes has errors that narrow wavefronts pass, with an alignment about as good that leaves their
// diagonals.
func TestKnownErrorsInLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	random := func(n int) []byte { return lettersOf(r, "ACGT", n) }
	for range 5000 {
		before, behind, last := random(120), random(120), random(60)
		same := random(1 + r.IntN(12))
		p := slices.Concat(before, same, random(1+r.IntN(8)), behind, last)
		s := slices.Concat(before, random(6+r.IntN(5)), same, behind, last)
		p[len(p)-len(last)] = 'N' // so that the run behind the errors has an end
		if r.IntN(2) == 0 {
			p, s = s, p
		}
		checkGated(t, gatedPenalties[r.IntN(len(gatedPenalties))], p, s)
	}
}

// TestKnownErrorsAtEnd has a pair whose best alignment ends where only one of the sequences does, for narrow
// wavefronts from the run before the errors.
func TestKnownErrorsAtEnd(t *testing.T) {
	before := lettersOf(rand.New(rand.NewPCG(63, 64)), "ACGT", 200)
	p := slices.Concat(before, []byte("TAGTGTGAAGTCCCCAACCACAACCACAACCACCCAAA"))
	s := slices.Concat(before, []byte("TAGTGTGAAGTCCACAACCACAACCACAACCACAACCACCCAAA"))
	checkGated(t, Penalties{4, 4, 1}, p, s)
	checkGated(t, Penalties{4, 4, 1}, s, p)
}

// checkGated compares an alignment by parts with that by wavefronts.
func checkGated(t *testing.T, pen Penalties, p, s []byte) {
	t.Helper()
	for _, level := range Levels() {
		a, err := NewAligner(Options{Penalties: pen, Level: level})
		if err != nil {
			t.Fatal(err)
		}
		want, wantCIGAR, _, err := AlignBy(a, ByWavefronts, p, s, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, c, ok, err := AlignBy(a, ByGated, p, s, want)
		if err != nil || ok && (got != want || !slices.Equal(c, wantCIGAR)) {
			t.Fatalf("%v: score %d %s, want %d %s: %v\n%s\n%s", pen, got, c, want, wantCIGAR, err, p, s)
		}
	}
}

// TestKnownErrors compares what greedy knows of errors with optimal alignments of their letters.
func TestKnownErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 60))
	known := 0
	for range 20_000 {
		pen := gatedPenalties[r.IntN(len(gatedPenalties))]
		pattern, text := gatedPair(r, 30+r.IntN(100))
		a, err := NewAligner(Options{Penalties: pen, Level: Levels()[r.IntN(len(Levels()))]})
		if err != nil {
			t.Fatal(err)
		}
		x, err := a.loadExact(pattern, text)
		if err != nil {
			t.Fatal(err)
		}
		x.along.run(x.pattern, x.text)
		runs := slices.Clone(x.along.runs)
		elems := slices.Clone(x.along.elems)
		for i, e := range runs {
			if !e.errors.known {
				continue
			}
			known++
			from := e.errors.begin
			p, s := pattern[from:e.to], text[from+runs[i-1].k:e.to+e.k]
			want, c, _, err := AlignBy(a, ByWavefronts, p, s, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.cost - runs[i-1].cost; got*a.model.Scale != want || !slices.Equal(elems[e.errors.elems:e.errors.to], c) {
				t.Fatalf("%v: errors of score %d %s, want %d %s:\n%s\n%s\nof\n%s\n%s", pen, got, elems[e.errors.elems:e.errors.to], want, c, p, s, pattern, text)
			}
		}
	}
	if known < 1000 {
		t.Errorf("%d errors are known", known)
	}
}
