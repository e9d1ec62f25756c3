package aligntest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Results of all spans and scorings are those of the definition, with and without CIGARs, with
// plenty of memory and with none.
func TestSpans(t *testing.T) {
	many := 400
	if testing.Short() {
		many = 60
	}
	for i, o := range aligntest.SpanOptions() {
		t.Run(fmt.Sprintf("%d", i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 14))
			cases := append(aligntest.SpanCases(uint64(i), many, 24), aligntest.SpanCases(uint64(1000+i), many/20, 70)...)
			for from := 0; from < len(cases); from += 20 {
				if o.Span == align.EndsFree {
					o.Free = aligntest.RandomFree(r, 24)
				}
				checkSpans(t, o, cases[from:min(from+20, len(cases))])
			}
		})
	}
}

// checkSpans compares the engine's results for cases with the oracle's.
func checkSpans(t *testing.T, o align.Options, cases []aligntest.Case) {
	t.Helper()
	oracle := aligntest.Of(o)
	want := make([]align.Result, len(cases))
	for i, c := range cases {
		want[i] = oracle.Align(c.Pattern, c.Text)
	}
	for _, level := range align.Levels() {
		for _, memory := range []int{0, 1} {
			for _, scoreOnly := range []bool{false, true} {
				o.Level, o.Memory, o.ScoreOnly, o.Threads = level, memory, scoreOnly, 1
				b := aligntest.NewBatch(cases)
				if err := newEngine(t, o).AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				for i, c := range cases {
					r, w := b.Results[i], want[i]
					if scoreOnly {
						w.CIGAR = nil
						w.Place = align.Place{}
						if o.Span == align.Global && o.LongGap == (align.Gap{}) {
							w.Place = b.Pairs[i].Whole()
						}
					}
					if r.Err != nil || r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
						t.Fatalf("%+v: score %d, place %+v, CIGAR %v, error %v, want %d, %+v, %v, for %s\n%q\n%q", o,
							r.Score, r.Place, r.CIGAR, r.Err, w.Score, w.Place, w.CIGAR, c.Name, c.Pattern, c.Text)
					}
				}
			}
		}
	}
}
