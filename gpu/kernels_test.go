package gpu

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/estimate"
)

// Every kernel of the engine has pairs that suit it best.
func TestEveryKernelOnFake(t *testing.T) {
	p, _ := align.DefaultPenalties.Reduced()
	for _, scoreOnly := range []bool{false, true} {
		o := align.Options{Penalties: p, ScoreOnly: scoreOnly}
		run := func(name string, bound int) {
			// Equal lengths, so that nothing but ErrorBound sets the score bound.
			count, length := max(2, 10-bound/100), max(bound, 50)
			if strings.HasPrefix(name, "wfa_long") {
				length = 33_000
			} else if strings.Contains(name, "Packed") {
				bound, length = packedPairs(name, bound)
			}
			b := simulated(t, count, simulate.Options{Length: length, ErrorRate: min(0.01, float64(bound)/float64(8*length)), Model: simulate.Substitution, Seed: 3})
			g := newFakeGPU(t, 16_000)
			e := openOnFake(t, g, Options{Penalties: p, ScoreOnly: scoreOnly, MaxError: ErrorBound{Score: bound}})
			mustAlignAll(t, e, b)
			wantAsOnCPU(t, o, b)
			if g.launched(name) == 0 {
				t.Errorf("%s was not launched for scores up to %d", name, bound)
			}
			wantStats(t, e, len(b.Pairs))
		}
		most := 0
		for name, k := range registerKernels() {
			if strings.HasPrefix(k.Family.Name, "adaptive") || k.rows == scoreOnly || strings.Contains(name, smallShared) {
				continue
			}
			bound := certified(p, 0, k.half())
			run(name, bound)
			most = max(most, bound)
		}
		run("wfa_tiles", most+1)
	}
}

// smallShared is the shape whose packed tables are for GPUs with less shared memory than the fake's.
const smallShared = "8x4x2_Packed"

// packedPairs returns a bound and the length of pairs for which a kernel with packed tables is the
// fastest: pairs that are shorter or have more errors take the other tables.
func packedPairs(name string, most int) (bound, length int) {
	switch {
	case strings.Contains(name, "7x2x2"):
		return 850, 13_000
	case strings.Contains(name, "8x3x2"):
		return 1950, 28_000
	}
	return most, 9000
}

// A first bound that is far too low costs passes, not exactness.
func TestEscalationOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		var pairs []align.Pair
		for _, length := range []int{30, 150, 700} {
			// Equal lengths, so that nothing but ErrorBound sets the score bound.
			pairs = append(pairs, simulated(t, 100, simulate.Options{
				Length: length, ErrorRate: 0.1, Model: simulate.Substitution, Seed: 5,
			}).Pairs...)
		}
		pairs = append(pairs, simulated(t, 50, simulate.Options{Length: 150, Seed: 6}).Pairs...)
		b := &align.Batch{Pairs: pairs}
		opts.MaxError = ErrorBound{Score: 1}
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		mustAlignAll(t, e, b)
		wantAsOnCPU(t, o, b)
		if s := wantStats(t, e, len(pairs)); s.SecondPass != 300 {
			t.Errorf("%d pairs took a second pass, want 300", s.SecondPass)
		}
	})
}

// Bounds that make no sense are as good as any.
func TestOddBoundsOnFake(t *testing.T) {
	for _, bound := range []ErrorBound{
		{Score: -5}, {Fraction: -1}, {Fraction: 1e-300}, {Fraction: 1}, {Fraction: 1000}, {Score: 1 << 30}, {Score: math.MaxInt}, {Fraction: 1e300}, {Fraction: math.NaN()}, {Fraction: math.Inf(1)},
	} {
		for _, scoreOnly := range []bool{false, true} {
			b := mixedPairs(t, 100, 7)
			e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: scoreOnly, MaxError: bound})
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Fallback.Memory > 0 {
				t.Errorf("%+v: %d pairs fall back for want of memory", bound, s.Fallback.Memory)
			}
		}
	}
}

// The longest text and the longest pattern of a launch may be of different
// pairs, and the tables of both must fit into shared memory: lengths around
// the largest, differences both ways, scores so low that the cheapest kernels are
// chosen.
func TestSharedMemoryLimitsOnFake(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		around  int
		kernels []string
	}{
		{380, []string{"wfa_warp_2_3_1_8x1_16"}},
		{890, []string{"wfa_warp_2_3_1_8x1_16", "wfa_warp_2_3_1_32x2_Packed"}},
		{3000, []string{"wfa_warp_2_3_1_32x2_Packed"}},
		{14_400, []string{"wfa_warp_2_3_1_32x2_Packed"}},
		{31_800, []string{"wfa_warp_2_3_1_32x2_Packed", "wfa_tiles_2_3_1_4x8_shared"}},
	} {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			g := newFakeGPU(t, 4000)
			e := openOnFake(t, g, Options{ScoreOnly: scoreOnly})
			var seen estimate.Observations
			for class := range estimate.Classes {
				for range 2 * estimate.Enough {
					seen.Add(1, 1<<class, class)
				}
			}
			e.estimate.Learn(&seen)
			b := &align.Batch{}
			for step := -8; step <= 8; step++ {
				n := tc.around + step*tc.around/200
				for _, d := range []int{1, tc.around / 400} {
					b.Pairs = append(b.Pairs, prefixes(r, n, n+d), prefixes(r, n+d, n))
				}
			}
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
			for _, name := range tc.kernels {
				if g.launched(name) == 0 {
					t.Errorf("lengths around %d: %s is not launched", tc.around, name)
				}
			}
		}
	}
}
