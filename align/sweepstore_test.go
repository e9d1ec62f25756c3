package align_test

import (
	"slices"
	"testing"

	"wfagpu/align"
)

// Sweeps whose strips exceed the memory several times align the pairs all the same.
func TestSweepMemory(t *testing.T) {
	cases := copies(3, 3, 3500)
	cases[1].Text = cases[2].Text // unrelated
	most := map[int]int{}         // pairs by layers
	for _, o := range []align.Options{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Span: align.Global},
		{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}, Span: align.Extension},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Span: align.Local},
	} {
		wants := resultsBy(byMatrix(t, o), cases)
		for _, o.Level = range align.Levels() {
			if o.Level == align.LevelGo {
				continue // has no sweeps
			}
			for _, method := range []string{align.SpanBySweep, align.SpanByBounded} {
				for i, c := range cases {
					w := wants[i]
					for _, o.Memory = range []int{1, 1 << 18, 1 << 20, align.DefaultMemory} {
						m, err := align.NewSpanBy(method, o)
						if err != nil {
							t.Fatal(err)
						}
						r, ok := m.Align(c.Pattern, c.Text, nil)
						if !ok || r.Err != nil {
							t.Fatalf("%s, %+v: no sweep of %s: %v", method, o, c.Name, r.Err)
						}
						if r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
							t.Errorf("%s, %+v, %s of %d and %d letters: score %d, place %+v, want %d, %+v", method, o, c.Name,
								len(c.Pattern), len(c.Text), r.Score, r.Place, w.Score, w.Place)
						}
						_, layers := m.SweepStorage()
						most[layers]++
					}
				}
			}
		}
	}
	for layers := range 5 {
		if most[layers] == 0 {
			t.Errorf("no pair takes %d layers: %v", layers, most)
		}
	}
}

// A sweep stores little more than the memory, where that is enough for a few borders.
func TestSweepStorage(t *testing.T) {
	c := copies(3, 2, 12_000)[0]
	c.Text = copies(4, 2, 12_000)[0].Text // unrelated
	for _, memory := range []int{1 << 20, 1 << 21, 1 << 22} {
		m, err := align.NewSpanBy(align.SpanBySweep, align.Options{
			Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, Memory: memory, Level: align.Levels()[0],
		})
		if err != nil {
			t.Fatal(err)
		}
		r, ok := m.Align(c.Pattern, c.Text, nil)
		if align.Levels()[0] == align.LevelGo && !ok {
			t.Skip("no sweeps")
		}
		if !ok || r.Err != nil {
			t.Fatal(ok, r.Err)
		}
		if bytes, layers := m.SweepStorage(); bytes > memory+memory/2 || layers == 0 {
			t.Errorf("%d bytes in %d layers, of a memory of %d", bytes, layers, memory)
		}
	}
}
