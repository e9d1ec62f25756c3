package gpu

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// variants are reads with few errors, most with a structural variant, and noisy reads.
func variants(t testing.TB, count, length int) *align.Batch {
	t.Helper()
	b := simulated(t, count, simulate.Options{
		Length: length, ErrorRate: 0.001, MaxErrorRate: 0.01, Model: simulate.SV, Seed: 5,
		Variants: simulate.Variants{Share: 0.8, Least: 50, Most: length / 2},
	})
	noisy := simulated(t, count/4, simulate.Options{
		Length: length, ErrorRate: 0.1, Model: simulate.SV, Seed: 6,
		Variants: simulate.Variants{Share: 0.8, Least: 50, Most: length / 2},
	})
	b.Pairs = append(b.Pairs, noisy.Pairs...)
	return b
}

// Pairs that cross a long gap are cut: those of unequal lengths at once, others when they leave
// their first band. None falls back, and all results are those of the CPU alone.
func TestPiecesOnFake(t *testing.T) {
	for _, approx := range []align.Approx{{}, {Lambda: 20}, {Band: 64}} {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &approx}
			e := openOnFake(t, newFakeGPU(t, 4000), Options{ScoreOnly: scoreOnly, Approx: o.Approx})
			b := variants(t, 60, 3000)
			early := 0
			for _, p := range b.Pairs {
				if _, first := approx.Cuts(len(p.Pattern), len(p.Text)); first {
					early++
				}
			}
			s := asInBands(t, withCPU(t, e, o), o, b)
			switch {
			case s.Fallback.Pairs() > 0:
				t.Errorf("%+v: %d pairs fall back", approx, s.Fallback.Pairs())
			case approx.Band != 0 && s.Kernels["pieces"] > 0:
				t.Errorf("%+v: %d pairs were cut", approx, s.Kernels["pieces"])
			case approx.Band == 0 && (s.Kernels["pieces"] < 20 || s.Passes["approx"].First+int64(early) <= int64(len(b.Pairs)) || s.Kernels["approx"] == 0):
				t.Errorf("%+v: of %d pairs, %d of unequal lengths: %+v", approx, len(b.Pairs), early, s)
			}
		}
	}
}

// The kernels that ship report which pairs leave their bands as the CPU does, and align pieces.
func TestEmulatedPieces(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("score=%v", scoreOnly), func(t *testing.T) {
			t.Parallel()
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &align.Approx{}}
			e := openEmulated(t, Options{ScoreOnly: scoreOnly, Approx: o.Approx})
			s := asInBands(t, withCPU(t, e, o), o, variants(t, 24, 2600))
			if s.Fallback.Pairs() > 0 || s.Kernels["pieces"] < 8 || s.Kernels["approx"] < 5 {
				t.Errorf("%+v", s)
			}
		})
	}
}
