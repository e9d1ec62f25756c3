package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// The slowest launch is described by the highest score of its pairs, in the user's terms.
func TestSlowestOnFake(t *testing.T) {
	pairs := simulated(t, 1, simulate.Options{Length: 150, ErrorRate: 0.05, Seed: 75}).Pairs
	for name, tc := range map[string]struct {
		open func(t *testing.T, g *fakeGPU) *Engine
		pair align.Pair
		want int
	}{
		"penalties": {func(t *testing.T, g *fakeGPU) *Engine { return openOnFake(t, g, Options{}) }, pairs[0], -1},
		"equal":     {func(t *testing.T, g *fakeGPU) *Engine { return openOnFake(t, g, Options{}) }, align.Pair{Pattern: pairs[0].Text, Text: pairs[0].Text}, 0},
		"match": {func(t *testing.T, g *fakeGPU) *Engine {
			return openSpansOnFake(t, g, align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 2, Span: align.Local})
		}, pairs[0], -1},
		"below 0": {func(t *testing.T, g *fakeGPU) *Engine {
			return openSpansOnFake(t, g, align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Match: 1, LongGap: align.Gap{Open: 24, Extend: 1}})
		}, align.Pair{Pattern: []byte("AAAAAAAAAA"), Text: []byte("CCCCCCCCCC")}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			e := tc.open(t, newFakeGPU(t, 1000))
			b := &align.Batch{Pairs: []align.Pair{tc.pair}}
			mustAlignAll(t, e, b)
			want := b.Results[0].Score
			if b.Results[0].Err != nil || tc.want >= 0 && want != tc.want {
				t.Fatalf("%+v", b.Results[0])
			}
			if s := e.Stats().Slowest; s.Pairs != 1 || s.Score != want {
				t.Errorf("%+v, want a score of %d", s, want)
			}
		})
	}
}
