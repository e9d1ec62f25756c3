package gpu

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// openOnDevice opens the GPU with the CPU engine behind it. change may be nil.
func openOnDevice(t testing.TB, o align.Options, change func(*Options)) *Rescue {
	t.Helper()
	requireDevice(t)
	g := Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly}
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
	return &Rescue{GPU: e, Other: cpu}
}

// The GPU, with the CPU engine behind it, meets the contract of all engines.
func TestEngineOnDevice(t *testing.T) {
	requireDevice(t)
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
	requireDevice(t)
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
	requireDevice(t)
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
	requireDevice(t)
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
