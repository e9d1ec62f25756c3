package gpu

import (
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// registerCase is a batch for one kernel with wavefronts or cells in registers, or with rings.
type registerCase struct {
	kernel  string // its name, less the form
	stores  string // its form with alignments
	options Options
	pairs   *align.Batch
}

// registerCases has a case for each such kernel, with pairs that are soon done.
func registerCases(t *testing.T) []registerCase {
	var cases []registerCase
	for _, v := range kernel.Variants() {
		switch v.Family.Name {
		case "tiles", "gotoh", "edit", "span", "warp_free", "block_free", "long_free", "gotoh_free": // the last four: TestWavesOnDevice, TestBandsOnDevice
			continue
		case "adaptive_rings":
			cases = append(cases, ringCases(t, v)...)
			continue
		}
		k := registerKernel{Variant: v}
		c := registerCase{kernel: strings.TrimSuffix(v.Names[0], "_score"), stores: "_rows", options: Options{Penalties: v.Penalties, families: wavefrontFamilies}}
		long := v.Family.Name == "long" || v.Family.Name == "adaptive_long"
		if strings.HasPrefix(v.Family.Name, "adaptive") {
			c.options.Approx = &align.Approx{Band: 2*k.half() - kernel.Unroll(v.Penalties), Lambda: 7}
			length := 120
			switch {
			case long && v.Words == 2:
				length = 34_000
			case k.Bases == 0: // for short pairs there may be a kernel with other tables
				length = 2300
			}
			c.pairs = simulated(t, 3, simulate.Options{Length: length, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 65})
		} else {
			// A bound within what the kernel certifies selects it. There is room
			// for what a difference in length adds.
			bound := certified(v.Penalties, 0, k.half())
			bound -= 8 + bound/16
			length := bound/2 + 40
			if long {
				length = 34_000
			} else if k.Bases == 0 {
				bound, length = packedPairs(c.kernel, bound)
			}
			c.options.MaxError.Score = bound
			c.pairs = simulated(t, 2*v.Pairs+1, simulate.Options{
				Length: length, ErrorRate: min(0.02, float64(bound)/float64(bound+80)/8, float64(bound)/float64(length)/8), Seed: 60,
			})
		}
		if long { // for short pairs there are others
			c.options.families = "long adaptive_long adaptive_block tiles general"
		}
		cases = append(cases, c)
	}
	return append(append(cases, gotohCases(t)...), editCases(t)...)
}

// ringCases are the cases of a kernel of the adaptive-rings family.
func ringCases(t *testing.T, v kernel.Variant) []registerCase {
	var cases []registerCase
	k := registerKernel{Variant: v}
	for _, p := range []align.Penalties{{Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 1, GapOpen: 0, GapExtend: 1}} {
		length := 2300
		if v.Words == 1 { // the origin moves
			length = 34_000
		}
		c := registerCase{kernel: strings.TrimSuffix(v.Names[0], "_score"), stores: "_rows"}
		c.options = Options{
			Penalties: p, Approx: &align.Approx{Band: 2*k.half() - k.unroll(), Lambda: 7},
			families: "adaptive_rings adaptive_block general",
		}
		c.pairs = simulated(t, 3, simulate.Options{Length: length, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 71})
		cases = append(cases, c)
	}
	return cases
}

// gotohCases are the cases of the gotoh family.
func gotohCases(t *testing.T) []registerCase {
	var cases []registerCase
	for _, v := range kernel.Variants() {
		if v.Family.Name != "gotoh" {
			continue
		}
		lanes := v.PairThreads
		if v.Warps > 1 {
			lanes = 64
		}
		for _, p := range []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
			// Texts longer than the strips in flight, and a bound that narrower bands do
			// not certify.
			length := 3*lanes*v.Words + 10
			a := abi.Params{PairThreads: int32(lanes), PairWords: int32(v.Words), GapOpen: int32(p.GapOpen), GapExtend: int32(p.GapExtend)}
			bound := gotohCertified(&a, &abi.Task{PatternLength: int32(length), TextLength: int32(length)})
			if lanes >= 4 { // such kernels use broken seeds, of which nothing is known at first
				bound = boundOfSlack(p, bound, length)
			}
			c := registerCase{kernel: strings.TrimSuffix(v.Names[0], "_score"), stores: "_checkpoints"}
			c.options = Options{Penalties: p, families: gotohFamilies, MaxError: ErrorBound{Score: bound}}
			c.pairs = simulated(t, 2*v.Pairs+1, simulate.Options{Length: length, ErrorRate: 0.01, Model: simulate.Substitution, Seed: 69})
			cases = append(cases, c)
		}
	}
	return cases
}

// boundOfSlack returns a bound whose likely slack, before any is known, is the most up to some.
func boundOfSlack(p align.Penalties, slack, length int) (bound int) {
	e := estimate.Estimator{
		BoundingWork: func(int, int) float64 { return 0 },
		UsualSlack:   func(score, length int) int { return kernel.UsualSlack(p, false, score, length) },
	}
	e.Start(0.1)
	most := 0
	for score := slack; score < 4*slack; score++ {
		if s := e.Rates()[estimate.LengthClass(length)].Likely(score, length).Slack; s > most && s <= slack {
			bound, most = score, s
		}
	}
	return bound
}

// editCases are the cases of the edit family.
func editCases(t *testing.T) []registerCase {
	var cases []registerCase
	for _, v := range kernel.Variants() {
		if v.Family.Name != "edit" {
			continue
		}
		lanes := v.PairThreads
		if v.Warps > 1 {
			lanes = map[int]int{2: 64, 4: 96}[v.Words]
		}
		// The largest bound that the band certifies is one that narrower bands do not. One lane
		// takes pairs of which all rows are in flight.
		length := max(32*lanes*v.Words, 32*(lanes*(v.Words+1)-v.Words), 160) + 32
		if lanes == 1 {
			length = 32 * v.Words
		}
		a := abi.Params{PairThreads: int32(lanes), PairWords: int32(v.Words)}
		bound, _ := editBand(&a, &abi.Task{PatternLength: int32(length), TextLength: int32(length)})
		c := registerCase{kernel: strings.TrimSuffix(v.Names[0], "_score"), stores: "_rows"}
		c.options = Options{Penalties: align.EditPenalties, families: editFamilies, MaxError: ErrorBound{Score: min(bound, length)}}
		c.pairs = simulated(t, 2*v.Pairs+1, simulate.Options{Length: length, ErrorRate: 0.01, Model: simulate.Substitution, Seed: 70})
		cases = append(cases, c)
	}
	return cases
}

// The cases that TestSanitizedOnDevice runs launch the kernels that they are for.
func TestRegisterCasesOnFake(t *testing.T) {
	for _, c := range registerCases(t) {
		for form, scoreOnly := range map[string]bool{"_score": true, c.stores: false} {
			g := newFakeGPU(t, 16_000)
			c.options.ScoreOnly = scoreOnly
			o := align.Options{Penalties: c.options.Penalties, Approx: c.options.Approx, ScoreOnly: scoreOnly}
			mustAlignAll(t, withCPU(t, openOnFake(t, g, c.options), o), c.pairs)
			wantAsOnCPU(t, o, c.pairs)
			if g.launched(c.kernel+form) == 0 && !strings.Contains(c.kernel, smallShared) {
				t.Errorf("%s is not launched", c.kernel+form)
			}
		}
	}
}

// Every kernel on a few pairs that are soon done: for compute-sanitizer, under
// which they are a hundred times slower (scripts/gpu-check.sh sanitize).
func TestSanitizedOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, c := range registerCases(t) {
		t.Run(c.kernel+c.stores, func(t *testing.T) {
			sanitized(t, c.pairs, c.options.Penalties, func(g *Options) {
				g.Approx, g.MaxError, g.families = c.options.Approx, c.options.MaxError, c.options.families
			})
		})
	}
	for _, tc := range blockBands {
		t.Run("adaptive_block_"+tc.name, func(t *testing.T) {
			pairs := simulated(t, 3, simulate.Options{Length: 600, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 66})
			sanitized(t, pairs, tc.penalties, func(g *Options) { g.Approx, g.families = &tc.approx, blockFamilies })
		})
	}
	for _, p := range []align.Penalties{{Mismatch: 3, GapOpen: 1, GapExtend: 4}, {Mismatch: 1, GapOpen: 0, GapExtend: 1}} {
		t.Run("general_"+p.String(), func(t *testing.T) {
			sanitized(t, simulated(t, 20, simulate.Options{Length: 120, ErrorRate: 0.1, Seed: 61}), p, func(g *Options) { g.families = wavefrontFamilies })
		})
	}
	t.Run("general_checkpoints", func(t *testing.T) {
		pairs := simulated(t, 1, simulate.Options{Length: 4000, ErrorRate: 0.3, Seed: 62})
		sanitized(t, pairs, align.Penalties{Mismatch: 1, GapOpen: 2, GapExtend: 1}, func(g *Options) {
			g.Memory = 64 << 20
			g.MaxError.Score, g.families = 3900, wavefrontFamilies
		})
	})
	t.Run("tiles", func(t *testing.T) {
		// A bound that no kernel with wavefronts in registers certifies selects it.
		pairs := simulated(t, 2, simulate.Options{Length: 7000, ErrorRate: 0.01, Model: simulate.Substitution, Seed: 67})
		sanitized(t, pairs, align.DefaultPenalties, func(g *Options) { g.MaxError.Score, g.families = 13_000, tilesFamilies })
	})
	t.Run("gated", func(t *testing.T) {
		b := fewErrors(t, 16, 15)
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}
			e := openOnDevice(t, o, nil)
			takeGated(e.GPU, 0.1)
			mustAlignAll(t, e, b)
			wantAsOnCPU(t, o, b)
			if s := e.GPU.Stats(); s.Passes["gated"].First == 0 {
				t.Errorf("%+v", s)
			}
		}
	})
	t.Run("bounding", func(t *testing.T) {
		pairs := simulated(t, 2, simulate.Options{Length: 3000, ErrorRate: 0.05, Seed: 68})
		sanitized(t, pairs, align.DefaultPenalties, nil)
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
		if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
			t.Fatal(err)
		}
		t.Logf("score only %v: %+v", o.ScoreOnly, e.GPU.Stats())
		wantAsOnCPU(t, o, b)
	}
}
