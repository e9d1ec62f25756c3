package gpu

import (
	"fmt"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
)

// TestAdaptiveBlockOnDevice is TestApproxOnDevice for bands that the
// adaptive_warp family does not take.
func TestAdaptiveBlockOnDevice(t *testing.T) { testBandsOnDevice(t, blockBands, blockFamilies) }

// TestAdaptiveRingsOnDevice is the same for bands that the adaptive_rings family takes.
func TestAdaptiveRingsOnDevice(t *testing.T) { testBandsOnDevice(t, allRingBands(), "") }

func testBandsOnDevice(t *testing.T, bands []bandCase, families string) {
	t.Helper()
	drivertest.RequireDevice(t)
	for i, tc := range bands {
		count := 20_000
		if testing.Short() || tc.length > 10_000 || tc.approx.Band > 2000 {
			count /= 50
		}
		b := bandPairs(t, count, 30+uint64(i))
		b.Pairs = append(b.Pairs, simulated(t, 4+20_000/tc.length, simulate.Options{
			Length: tc.length, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 31,
		}).Pairs...)
		if tc.approx.Band == 0 {
			b.Pairs = append(b.Pairs, simulated(t, 3, simulate.Options{Length: 70_000, ErrorRate: 0.08, Seed: 32}).Pairs...)
		}
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s_%v", tc.name, scoreOnly), func(t *testing.T) {
				o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: &tc.approx}
				asInBands(t, openOnDevice(t, o, func(g *Options) { g.families = families }), o, b)
			})
		}
	}
}

// TestApproxOnDevice holds the approximate mode against the CPU engine's, score
// for score and alignment for alignment. Under -short, one pair in fifty.
func TestApproxOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	count := 160_000 // about as many as bandPairs makes
	if testing.Short() {
		count /= 50
	}
	b := bandPairs(t, count, 20)
	long := simulated(t, max(count/800, 4), simulate.Options{Length: 10_000, ErrorRate: 0.1, Seed: 21})
	long.Pairs = append(long.Pairs, simulated(t, max(count/800, 4), simulate.Options{
		Length: 6000, ErrorRate: 0.15, Model: simulate.Bursts, Seed: 22,
	}).Pairs...)
	for _, approx := range bandSettings {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &approx}
			t.Run(fmt.Sprintf("%d_%d_%v", approx.Band, approx.Lambda, scoreOnly), func(t *testing.T) {
				e := openOnDevice(t, o, nil)
				asInBands(t, e, o, b)
				if approx.Band == 0 || approx.Band > 32 { // long pairs drift from narrower ones, and take the CPU long
					mustAlignAll(t, e, long)
					wantAsOnCPU(t, o, long)
				}
			})
		}
	}
}

// Pairs that are cut into pieces, of all kinds: none falls back, and all are those of the CPU.
func TestPiecesOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	count := 2000
	if testing.Short() {
		count = 100
	}
	for _, length := range []int{1500, 6000, 30_000} {
		n := max(count*1500/length, 10)
		b := variants(t, n, length)
		b.Pairs = append(b.Pairs, detours(t, n, max(length, 6000)).Pairs...)
		for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 4, GapOpen: 6, GapExtend: 2}, {Mismatch: 5, GapOpen: 3, GapExtend: 2}, align.EditPenalties} {
			for _, scoreOnly := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d_%v_%v", length, p, scoreOnly), func(t *testing.T) {
					o := align.Options{Penalties: p, ScoreOnly: scoreOnly, Approx: &align.Approx{}}
					s := asInBands(t, openOnDevice(t, o, nil), o, b)
					if s.Fallback.Pairs() > 0 || s.Kernels["pieces"] < int64(n/4) {
						t.Errorf("%+v", s)
					}
				})
			}
		}
	}
}

// The real sets: scores as on the CPU.
func TestAdaptiveRealDataOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	settings := []align.Approx{{}, {Band: 16, Lambda: 5}, {Band: 33, Lambda: 7}, {Band: 60, Lambda: 25}, {Band: 256, Lambda: 50}, {Band: 1000, Lambda: 100}}
	names, load := aligntest.RealSets(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := load(t, name)
			step := 1
			if testing.Short() {
				step = 50
			}
			b := &align.Batch{First: 1}
			for i := 0; i < len(set.Cases); i += step {
				b.Pairs = append(b.Pairs, align.Pair{Pattern: set.Cases[i].Pattern, Text: set.Cases[i].Text})
			}
			for _, approx := range settings {
				o := align.Options{Penalties: align.DefaultPenalties, Approx: &approx}
				e := openOnDevice(t, o, nil)
				start := time.Now()
				if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
					t.Fatal(err)
				}
				took := time.Since(start)
				wantAsOnCPU(t, o, b)
				optimal := 0
				for i := range b.Pairs {
					if b.Results[i].Score == set.Scores[o.Penalties][i*step] {
						optimal++
					}
				}
				share := float64(optimal) / float64(len(b.Pairs))
				t.Logf("%+v: %.3f s, %.2f %% optimal, %+v", approx, took.Seconds(), 100*share, e.GPU.Stats())
				if approx.Band == 0 && share < 0.98 && !testing.Short() {
					t.Errorf("%.2f %% of the scores are optimal", 100*share)
				}
			}
		})
	}
}
