package gpu

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Random pairs of the lengths and error rates that people have, on the GPU as
// on the CPU. Under -short, one in fifty.
func TestRandomPairsOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	eachDeviceSet(t, 50_000, []deviceSet{
		{150, 500_000, []float64{0.02, 0.05, 0.10, 0.20}},
		{1000, 67_000, []float64{0.02, 0.05, 0.10}},
		{10_000, 1700, []float64{0.02, 0.05, 0.10}},
		{50_000, 67, []float64{0.01, 0.03, 0.10}},
		{200_000, 7, []float64{0.01, 0.03, 0.10}},
	}, func(t *testing.T, count int, set simulate.Options) {
		set.Seed = 71
		b := simulated(t, count, set)
		o := align.Options{Penalties: align.DefaultPenalties}
		for _, o.ScoreOnly = range []bool{false, true} {
			e := openOnDevice(t, o, nil)
			start := time.Now()
			if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			stats := e.GPU.Stats()
			t.Logf("score only %v: %.3f s, %+v", o.ScoreOnly, took.Seconds(), stats)
			if stats.Finished() != int64(count) {
				t.Errorf("%d of %d pairs were finished on the GPU", stats.Finished(), count)
			}
			wantAsOnCPU(t, o, b)
		}
	})
}

// deviceSet is simulated pairs of a length with several error rates.
type deviceSet struct {
	length, count int
	rates         []float64
}

// eachDeviceSet calls do for every rate, for errors in bursts with fewer pairs. Under -short,
// there is one pair in fifty, and none of a length from long on.
func eachDeviceSet(t *testing.T, long int, sets []deviceSet, do func(t *testing.T, count int, o simulate.Options)) {
	for _, s := range sets {
		for _, rate := range s.rates {
			for _, model := range []simulate.Model{simulate.Uniform, simulate.Bursts} {
				t.Run(fmt.Sprintf("%d_%v_%s", s.length, rate, model), func(t *testing.T) {
					count := s.count
					if model == simulate.Bursts {
						count = max(count/10, 1)
					}
					if testing.Short() {
						if s.length >= long {
							t.Skip("takes seconds: not run under -short")
						}
						count = max(count/50, 2)
					}
					do(t, count, simulate.Options{Length: s.length, ErrorRate: rate, Model: model})
				})
			}
		}
	}
}

// All penalties, on lengths that suit the CPU's patience.
func TestPenaltiesOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	count := 20_000
	if testing.Short() {
		count = 500
	}
	for _, p := range aligntest.PenaltySets() {
		t.Run(p.String(), func(t *testing.T) {
			b := simulated(t, count, simulate.Options{Length: 150, ErrorRate: 0.08, NRate: 0.0001, Seed: 73})
			o := align.Options{Penalties: p}
			e := openOnDevice(t, o, nil)
			if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
				t.Fatal(err)
			}
			wantAsOnCPU(t, o, b)
		})
	}
}

// Every pair of real data has its stored score and an alignment that costs it.
func TestRealDataOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	names, load := aligntest.RealSets(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := load(t, name)
			for _, p := range aligntest.RealPenalties() {
				o := align.Options{Penalties: p}
				for _, o.ScoreOnly = range []bool{false, true} {
					b := aligntest.NewBatch(set.Cases)
					e := openOnDevice(t, o, nil)
					if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
						t.Fatal(err)
					}
					t.Logf("%v, score only %v: %+v", p, o.ScoreOnly, e.GPU.Stats())
					aligntest.CheckReal(t, o, set, 1, b)
				}
			}
		})
	}
}

// However wrong the bound is, every pair comes out exact, on the GPU.
func TestTinyBoundOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, bound := range []ErrorBound{{Score: 1}, {Fraction: 1e-6}, {Fraction: 5}} {
		for _, length := range []int{150, 1000, 10_000, 40_000} {
			t.Run(fmt.Sprintf("%+v_%d", bound, length), func(t *testing.T) {
				b := simulated(t, 4_000_000/length/max(length/1000, 1)+5, simulate.Options{Length: length, ErrorRate: 0.08, Seed: 75})
				o := align.Options{Penalties: align.DefaultPenalties}
				e := openOnDevice(t, o, func(g *Options) { g.MaxError = bound })
				if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
					t.Fatal(err)
				}
				stats := e.GPU.Stats()
				if stats.Finished() != int64(len(b.Pairs)) {
					t.Errorf("%+v for %d pairs", stats, len(b.Pairs))
				}
				wantAsOnCPU(t, o, b)
			})
		}
	}
}

// The bytes that come out do not depend on how pairs are batched, on what the
// engine has seen before, or on the run.
func TestSameBytesOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	var pairs []align.Pair
	for i, s := range []simulate.Options{
		{Length: 150, ErrorRate: 0.05}, {Length: 900, ErrorRate: 0.1}, {Length: 4000, ErrorRate: 0.02, Model: simulate.Bursts},
		{Length: 40_000, ErrorRate: 0.03}, {Length: 150, ErrorRate: 0.3, NRate: 0.01},
	} {
		s.Seed = uint64(80 + i)
		pairs = append(pairs, simulated(t, 2_000_000/s.Length/max(1, s.Length/2000), s).Pairs...)
	}
	o := align.Options{Penalties: align.DefaultPenalties}
	e := openOnDevice(t, o, nil)
	var want []align.Result
	for run := range 10 {
		size := []int{len(pairs), len(pairs)/2 + 1, 1000, 10_000, 37}[run%5]
		var got []align.Result
		for from := 0; from < len(pairs); from += size {
			b := &align.Batch{Pairs: pairs[from:min(from+size, len(pairs))]}
			if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
				t.Fatal(err)
			}
			got = append(got, b.Results...)
		}
		if want == nil {
			want = got
		}
		for i := range want {
			if got[i].Err != nil || got[i].Score != want[i].Score || !slices.Equal(got[i].CIGAR, want[i].CIGAR) {
				t.Fatalf("run %d, batches of %d: pair %d has score %d, CIGAR %v, error %v; at first %d, %v",
					run, size, i, got[i].Score, got[i].CIGAR, got[i].Err, want[i].Score, want[i].CIGAR)
			}
		}
	}
	few := pairs[:300]
	for i := range few { // one pair a batch
		b := &align.Batch{Pairs: few[i : i+1]}
		if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
			t.Fatal(err)
		}
		if r := b.Results[0]; r.Score != want[i].Score || !slices.Equal(r.CIGAR, want[i].CIGAR) {
			t.Fatalf("alone, pair %d has score %d, CIGAR %v; among others %d, %v", i, r.Score, r.CIGAR, want[i].Score, want[i].CIGAR)
		}
	}
}
