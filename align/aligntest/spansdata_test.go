package aligntest_test

import (
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// spansOfReads are spans and scorings that reads are aligned with.
func spansOfReads() []align.Options {
	four := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	ont := align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}
	long := align.Gap{Open: 24, Extend: 1}
	infix := align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	return []align.Options{
		{Penalties: four, LongGap: long},
		{Penalties: four, Span: align.EndsFree, Free: infix},
		{Penalties: ont, Match: 2, LongGap: long, Span: align.EndsFree, Free: align.Free{PatternEnd: 5, TextBegin: align.FreeAll, TextEnd: 700}},
		{Penalties: ont, Match: 2, LongGap: long, Span: align.Extension},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Span: align.Local},
	}
}

// Real pairs with flanks have the score and the end of the definition, and an alignment that is
// worth it, on every code path. Each set gives pairs up to a number of cells.
func TestRealSpans(t *testing.T) {
	names, load := aligntest.RealSets(t)
	most := 2_000_000
	if testing.Short() {
		most = 500_000
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := load(t, name)
			r := rand.New(rand.NewPCG(14, 14))
			for i, o := range spansOfReads() {
				var cases []aligntest.Case
				for cells, tries := 0, 0; tries < 40; tries++ {
					c := set.Cases[r.IntN(len(set.Cases))]
					if cells+len(c.Pattern)*len(c.Text) > most {
						continue
					}
					cells += len(c.Pattern) * (len(c.Text) + 1000)
					cases = append(cases, c)
				}
				if cases = aligntest.Flanked(cases, uint64(i)); len(cases) == 0 {
					t.Skip("all pairs that were looked at are long")
				}
				want := make([]align.Result, len(cases))
				for j, c := range cases {
					want[j] = aligntest.Of(o).Score(c.Pattern, c.Text)
				}
				for _, o.Level = range align.Levels() {
					for _, o.ScoreOnly = range []bool{false, true} {
						b := alignCases(t, o, cases)
						for j, c := range cases {
							if err := aligntest.CheckSpan(o, c, b.Results[j], want[j]); err != nil {
								t.Errorf("%+v: %v, for %s", o, err, c.Name)
							}
						}
					}
				}
			}
		})
	}
}

// The two oracles agree.
func TestSpanOracles(t *testing.T) {
	for i, o := range aligntest.SpanOptions() {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		for _, c := range aligntest.SpanCases(uint64(i), 40, 30) {
			if o.Span == align.EndsFree {
				o.Free = aligntest.RandomFree(r, 30)
			}
			if o.ZDrop > 0 {
				continue
			}
			oracle := aligntest.Of(o)
			want := oracle.Align(c.Pattern, c.Text)
			got := oracle.Score(c.Pattern, c.Text)
			if got.Score != want.Score || got.Place.PatternEnd != want.Place.PatternEnd || got.Place.TextEnd != want.Place.TextEnd {
				t.Fatalf("%+v: score %d, %+v, want %d, %+v, for %s", o, got.Score, got.Place, want.Score, want.Place, c.Name)
			}
		}
	}
}
