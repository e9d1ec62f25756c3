package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// approxSpans are the options that have an approximate mode of their own, beside global alignments
// with one cost of gaps.
func approxSpans() (all []align.Options) {
	for _, o := range aligntest.SpanOptions() {
		m, err := o.Model()
		if err != nil {
			panic(err)
		}
		if o.Span != align.Local && o.ZDrop == 0 && !m.Plain() {
			all = append(all, o)
		}
	}
	return all
}

// TestApproxSpans compares the approximate mode of spans with the exact one: every result is valid,
// costs its score and is no better, and the levels and any memory give the same. A band of all
// diagonals gives the optimum, and the end of the exact mode.
func TestApproxSpans(t *testing.T) {
	many, most := 30, 150
	if testing.Short() {
		many = 8
	}
	for i, o := range approxSpans() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 21))
			var all tally
			for j, band := range []int{8, 13, 32, 100, align.MaxBand} {
				o.Free = aligntest.RandomFree(r, most/2)
				exact := newAligner(t, o)
				o.Approx = &align.Approx{Band: band, Lambda: 1 + r.IntN(60)}
				as := newAligners(t, o)
				for _, c := range aligntest.SpanCases(uint64(100*i+j), many, most) {
					checkApproxSpan(t, &all, as, exact, o, c)
				}
				o.Approx = nil
			}
			all.atLeast(t, 5*many, many)
		})
	}
}

// checkApproxSpan aligns a pair by aligners of one approximate mode and by an exact one.
func checkApproxSpan(t *testing.T, y *tally, as []*align.Aligner, exact *align.Aligner, o align.Options, c aligntest.Case) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: %+v, %+v, %s\n%q\n%q", fmt.Sprintf(format, args...), o, *o.Approx, c.Name, c.Pattern, c.Text)
	}
	best, _, err := exact.Align(c.Pattern, c.Text, nil)
	if err != nil {
		return // costs beyond 32 bits
	}
	y.pairs++
	var first align.Result
	for i, a := range as {
		before := a.ApproxStats().Aligned
		s, alignment, err := a.Align(c.Pattern, c.Text, nil)
		r := align.Result{Score: s, CIGAR: alignment, Place: a.Place(), Err: err}
		want := r
		if err := aligntest.CheckSpan(o, c, r, want); err != nil {
			fail("aligner %d: %v", i, err)
		}
		if i == 0 {
			first = r
			y.found += int(a.ApproxStats().Aligned - before)
		}
		if s != first.Score || r.Place != first.Place || !slices.Equal(alignment, first.CIGAR) {
			fail("aligner %d: score %d, place %+v, %v, that of aligner 0: %d, %+v, %v", i, s, r.Place, alignment, first.Score, first.Place, first.CIGAR)
		}
	}
	worse := first.Score - best
	if o.Match > 0 {
		worse = -worse
	}
	whole := o.Approx.Band == align.MaxBand
	if worse < 0 || worse > 0 && whole {
		fail("score %d, optimum %d", first.Score, best)
	}
	if end := exact.Place(); whole && (first.Place.PatternEnd != end.PatternEnd || first.Place.TextEnd != end.TextEnd) {
		fail("place %+v, in exact mode %+v", first.Place, end)
	}
	if worse == 0 {
		y.optimal++
	}
}

// Noisy reads within texts with flanks keep nearly all of their optima at the automatic band.
func TestApproxSpanRecall(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 15
	}
	for _, o := range approxSpans()[:8] {
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		patterns, texts := simulated(t, count, simulate.Options{Length: 3000, ErrorRate: 0.1, Seed: 5})
		exact := newAligner(t, o)
		o.Approx = &align.Approx{}
		approx := newAligner(t, o)
		optima, found := 0, 0
		var cases []aligntest.Case
		for i := range patterns {
			cases = append(cases, aligntest.Case{Pattern: patterns[i], Text: texts[i]})
		}
		if o.Span == align.EndsFree {
			cases = aligntest.Flanked(cases, 3)
		}
		for _, c := range cases {
			before := approx.ApproxStats().Aligned
			s, _, err := approx.Align(c.Pattern, c.Text, nil)
			if err != nil {
				t.Fatal(err)
			}
			best, _, err := exact.Align(c.Pattern, c.Text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if s == best {
				optima++
			}
			found += int(approx.ApproxStats().Aligned - before)
		}
		t.Logf("%+v: %d of %d optimal, %d in a band", o, optima, len(cases), found)
		if optima < len(cases)*95/100 || found < len(cases)*9/10 {
			t.Errorf("%+v: %d of %d optimal, %d in a band", o, optima, len(cases), found)
		}
	}
}
