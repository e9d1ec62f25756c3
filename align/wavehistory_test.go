package align_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Wavefronts whose rows exceed the memory many times align the pairs all the same.
func TestWavesMemory(t *testing.T) {
	patterns, texts := simulated(t, 6, simulate.Options{Length: 800, ErrorRate: 0.1, Seed: 9})
	for _, o := range []align.Options{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, LongGap: align.Gap{Open: 12, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Span: align.EndsFree, Free: align.Free{PatternBegin: 10, TextBegin: 40, TextEnd: 30}},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Span: align.EndsFree, Free: align.Free{TextBegin: 40, TextEnd: 30}},
	} {
		want := byMatrix(t, o)
		for _, o.Level = range align.Levels() {
			o.Memory = 1 << 15
			m, err := align.NewSpanBy(align.SpanByWaves, o)
			if err != nil {
				t.Fatal(err)
			}
			for i := range patterns {
				r, ok := m.Align(patterns[i], texts[i], nil)
				w := want(patterns[i], texts[i])
				if !ok || r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
					t.Fatalf("%+v, pair %d: %v, score %d, place %+v, want %d, %+v", o, i, ok, r.Score, r.Place, w.Score, w.Place)
				}
			}
		}
	}
}
