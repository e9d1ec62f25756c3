package align_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Sweeps whose strips exceed the memory several times align the pairs all the same.
func TestSweepMemory(t *testing.T) {
	cases := copies(3, 3, 3500)
	cases[1].Text = cases[2].Text // unrelated
	for _, o := range []align.Options{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Span: align.Global},
		{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}, Span: align.Extension},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Span: align.Local},
	} {
		want := byMatrix(t, o)
		for _, o.Level = range align.Levels() {
			if o.Level == align.LevelGo {
				continue // has no sweeps
			}
			for _, method := range []string{align.SpanBySweep, align.SpanByBounded} {
				for _, c := range cases {
					m := sweepIn(t, o, method, c, 1<<18)
					w := want(c.Pattern, c.Text)
					if r := m; r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
						t.Errorf("%s, %+v, %s of %d and %d letters: score %d, place %+v, want %d, %+v", method, o, c.Name,
							len(c.Pattern), len(c.Text), r.Score, r.Place, w.Score, w.Place)
					}
				}
			}
		}
	}
}

// sweepIn aligns a pair by sweeps in little memory: the least that they take it in, from a number of
// bytes on, doubled.
func sweepIn(t *testing.T, o align.Options, method string, c aligntest.Case, memory int) align.Result {
	t.Helper()
	for o.Memory = memory; o.Memory < align.DefaultMemory; o.Memory *= 2 {
		m, err := align.NewSpanBy(method, o)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := m.Align(c.Pattern, c.Text, nil); ok || r.Err != nil {
			return r
		}
	}
	t.Fatalf("%s, %+v: no sweep takes %s of %d and %d letters", method, o, c.Name, len(c.Pattern), len(c.Text))
	return align.Result{}
}
