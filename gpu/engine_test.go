package gpu

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// openOnDevice opens the GPU with the CPU engine behind it. change may be nil.
func openOnDevice(t testing.TB, o align.Options, change func(*Options)) *gpuAndCPU {
	t.Helper()
	drivertest.RequireDevice(t)
	g := Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, Approx: o.Approx}
	if change != nil {
		change(&g)
	}
	e, err := Open(g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &gpuAndCPU{GPU: e, CPU: cpu}
}

// The GPU, with the CPU engine behind it, meets the contract of all engines.
func TestEngineOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine { return openOnDevice(t, o, nil) })
}

// simulated makes a batch.
func simulated(t testing.TB, count int, o simulate.Options) *align.Batch {
	t.Helper()
	g, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{First: 1}
	for range count {
		p, q := g.Next()
		b.Pairs = append(b.Pairs, align.Pair{Pattern: bytes.Clone(p), Text: bytes.Clone(q)})
	}
	return b
}

// wantAsOnCPU aligns the pairs on the CPU, too, and holds the results against
// each other: scores, and every alignment letter by letter where the CPU has
// the memory to trace it as the GPU does.
func wantAsOnCPU(t *testing.T, o align.Options, b *align.Batch) {
	t.Helper()
	o.Memory = 2 << 30
	cpu, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	want := &align.Batch{First: 1, Pairs: b.Pairs}
	if err := cpu.AlignBatch(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	bidirectional := cpu.Stats().Bidirectional
	wrong := 0
	for i := range b.Pairs {
		p, got, want := &b.Pairs[i], &b.Results[i], &want.Results[i]
		var bad error
		switch {
		case got.Err != nil:
			bad = got.Err
		case got.Score != want.Score:
			bad = fmt.Errorf("score %d, want %d", got.Score, want.Score)
		case o.ScoreOnly:
		case bidirectional == 0 && !slices.Equal(got.CIGAR, want.CIGAR):
			bad = fmt.Errorf("CIGAR %v, want %v", got.CIGAR, want.CIGAR)
		default:
			bad = aligntest.Check(p.Pattern, p.Text, o.Penalties, *got)
		}
		if bad == nil {
			continue
		}
		if wrong++; wrong <= 3 {
			t.Errorf("pair %d, lengths %d and %d: %.500v", i, len(p.Pattern), len(p.Text), bad)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d pairs are wrong", wrong, len(b.Pairs))
	}
}

// Random pairs of the lengths and error rates that people have, on the GPU as
// on the CPU. Under -short, one in fifty.
func TestRandomPairsOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, s := range []struct {
		length, count int
		rates         []float64
	}{
		{150, 500_000, []float64{0.02, 0.05, 0.10, 0.20}},
		{1000, 67_000, []float64{0.02, 0.05, 0.10}},
		{10_000, 1700, []float64{0.02, 0.05, 0.10}},
		{50_000, 67, []float64{0.01, 0.03, 0.10}},
		{200_000, 7, []float64{0.01, 0.03, 0.10}},
	} {
		for _, rate := range s.rates {
			for _, model := range []simulate.Model{simulate.Uniform, simulate.Bursts} {
				t.Run(fmt.Sprintf("%d_%v_%s", s.length, rate, model), func(t *testing.T) {
					count := s.count
					if model == simulate.Bursts {
						count = max(count/10, 1)
					}
					if testing.Short() {
						if s.length >= 50_000 {
							t.Skip("takes seconds: not run under -short")
						}
						count = max(count/50, 2)
					}
					b := simulated(t, count, simulate.Options{Length: s.length, ErrorRate: rate, Model: model, Seed: 71})
					o := align.Options{Penalties: align.DefaultPenalties}
					for _, o.ScoreOnly = range []bool{false, true} {
						e := openOnDevice(t, o, nil)
						start := time.Now()
						if err := e.AlignBatch(t.Context(), b); err != nil {
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
			if err := e.AlignBatch(t.Context(), b); err != nil {
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
					if err := e.AlignBatch(t.Context(), b); err != nil {
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
				if err := e.AlignBatch(t.Context(), b); err != nil {
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
			if err := e.AlignBatch(t.Context(), b); err != nil {
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
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if r := b.Results[0]; r.Score != want[i].Score || !slices.Equal(r.CIGAR, want[i].CIGAR) {
			t.Fatalf("alone, pair %d has score %d, CIGAR %v; among others %d, %v", i, r.Score, r.CIGAR, want[i].Score, want[i].CIGAR)
		}
	}
}

// Another process leaves 2 GB and 500 MB of the device's memory, before and
// while the engine is at work: all is right, if slower.
func TestLittleMemoryOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	var pairs []align.Pair
	for i, s := range []simulate.Options{
		{Length: 150, ErrorRate: 0.05}, {Length: 10_000, ErrorRate: 0.1}, {Length: 50_000, ErrorRate: 0.02},
	} {
		s.Seed = uint64(90 + i)
		pairs = append(pairs, simulated(t, 4_000_000/s.Length/max(1, s.Length/20_000), s).Pairs...)
	}
	o := align.Options{Penalties: align.DefaultPenalties}
	for _, left := range []uint64{2 << 30, 500 << 20} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d_MiB_before_%v", left>>20, before), func(t *testing.T) {
				var e *gpuAndCPU
				if !before {
					e = openOnDevice(t, o, nil)
				}
				occupy(t, left)
				if before {
					e = openOnDevice(t, o, nil)
				}
				b := &align.Batch{Pairs: pairs}
				start := time.Now()
				if err := e.AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				t.Logf("%.3f s, %+v", time.Since(start).Seconds(), e.GPU.Stats())
				wantAsOnCPU(t, o, b)
			})
		}
	}
}

// occupied is set in a process that does nothing but hold device memory.
const occupied = "WFAGPU_TEST_LEAVE_BYTES"

// occupy has another process take all but some of the free device memory until
// the test ends.
func occupy(t *testing.T, leave uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOccupy$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", occupied, leave))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the process that held memory: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "holding\n" {
		t.Fatalf("the process that should hold memory says %q (%v)", line, err)
	}
}

// TestOccupy is the other process of occupy.
func TestOccupy(t *testing.T) {
	leave, err := strconv.ParseUint(os.Getenv(occupied), 10, 64)
	if err != nil {
		t.Skipf("%s is not set: this is no test but a process of another one", occupied)
	}
	api, err := driver.Load()
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Open(api, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	free, _, err := d.Memory()
	if err != nil {
		t.Fatal(err)
	}
	if free > leave {
		p, err := d.Alloc(int(free - leave))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Free(p)
	}
	fmt.Println("holding")
	io.Copy(io.Discard, os.Stdin)
}

// Every kernel on a few pairs that are soon done: for compute-sanitizer, under
// which they are a hundred times slower (scripts/gpu-check.sh sanitize).
func TestSanitizedOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for i := range variants {
		v := &variants[i]
		if v.kind == kindApprox {
			t.Run("approx_"+v.shape, func(t *testing.T) {
				pairs := simulated(t, 3, simulate.Options{Length: 120, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 65})
				band := 2*v.half() - round(align.DefaultPenalties)
				sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.Approx = &align.Approx{Band: band, Lambda: 7} })
			})
			continue
		}
		// A bound just within what the variant certifies selects it.
		limit := v.certifies(&align.DefaultPenalties, 0) - 8
		t.Run(fmt.Sprintf("%v_%s", v.kind, v.shape), func(t *testing.T) {
			pairs := simulated(t, 2*v.pairsPerBlock()+1, simulate.Options{
				Length: limit/2 + 40, ErrorRate: min(0.02, float64(limit)/float64(limit+80)/8), Seed: 60,
			})
			sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.MaxError.Score = limit })
		})
	}
	for _, tc := range otherWindows {
		t.Run("window_"+tc.name, func(t *testing.T) {
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
