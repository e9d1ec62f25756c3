package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Pairs that no band takes and whose wavefronts take long have whole matrices, if memory suffices, and others next to
// them wavefronts.
func TestWholeMatricesOnFake(t *testing.T) {
	o := align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}}
	pairs := simulated(t, 3, simulate.Options{Length: 1500, ErrorRate: 0.4, Seed: 31}).Pairs
	pairs = append(pairs, simulated(t, 3, simulate.Options{Length: 20_000, ErrorRate: 0.0001, Seed: 32}).Pairs...)
	for _, tc := range []struct {
		memory int // MiB of the GPU
		whole  bool
	}{{1000, true}, {66, false}} {
		b := &align.Batch{Pairs: pairs}
		if !tc.whole {
			b.Pairs = simulated(t, 2, simulate.Options{Length: 14_000, ErrorRate: 0.4, Seed: 33}).Pairs
		}
		e := openOnFake(t, newFakeGPU(t, tc.memory+130), Options{Penalties: o.Penalties, families: wholeFamilies})
		mustAlignAll(t, withCPU(t, e, o), b)
		wantAsOnCPU(t, o, b)
		s := wantStats(t, e, len(b.Pairs))
		if whole := s.Kernels["span"]; (whole > 0) != tc.whole || tc.whole && s.Kernels["general"] == 0 {
			t.Errorf("%d MiB: %+v", tc.memory, s)
		}
	}
}
