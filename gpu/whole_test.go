package gpu

import (
	"bytes"
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

// A pair whose whole matrix does not fit into memory goes on with the bound that it had, and not above the cutoff.
func TestWholeMatrixWithoutMemoryOnFake(t *testing.T) {
	const n = 50_000
	pair := align.Pair{Pattern: bytes.Repeat([]byte("ACCAC"), n/5), Text: bytes.Repeat([]byte("GTTGG"), n/5)}
	o := align.Options{Penalties: align.Penalties{Mismatch: 1, GapOpen: 1, GapExtend: 8}, Cutoff: n * 8 / 10}
	for _, families := range []string{"gotoh gated " + wavefrontFamilies + " span", wholeFamilies} {
		b := &align.Batch{Pairs: []align.Pair{pair}}
		e := openOnFake(t, newFakeGPU(t, 1500), Options{Penalties: o.Penalties, Cutoff: o.Cutoff, families: families})
		mustAlignAll(t, withCPU(t, e, o), b)
		if s := e.Stats(); b.Results[0].Score != align.Beyond || s.Kernels["span"] > 0 {
			t.Errorf("%s: score %d of a pair beyond %d: %+v", families, b.Results[0].Score, o.Cutoff, s)
		}
	}

	// Without a cutoff, wavefronts have room for the likely score where they have none for the worst one.
	o = align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}}
	b := simulated(t, 2, simulate.Options{Length: 20_000, ErrorRate: 0.1, Seed: 34})
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, Memory: 100 << 20, families: wholeFamilies})
	mustAlignAll(t, e, b)
	wantAsOnCPU(t, o, b)
	if s := wantStats(t, e, len(b.Pairs)); s.Kernels["general"] != int64(len(b.Pairs)) {
		t.Errorf("%+v", s)
	}
}
