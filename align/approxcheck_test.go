package align_test

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// tally counts what a test has seen, so that a test fails that tests nothing.
type tally struct{ pairs, found, optimal, cheaper int }

func (y *tally) String() string {
	return fmt.Sprintf("%d pairs, %d found, %d optimal, %d with an alignment below the score", y.pairs, y.found, y.optimal, y.cheaper)
}

// atLeast fails a test that has seen fewer pairs, or found fewer of them.
func (y *tally) atLeast(t *testing.T, pairs, found int) {
	t.Helper()
	t.Log(y)
	if y.pairs < pairs || y.found < found {
		t.Errorf("%v, want at least %d pairs, %d found", y, pairs, found)
	}
}

// checkApprox holds one pair against the slow rule and the optimum.
func checkApprox(t testing.TB, y *tally, p align.Penalties, band, lambda int, pattern, text []byte) {
	t.Helper()
	o := align.Options{Penalties: p, Approx: &align.Approx{Band: band, Lambda: lambda}}
	checkApproxWith(t, y, newAligners(t, o), o, pattern, text)
}

func checkApproxWith(t testing.TB, y *tally, as []*align.Aligner, o align.Options, pattern, text []byte) {
	t.Helper()
	p, band, lambda := o.Penalties, o.Approx.Band, o.Approx.Lambda
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: penalties %v, band %d, lambda %d\n%q\n%q", fmt.Sprintf(format, args...), p, band, lambda, pattern, text)
	}
	want, wantOK := slowApprox(pattern, text, p, *o.Approx)
	score, cost, c, ok, err := as[0].AlignApprox(pattern, text)
	if err != nil || ok != wantOK || score != want {
		fail("score %d, found %v, error %v, want %d, %v", score, ok, err, want, wantOK)
	}
	sameApprox(t, y, as, o, pattern, text)
	if !ok {
		return
	}
	if err := aligntest.Check(pattern, text, p, align.Result{Score: cost, CIGAR: c}); err != nil {
		fail("%v: %v", c, err)
	}
	best, _ := aligntest.Gotoh(pattern, text, p)
	if cost > score || cost < best {
		fail("alignment %v costs %d, score %d, optimum %d", c, cost, score, best)
	}
	if cost < score {
		y.cheaper++
	}
	if cost == best {
		y.optimal++
	}
	if band/2 > max(len(pattern), len(text)) && lambda > score && score != best {
		fail("score %d, optimum %d, though the band holds every cell", score, best)
	}
}

// sameApprox holds that all aligners make the same of a pair.
func sameApprox(t testing.TB, y *tally, as []*align.Aligner, o align.Options, pattern, text []byte) {
	t.Helper()
	score, cost, c, ok, err := as[0].AlignApprox(pattern, text)
	y.pairs++
	if ok {
		y.found++
	}
	for i, a := range as[1:] {
		score2, cost2, c2, ok2, err2 := a.AlignApprox(pattern, text)
		if score2 != score || cost2 != cost || ok2 != ok || err2 != err || !slices.Equal(c, c2) {
			t.Fatalf("aligner %d: score %d, cost %d, found %v, error %v, %v\nwant %d, %d, %v, %v, %v\n%v, %+v\n%q\n%q",
				i+1, score2, cost2, ok2, err2, c2, score, cost, ok, err, c, o.Penalties, *o.Approx, pattern, text)
		}
	}
}

// newAligners returns one for each level, and one without memory for all rows.
func newAligners(t testing.TB, o align.Options) (as []*align.Aligner) {
	t.Helper()
	for _, o.Level = range align.Levels() {
		as = append(as, newAligner(t, o))
	}
	o.Level, o.Memory = align.LevelAuto, 1
	return append(as, newAligner(t, o))
}

func newAligner(t testing.TB, o align.Options) *align.Aligner {
	t.Helper()
	a, err := align.NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// simulated returns pairs of a seeded set.
func simulated(t testing.TB, count int, o simulate.Options) (patterns, texts [][]byte) {
	t.Helper()
	g, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		p, q := g.Next()
		patterns, texts = append(patterns, slices.Clone(p)), append(texts, slices.Clone(q))
	}
	return patterns, texts
}
