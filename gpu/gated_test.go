package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

const gatedFamilies = "gated " + wavefrontFamilies

// openGated opens an engine on a fake GPU whose pairs take gated passes from the first on, whatever these
// cost: pairs of all lengths have been seen, with scores of some share of the letters.
func openGated(t testing.TB, g *fakeGPU, o Options, share float64) *Engine {
	t.Helper()
	if o.families == "" {
		o.families = gatedFamilies
	}
	e := openOnFake(t, g, o)
	takeGated(e, share)
	return e
}

// takeGated makes the pairs of an engine take gated passes, as openGated says.
func takeGated(e *Engine, share float64) {
	e.estimate.GatedWork = func(int, int) func(int) (float64, bool) {
		return func(int) (float64, bool) { return 0, true }
	}
	var seen estimate.Observations
	for class := range estimate.Classes {
		for range 2 * estimate.Enough {
			seen.Add(int(share*float64(int(1)<<class)), 1<<class, class)
		}
	}
	e.estimate.Learn(&seen)
}

// fewErrors are pairs of few errors and of several lengths, some with a long gap.
func fewErrors(t testing.TB, count int, seed uint64) *align.Batch {
	t.Helper()
	b := &align.Batch{First: 1}
	for i, length := range []int{250, 600, 2000, 5000} {
		for j, rate := range []float64{0.002, 0.01} {
			o := simulate.Options{Length: length, ErrorRate: rate, Seed: seed*10 + uint64(2*i+j)}
			b.Pairs = append(b.Pairs, simulated(t, count/8, o).Pairs...)
		}
	}
	r := rand.New(rand.NewPCG(seed, 9))
	for i := range b.Pairs {
		if p := &b.Pairs[i]; i%7 == 0 {
			at := r.IntN(len(p.Text) / 2)
			p.Text = slices.Concat(p.Text[:at], p.Text[at+min(40, len(p.Text)/4):])
		}
	}
	r.Shuffle(len(b.Pairs), func(i, j int) { b.Pairs[i], b.Pairs[j] = b.Pairs[j], b.Pairs[i] })
	return b
}

// Pairs that take a gated pass have the results of the CPU, whatever the pass finds, with all penalties and
// cutoffs, and with scores alone. Each counts once.
func TestGatedOnFake(t *testing.T) {
	for p, families := range map[align.Penalties]string{
		align.DefaultPenalties: wavefrontFamilies, {Mismatch: 10, GapOpen: 12, GapExtend: 3}: gotohFamilies, align.EditPenalties: editFamilies,
	} {
		for _, cutoff := range []int{0, 25, 200} {
			for outcome := range gatedOutcomes + 1 {
				for _, scoreOnly := range []bool{false, true} {
					t.Run(fmt.Sprintf("%v/%d/%d/score=%v", p, cutoff, outcome, scoreOnly), func(t *testing.T) {
						o := Options{Penalties: p, ScoreOnly: scoreOnly, Cutoff: cutoff, families: "gated " + families}
						wantGated(t, o, outcome)
					})
				}
			}
		}
	}
}

// wantGated aligns pairs whose gated passes have one outcome, or any if it is gatedOutcomes.
func wantGated(t *testing.T, o Options, outcome gatedOutcome) {
	t.Helper()
	g := newFakeGPU(t, 1000)
	if outcome < gatedOutcomes {
		g.gated = always(outcome)
	}
	cpu := align.Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, Cutoff: o.Cutoff}
	e := openGated(t, g, o, 0.05)
	b := fewErrors(t, 160, 3)
	b.Pairs = append(b.Pairs, mixedPairs(t, 60, 4).Pairs...)
	mustAlignAll(t, withCPU(t, e, cpu), b)
	wantAsOnCPU(t, cpu, b)
	if o.Cutoff > 0 {
		wantBeyond(t, e, cpu, b)
	}
	s := wantStats(t, e, len(b.Pairs))
	first := int64(0) // of parts, too
	for _, p := range s.Passes {
		first += p.First
	}
	opens := !o.ScoreOnly && (outcome == gatedOpens || outcome == gatedOutcomes)
	if o.Cutoff == 0 && opens != (first > int64(len(b.Pairs))) {
		t.Errorf("%d first passes of %d pairs and their open parts", first, len(b.Pairs))
	}
	passes := s.Passes["gated"]
	if passes.First < 120 || passes.Second+passes.Later > 0 {
		t.Errorf("%+v", s)
	}
	// Of scores alone, pairs with open parts take other passes.
	most := passes.First
	switch {
	case outcome == gatedBounds || outcome == gatedNothing:
		most = 0
	case o.ScoreOnly && outcome != gatedFinds:
		most--
	}
	if n := s.Kernels["gated"]; n > most || most > 0 && n < 5 {
		t.Errorf("%d pairs of gated passes, want up to %d: %+v", n, most, s)
	}
}

// The user's bounds, a given band of the approximate mode and rates that are not known take no gated passes.
func TestNoGatedPassesOnFake(t *testing.T) {
	b := fewErrors(t, 40, 5)
	for _, o := range []Options{{MaxError: ErrorBound{Score: 50}}, {Approx: &align.Approx{Band: 64}}, {}} {
		o.families = gatedFamilies
		g := newFakeGPU(t, 1000)
		cpu := align.Options{Penalties: align.DefaultPenalties, Approx: o.Approx}
		e := openOnFake(t, g, o)
		mustAlignAll(t, withCPU(t, e, cpu), b)
		wantAsOnCPU(t, cpu, b)
		if s := wantStats(t, e, len(b.Pairs)); g.launched("wfa_gated") > 0 || len(s.Passes) == 0 {
			t.Errorf("%+v: %+v", o, s)
		}
	}
}

// Long pairs of few errors take gated passes but for a pilot, and those of many errors do not.
func TestGatedByScoresOnFake(t *testing.T) {
	for _, rate := range []float64{0.004, 0.1} {
		for _, scoreOnly := range []bool{false, true} {
			g := newFakeGPU(t, 2000)
			g.gated = always(gatedFinds)
			e := openOnFake(t, g, Options{ScoreOnly: scoreOnly, families: "gated general"})
			few := simulated(t, 150, simulate.Options{Length: 3000, ErrorRate: rate, Seed: 6})
			const times = mostUnpiloted/150 + 1
			for range 2 {
				b := repeated(few, times)
				mustAlignAll(t, e, b)
				wantRepeated(t, align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly}, few, b)
			}
			s := wantStats(t, e, 2*times*len(few.Pairs))
			if n := int(s.Passes["gated"].First); rate < 0.01 && n != 2*times*150-pilotTasks || rate > 0.01 && n > 0 {
				t.Errorf("rate %v, scores alone %v: %+v", rate, scoreOnly, s)
			}
		}
	}
}

// A class of lengths whose gated passes fail takes no more of them.
func TestGatedPassesThatFailOnFake(t *testing.T) {
	few := simulated(t, 100, simulate.Options{Length: 700, ErrorRate: 0.005, Seed: 7})
	for _, outcome := range []gatedOutcome{gatedBounds, gatedNothing} {
		g := newFakeGPU(t, 1000)
		g.gated = always(outcome)
		e := openGated(t, g, Options{}, 0.05)
		for range 10 {
			b := repeated(few, 2)
			mustAlignAll(t, e, b)
			wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		}
		s := wantStats(t, e, 10*2*len(few.Pairs))
		if n := s.Passes["gated"].First; n < estimate.EnoughTrials || n > 400 {
			t.Errorf("outcome %d: %+v", outcome, s)
		}
	}
}

// A pair of which a part falls back falls back.
func TestGatedFallBackOnFake(t *testing.T) {
	clean := simulated(t, 2, simulate.Options{Length: 500, ErrorRate: 0.000001, Seed: 8}).Pairs
	b := simulated(t, 10, simulate.Options{Length: 500, ErrorRate: 0.01, Seed: 9})
	for _, p := range simulated(t, 2, simulate.Options{Length: 30_000, ErrorRate: 0.25, Seed: 10}).Pairs {
		b.Pairs = append(b.Pairs, align.Pair{
			Pattern: slices.Concat(clean[0].Pattern, p.Pattern, clean[1].Pattern),
			Text:    slices.Concat(clean[0].Text, p.Text, clean[1].Text),
		})
	}
	o := align.Options{Penalties: align.DefaultPenalties}
	g := newFakeGPU(t, neededMemory(t, Options{}))
	g.gated = always(gatedOpens)
	e := openGated(t, g, Options{families: "gated general"}, 0.5)
	mustAlignAll(t, withCPU(t, e, o), b)
	wantAsOnCPU(t, o, b)
	s := wantStats(t, e, len(b.Pairs))
	if s.Fallback.Memory != 2 || s.Kernels["gated"] != 10 || s.Passes["gated"].First != 12 {
		t.Errorf("%+v", s)
	}
}

// Tasks whose gated passes do not fit into memory take others.
func TestGatedWithoutMemoryOnFake(t *testing.T) {
	e := openGated(t, newFakeGPU(t, neededMemory(t, Options{})), Options{}, 0.05)
	p, r, maxBounds := &e.policy, e.estimate.Rates(), *e.scheduler.maxBounds.Load()
	first := passes.Task{Pattern: 5000, Text: 5000, Class: uint8(estimate.LengthClass(5000))}
	if err := p.First(&first, r, maxBounds); err != nil || !p.Gates(first.Kernel) {
		t.Fatalf("%+v, %v", first, err)
	}
	next := first
	if err := p.Smaller(&next, r, maxBounds); err != nil || p.Gates(next.Kernel) || next.Bound >= first.Bound {
		t.Errorf("%+v, %v", next, err)
	}
	little := slices.Clone(maxBounds)
	little[p.Kernels.Gated] = 20
	if err := p.First(&next, r, little); err != nil || p.Gates(next.Kernel) {
		t.Errorf("%+v, %v", next, err)
	}
}

// The bound of a gated pass is far above the likely one, and within what memory, the lengths and the
// cutoff allow. The next pass is bounded by what it finds.
func TestGatedBounds(t *testing.T) {
	for _, tc := range []struct {
		length, cutoff int
		rate           float64
		want           int32
	}{
		{5000, 0, 0.1, 2048}, {5000, 0, 0.001, passes.LeastGated}, {5000, 301, 0.001, 300}, {5000, 301, 0.2, 300}, {120, 0, 0.1, 0},
	} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Cutoff: tc.cutoff, families: gatedFamilies})
		p, maxBounds := &e.policy, *e.scheduler.maxBounds.Load()
		r := &estimate.Rates{}
		for i := range r {
			r[i].Bound, r[i].Known, r[i].Gated = tc.rate, true, true
		}
		got := passes.Task{Pattern: int32(tc.length), Text: int32(tc.length), Class: uint8(estimate.LengthClass(tc.length))}
		if err := p.First(&got, r, maxBounds); err != nil {
			t.Fatal(err)
		}
		if gates := p.Gates(got.Kernel); gates != (tc.want > 0) || gates && got.Bound != tc.want {
			t.Errorf("%+v: %+v", tc, got)
		}
		if tc.want == 0 {
			continue
		}
		known, unknown := got, got
		if _, err := p.Next(&known, 0, kernel.Bound{Score: 350}, r, maxBounds); err != nil || int(known.Bound) != min(350, p.Limit) || known.Attempts != passes.Certain || p.Gates(known.Kernel) {
			t.Errorf("%+v: with a bound: %+v, %v", tc, known, err)
		}
		if _, err := p.Next(&unknown, 0, kernel.Bound{}, r, maxBounds); err != nil || unknown.Attempts != 0 || p.Gates(unknown.Kernel) {
			t.Errorf("%+v: without a bound: %+v, %v", tc, unknown, err)
		}
	}
}

// Without the family there is no gated pass, and the engine has nothing of it.
func TestWithoutGatedFamily(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	if k := e.policy.Kernels.Gated; k >= 0 || e.policy.GatedWork(estimate.LengthClass(5000), 5000) != nil {
		t.Errorf("kernel %d", k)
	}
	for i := range e.policy.Kernels.Kernels {
		if e.policy.Gates(uint8(i)) {
			t.Errorf("kernel %d is one", i)
		}
	}
}
