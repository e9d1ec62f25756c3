package gpu

import (
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/kernel"
)

// Every kernel on a few pairs that are soon done: for compute-sanitizer, under
// which they are a hundred times slower (scripts/gpu-check.sh sanitize).
func TestSanitizedOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, v := range kernel.Variants() {
		k := registerKernel{Variant: v}
		name := strings.TrimSuffix(v.Names[0], "_score")
		if v.Family.Name == "adaptive_warp" {
			t.Run(name, func(t *testing.T) {
				pairs := simulated(t, 3, simulate.Options{Length: 120, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 65})
				band := 2*k.half() - kernel.Unroll(v.Penalties)
				sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.Approx = &align.Approx{Band: band, Lambda: 7} })
			})
			continue
		}
		// A bound just within what the kernel certifies selects it.
		bound := certified(v.Penalties, 0, k.half()) - 8
		t.Run(name, func(t *testing.T) {
			pairs := simulated(t, 2*v.Pairs+1, simulate.Options{
				Length: bound/2 + 40, ErrorRate: min(0.02, float64(bound)/float64(bound+80)/8), Seed: 60,
			})
			sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.MaxError.Score = bound })
		})
	}
	for _, tc := range blockBands {
		t.Run("adaptive_block_"+tc.name, func(t *testing.T) {
			pairs := simulated(t, 3, simulate.Options{Length: 600, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 66})
			sanitized(t, pairs, tc.penalties, func(g *Options) { g.Approx = &tc.approx })
		})
	}
	for _, p := range []align.Penalties{{Mismatch: 3, GapOpen: 1, GapExtend: 4}, {Mismatch: 1, GapOpen: 0, GapExtend: 1}} {
		t.Run("general_"+p.String(), func(t *testing.T) {
			sanitized(t, simulated(t, 20, simulate.Options{Length: 120, ErrorRate: 0.1, Seed: 61}), p, nil)
		})
	}
	t.Run("general_checkpoints", func(t *testing.T) {
		pairs := simulated(t, 1, simulate.Options{Length: 4000, ErrorRate: 0.3, Seed: 62})
		sanitized(t, pairs, align.Penalties{Mismatch: 1, GapOpen: 2, GapExtend: 1}, func(g *Options) {
			g.Memory = 64 << 20
			g.MaxError.Score = 3900
		})
	})
	t.Run("packing_on_the_device", func(t *testing.T) {
		pairs := simulated(t, 40, simulate.Options{Length: 150, ErrorRate: 0.05, NRate: 0.001, Seed: 63})
		sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.packOnDevice = true })
	})
	t.Run("escalation", func(t *testing.T) {
		pairs := simulated(t, 10, simulate.Options{Length: 300, ErrorRate: 0.1, Seed: 64})
		sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.MaxError.Score = 1 })
	})
}

// sanitized aligns a batch in both modes and compares with the CPU.
func sanitized(t *testing.T, b *align.Batch, p align.Penalties, change func(*Options)) {
	t.Helper()
	var g Options
	if change != nil {
		change(&g)
	}
	o := align.Options{Penalties: p, Approx: g.Approx}
	for _, o.ScoreOnly = range []bool{false, true} {
		e := openOnDevice(t, o, change)
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		t.Logf("score only %v: %+v", o.ScoreOnly, e.GPU.Stats())
		wantAsOnCPU(t, o, b)
	}
}
