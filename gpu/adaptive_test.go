package gpu

import (
	"fmt"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
)

// bandSettings are ordinary, tiny and odd ones, and the widest that each
// kernel takes.
var bandSettings = []align.Approx{
	{}, {Lambda: 10}, {Band: 8, Lambda: 1}, {Band: 9, Lambda: 3}, {Band: 33, Lambda: 7}, {Band: 61, Lambda: 50},
	{Band: 64, Lambda: 25}, {Band: 125, Lambda: 10}, {Band: 189, Lambda: 50}, {Band: 253, Lambda: 100}, {Band: 317, Lambda: 11},
	{Band: 573, Lambda: 200}, {Band: 1024, Lambda: 5}, {Band: 1085, Lambda: 8192},
}

// bandPairs are short and long, similar and unrelated, and of unequal lengths.
func bandPairs(t testing.TB, count int, seed uint64) *align.Batch {
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

// asInBands aligns pairs on e, in o's mode, and holds the results against the
// CPU engine's.
func asInBands(t *testing.T, e *gpuAndCPU, o align.Options, b *align.Batch) Stats {
	t.Helper()
	start := time.Now()
	mustAlignAll(t, e, b)
	took := time.Since(start)
	wantAsOnCPU(t, o, b)
	s := wantStats(t, e.GPU, len(b.Pairs))
	t.Logf("%+v, score only %v: %.3f s, %+v", *o.Approx, o.ScoreOnly, took.Seconds(), s)
	if s.Fallback.Memory > 0 {
		t.Errorf("%d pairs fall back to the CPU for want of memory", s.Fallback.Memory)
	}
	return s
}

func TestApproxOnFake(t *testing.T) {
	launched := map[string]bool{}
	for i, approx := range bandSettings {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, ScoreOnly: scoreOnly, Approx: &approx}
			g := newFakeGPU(t, 4000)
			e := openOnFake(t, g, Options{Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx})
			s := asInBands(t, withCPU(t, e, o), o, bandPairs(t, 40, uint64(i+1)))
			if s.Kernels["approx"] == 0 {
				t.Error("no pair was aligned in an adaptive band")
			}
			for name := range g.counts {
				launched[name] = true
			}
		}
	}
	for name, k := range registerKernels() {
		if k.Family.Name == "adaptive_warp" && !launched[name] {
			t.Errorf("%s was never launched", name)
		}
	}
}

// bandCase is an adaptive band at some penalties, and a length of pairs for it.
type bandCase struct {
	name      string
	penalties align.Penalties
	approx    align.Approx
	length    int
}

// blockBands are bands that the adaptive_warp family does not take.
var blockBands = []bandCase{
	{"penalties", align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, align.Approx{Band: 64}, 100},
	{"automatic", align.Penalties{Mismatch: 6, GapOpen: 5, GapExtend: 3}, align.Approx{}, 3000},
	{"edits", align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}, align.Approx{Band: 9, Lambda: 3}, 300},
	{"wide", align.DefaultPenalties, align.Approx{Band: 1086}, 100},
	{"wider", align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}, align.Approx{Band: 700}, 100},
	{"widest", align.DefaultPenalties, align.Approx{Band: align.MaxBand}, 100},
	{"lambda", align.DefaultPenalties, align.Approx{Band: 64, Lambda: abi.MaxLambda + 1}, 100},
}

func TestAdaptiveBlockOnFake(t *testing.T) {
	for _, tc := range blockBands {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s_%v", tc.name, scoreOnly), func(t *testing.T) {
				o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: &tc.approx}
				g := newFakeGPU(t, 4000)
				e := openOnFake(t, g, Options{Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx, families: blockFamilies})
				b := simulated(t, 2+30*1000/(1000+tc.length), simulate.Options{Length: tc.length, ErrorRate: 0.05, Seed: 7})
				s := asInBands(t, withCPU(t, e, o), o, b)
				if s.Kernels["approx"] != int64(len(b.Pairs)) {
					t.Errorf("%+v", s)
				}
				name := "wfa_adaptive_block_rows"
				if scoreOnly {
					name = "wfa_adaptive_block_score"
				}
				if g.launched(name) == 0 {
					t.Errorf("%s was not launched", name)
				}
			})
		}
	}
}

// Little memory for rows costs passes, or a fallback to the CPU; results are
// the same.
func TestApproxLittleMemoryOnFake(t *testing.T) {
	approx := align.Approx{Band: 1024}
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &approx}
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Approx: o.Approx, Memory: 52 << 20})
	b := simulated(t, 3, simulate.Options{Length: 28_000, ErrorRate: 0.3, Seed: 8})
	b.Pairs = append(b.Pairs, simulated(t, 50, simulate.Options{Length: 300, ErrorRate: 0.2, Seed: 8}).Pairs...)
	mustAlignAll(t, withCPU(t, e, o), b)
	wantAsOnCPU(t, o, b)
	if s := wantStats(t, e, len(b.Pairs)); s.Fallback.Memory != 3 || s.Kernels["approx"] != 50 {
		t.Errorf("%+v", s)
	}
}

// widePenalties and wideBand need a larger ring in an adaptive_block kernel than
// shared memory holds.
var (
	widePenalties = align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}
	wideBand      = align.Approx{Band: 2000}
)

// Blocks whose ring lies in global memory work with little of it, when another
// process has taken most.
func TestAdaptiveBlockWhenMemoryIsScarce(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		for _, leave := range []int{150, 80, 40} { // MiB
			o := align.Options{Penalties: widePenalties, Approx: &wideBand, ScoreOnly: scoreOnly}
			e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, Approx: o.Approx, ScoreOnly: scoreOnly})
			free, _, err := e.dev.Memory()
			if err != nil {
				t.Fatal(err)
			}
			taken, err := e.dev.Alloc(int(free) - leave<<20)
			if err != nil {
				t.Fatal(err)
			}
			b := simulated(t, 300, simulate.Options{Length: 150, ErrorRate: 0.01, Seed: 9})
			asInBands(t, withCPU(t, e, o), o, b)
			if err := e.dev.Free(taken); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A bound on the score below the cheapest error does not make a pair fall back.
func TestAdaptiveBlockBelowTheCheapestError(t *testing.T) {
	o := align.Options{Penalties: align.Penalties{Mismatch: 9, GapOpen: 0, GapExtend: 3}, Approx: &align.Approx{Band: 64}}
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, Approx: o.Approx, MaxError: ErrorBound{Score: 1}})
	b := simulated(t, 20, simulate.Options{Length: 100, ErrorRate: 0.02, Seed: 10})
	b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGT"), Text: []byte("ACGT")})
	asInBands(t, withCPU(t, e, o), o, b)
}
