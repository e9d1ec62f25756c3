package aligntest

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
)

// RunSpans holds an engine to the definition of all spans and scorings (Spans): scores, places
// and CIGARs, with and without CIGARs, with plenty of memory and with none. Under -short it has
// fewer pairs.
func RunSpans(t *testing.T, newEngine Factory) {
	many := 300
	if testing.Short() {
		many = 60
	}
	for i, o := range SpanOptions() {
		t.Run(spanName(o), func(t *testing.T) {
			r := newRand(uint64(i))
			cases := slices.Concat(EdgeSpanCases(), SpanCases(uint64(i), many, 24), SpanCases(uint64(1000+i), many/20, 70))
			for from := 0; from < len(cases); from += 30 {
				if o.Span == align.EndsFree {
					o.Free = RandomFree(r, 24)
				}
				checkSpans(t, newEngine, o, cases[from:min(from+30, len(cases))])
			}
			if o.Match > 100 && o.ZDrop == 0 {
				checkLargeSpans(t, newEngine, o)
			}
		})
	}
}

// checkLargeSpans has scores and costs beyond 16 bits.
func checkLargeSpans(t *testing.T, newEngine Factory, o align.Options) {
	t.Helper()
	r := newRand(6)
	text := sequence(r, dna, 700)
	cases := Flanked([]Case{
		{Name: "identical", Pattern: text, Text: text},
		{Name: "a tenth differs", Pattern: mutate(r, dna, text, 0.1), Text: text},
		{Name: "unrelated", Pattern: sequence(r, dna, 500), Text: text},
		{Name: "a long gap", Pattern: cut(text, 300, 200), Text: text},
	}, 6)
	for _, o.ScoreOnly = range []bool{false, true} {
		b := NewBatch(cases)
		mustAlign(t, newEngine(t, o), b)
		for i, c := range cases {
			if err := CheckSpan(o, c, b.Results[i], Of(o).Score(c.Pattern, c.Text)); err != nil {
				t.Errorf("%v, for %s, %s", err, spanName(o), c.Name)
			}
		}
	}
}

func spanName(o align.Options) string {
	name := []string{"global", "ends-free", "extension", "local"}[o.Span]
	if o.ZDrop > 0 {
		name += fmt.Sprintf(" with z-drop %d", o.ZDrop)
	}
	return fmt.Sprintf("%s, match %d, %v", name, o.Match, o.Scoring())
}

// checkSpans compares an engine's results for cases with the oracle's.
func checkSpans(t *testing.T, newEngine Factory, o align.Options, cases []Case) {
	t.Helper()
	oracle := Of(o)
	want := make([]align.Result, len(cases))
	for i, c := range cases {
		want[i] = oracle.Align(c.Pattern, c.Text)
	}
	for _, o.Memory = range []int{0, 1} {
		for _, o.ScoreOnly = range []bool{false, true} {
			b := NewBatch(cases)
			mustAlign(t, newEngine(t, o), b)
			for i, c := range cases {
				if err := SameResult(o, &b.Pairs[i], b.Results[i], want[i]); err != nil {
					t.Fatalf("%v, for %s, %s", err, spanName(o), describe(c, o))
				}
			}
		}
	}
}

// SameResult compares a result with that of the oracle for the same options, apart from their
// mode: in score-only mode there is no CIGAR, and a place for global alignments alone.
func SameResult(o align.Options, p *align.Pair, got, want align.Result) error {
	if o.ScoreOnly {
		want.CIGAR, want.Place = nil, align.Place{}
		if o.Span == align.Global {
			want.Place = p.Whole()
		}
	}
	if got.Err != nil || got.Score != want.Score || got.Place != want.Place || !slices.Equal(got.CIGAR, want.CIGAR) {
		return fmt.Errorf("score %d, place %+v, CIGAR %v, error %v, want %d, %+v, %v, free %+v",
			got.Score, got.Place, got.CIGAR, got.Err, want.Score, want.Place, want.CIGAR, o.Free)
	}
	return nil
}
