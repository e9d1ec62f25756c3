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

// windowSettings are ordinary, tiny and odd ones, and the widest that each
// kernel takes.
var windowSettings = []align.Approx{
	{}, {Lambda: 10}, {Band: 8, Lambda: 1}, {Band: 9, Lambda: 3}, {Band: 33, Lambda: 7}, {Band: 61, Lambda: 50},
	{Band: 64, Lambda: 25}, {Band: 125, Lambda: 10}, {Band: 189, Lambda: 50}, {Band: 253, Lambda: 100}, {Band: 317, Lambda: 11},
	{Band: 573, Lambda: 200}, {Band: 1024, Lambda: 5}, {Band: 1085, Lambda: 8192},
}

// windowPairs are short and long, alike and not at all, and of unequal lengths.
func windowPairs(t testing.TB, count int, seed uint64) *align.Batch {
	t.Helper()
	b := mixedPairs(t, count, seed)
	for i, c := range aligntest.RandomCases(seed, count/4+1, 300) {
		p := align.Pair{Pattern: c.Pattern, Text: c.Text}
		if i%3 == 0 {
			p.Text = append(append([]byte{}, p.Text...), b.Pairs[i%len(b.Pairs)].Text...)
		}
		b.Pairs = append(b.Pairs, p)
	}
	return b
}

// asInWindows aligns pairs on e, in o's mode, and holds the results against the
// CPU engine's.
func asInWindows(t *testing.T, e *gpuAndCPU, o align.Options, b *align.Batch) Stats {
	t.Helper()
	start := time.Now()
	mustAlignAll(t, e, b)
	took := time.Since(start)
	wantAsOnCPU(t, o, b)
	s := wantStats(t, e.GPU, len(b.Pairs))
	t.Logf("%+v, score only %v: %.3f s, %+v", *o.Approx, o.ScoreOnly, took.Seconds(), s)
	if s.Memory > 0 {
		t.Errorf("pairs were left to the CPU for no reason")
	}
	return s
}

func TestApproxOnFake(t *testing.T) {
	for i, approx := range windowSettings {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, ScoreOnly: scoreOnly, Approx: &approx}
			e := openOnFake(t, newFakeGPU(t, 4000), Options{
				Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx, packOnDevice: i%2 == 0,
			})
			s := asInWindows(t, withCPU(t, e, o), o, windowPairs(t, 40, uint64(i+1)))
			if s.Approx == 0 {
				t.Error("no pair was aligned in a window")
			}
		}
	}
}

// otherWindows are what the variants are not for: the window kernel's.
var otherWindows = []struct {
	name      string
	penalties align.Penalties
	approx    align.Approx
	length    int
}{
	{"penalties", align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, align.Approx{Band: 64}, 100},
	{"automatic", align.Penalties{Mismatch: 6, GapOpen: 5, GapExtend: 3}, align.Approx{}, 3000},
	{"edits", align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}, align.Approx{Band: 9, Lambda: 3}, 300},
	{"wide", align.DefaultPenalties, align.Approx{Band: 1086}, 100},
	{"wider", align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}, align.Approx{Band: 700}, 100},
	{"widest", align.DefaultPenalties, align.Approx{Band: align.MaxBand}, 100},
	{"lambda", align.DefaultPenalties, align.Approx{Band: 64, Lambda: maxLambda + 1}, 100},
	{"long", align.DefaultPenalties, align.Approx{}, maxOffset + 500},
}

func TestWindowKernelOnFake(t *testing.T) {
	for _, tc := range otherWindows {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s_%v", tc.name, scoreOnly), func(t *testing.T) {
				o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: &tc.approx}
				g := newFakeGPU(t, 4000)
				e := openOnFake(t, g, Options{Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx})
				b := simulated(t, 2+30*1000/(1000+tc.length), simulate.Options{Length: tc.length, ErrorRate: 0.05, Seed: 7})
				s := asInWindows(t, withCPU(t, e, o), o, b)
				if s.Approx != int64(len(b.Pairs)) {
					t.Errorf("%+v", s)
				}
				name := "wfa_window_rows"
				if scoreOnly {
					name = "wfa_window_score"
				}
				if g.launched(name) == 0 {
					t.Errorf("%s was not launched", name)
				}
			})
		}
	}
}

// Little memory for rows costs passes, or leaves pairs to the CPU; results are
// the same.
func TestApproxLittleMemoryOnFake(t *testing.T) {
	approx := align.Approx{Band: 1024}
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &approx}
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Approx: o.Approx, Memory: 52 << 20})
	b := simulated(t, 3, simulate.Options{Length: 28_000, ErrorRate: 0.3, Seed: 8})
	b.Pairs = append(b.Pairs, simulated(t, 50, simulate.Options{Length: 300, ErrorRate: 0.2, Seed: 8}).Pairs...)
	mustAlignAll(t, withCPU(t, e, o), b)
	wantAsOnCPU(t, o, b)
	if s := wantStats(t, e, len(b.Pairs)); s.Memory != 3 || s.Approx != 50 {
		t.Errorf("%+v", s)
	}
}

func TestApproxOptions(t *testing.T) {
	if _, err := open(newFakeGPU(t, 1000).API(), drivertest.Image, Options{Approx: &align.Approx{Band: 1}}); err == nil {
		t.Error("a band of one diagonal is taken")
	}
}

// TestWindowKernelOnDevice is TestApproxOnDevice for what the variants are not for.
func TestWindowKernelOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for i, tc := range otherWindows {
		count := 20_000
		if testing.Short() || tc.length > 10_000 || tc.approx.Band > 2000 {
			count /= 50
		}
		b := windowPairs(t, count, 30+uint64(i))
		b.Pairs = append(b.Pairs, simulated(t, 4+20_000/tc.length, simulate.Options{
			Length: tc.length, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 31,
		}).Pairs...)
		if tc.approx.Band == 0 {
			b.Pairs = append(b.Pairs, simulated(t, 3, simulate.Options{Length: 70_000, ErrorRate: 0.08, Seed: 32}).Pairs...)
		}
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s_%v", tc.name, scoreOnly), func(t *testing.T) {
				o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: &tc.approx}
				asInWindows(t, openOnDevice(t, o, nil), o, b)
			})
		}
	}
}

// TestApproxOnDevice holds the approximate mode against the CPU engine's, score
// for score and alignment for alignment. Under -short, one pair in fifty.
func TestApproxOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	count := 160_000 // windowPairs makes about as many
	if testing.Short() {
		count /= 50
	}
	b := windowPairs(t, count, 20)
	long := simulated(t, max(count/800, 4), simulate.Options{Length: 10_000, ErrorRate: 0.1, Seed: 21})
	long.Pairs = append(long.Pairs, simulated(t, max(count/800, 4), simulate.Options{
		Length: 6000, ErrorRate: 0.15, Model: simulate.Bursts, Seed: 22,
	}).Pairs...)
	for _, approx := range windowSettings {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &approx}
			t.Run(fmt.Sprintf("%d_%d_%v", approx.Band, approx.Lambda, scoreOnly), func(t *testing.T) {
				e := openOnDevice(t, o, nil)
				asInWindows(t, e, o, b)
				if approx.Band == 0 || approx.Band > 32 { // narrower ones lose long pairs, which then take the CPU long
					mustAlignAll(t, e, long)
					wantAsOnCPU(t, o, long)
				}
			})
		}
	}
}

// The real sets: scores as on the CPU.
func TestApproxRealDataOnDevice(t *testing.T) {
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
				if err := e.AlignBatch(t.Context(), b); err != nil {
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
