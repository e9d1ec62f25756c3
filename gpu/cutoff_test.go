package gpu

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// cutoffs are those of the tests: of few pairs, of many, and of all but equal ones.
var cutoffs = []int{1, 2, 30, 200, 1500, 1 << 20}

// With a cutoff, pairs that reach it are Beyond, and all others have the results of the CPU
// engine, whatever kernel and however many passes they take.
func TestCutoffOnFake(t *testing.T) {
	for _, cutoff := range cutoffs {
		for _, families := range []string{wavefrontFamilies, gotohFamilies, wholeFamilies} {
			for _, o := range []align.Options{
				{Penalties: align.DefaultPenalties}, {Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, ScoreOnly: true},
				{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}},
			} {
				for _, bound := range []ErrorBound{{}, {Score: 5}, {Score: 5000}} {
					t.Run(fmt.Sprintf("%d/%s/%v/%v", cutoff, families[:5], o.Penalties, bound), func(t *testing.T) {
						o.Cutoff = cutoff
						b := mixedPairs(t, 150, 7)
						g := Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, Cutoff: cutoff, MaxError: bound, families: families}
						e := openOnFake(t, newFakeGPU(t, 1000), g)
						mustAlignAll(t, withCPU(t, e, o), b)
						wantAsOnCPU(t, o, b)
						wantBeyond(t, e, o, b)
					})
				}
			}
		}
	}
}

// wantBeyond checks that the engine counts the pairs that it has found Beyond.
func wantBeyond(t *testing.T, e *Engine, o align.Options, b *align.Batch) {
	t.Helper()
	o.Cutoff = 0
	cpu, err := align.NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	beyond := 0
	for i := range b.Results {
		if b.Results[i].Score != align.Beyond {
			continue
		}
		beyond++
		if s, _, err := cpu.Align(b.Pairs[i].Pattern, b.Pairs[i].Text, nil); err != nil || s < e.policy.Limit*e.policy.Scale {
			t.Errorf("pair %d is beyond %d and costs %d, %v", i, e.policy.Limit, s, err)
		}
	}
	if s := e.Stats(); int(s.Beyond) > beyond || int(s.Beyond) < beyond-int(s.Fallback.Letters) {
		t.Errorf("%d pairs are beyond, %+v", beyond, s)
	}
	wantStats(t, e, len(b.Pairs))
}

// The same with the device code on the CPU.
func TestEmulatedCutoff(t *testing.T) {
	cases := append(aligntest.EdgeCases(), aligntest.RandomCases(5, 60, 60)...)
	cases = append(cases, aligntest.RandomCases(6, 15, 300)...)
	for _, cutoff := range cutoffs[:5] {
		for _, families := range []string{"", wavefrontFamilies, wholeFamilies} {
			for _, o := range []align.Options{{Penalties: align.DefaultPenalties}, {Penalties: align.Penalties{Mismatch: 5, GapOpen: 3, GapExtend: 2}}} {
				o.Cutoff = cutoff
				e := openEmulated(t, Options{Penalties: o.Penalties, Cutoff: cutoff, families: families})
				b := aligntest.NewBatch(cases)
				if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
					t.Fatal(err)
				}
				if n := wantAlignedAsOnCPU(t, o, b); n < len(cases)/2 {
					t.Errorf("%d of %d pairs aligned on the GPU", n, len(cases))
				}
			}
		}
	}
}

// Noisy pairs in bands, whose scores are above the bounds of their passes, and some of them above the cutoff: the device code on the CPU.
func TestEmulatedNoisyCutoff(t *testing.T) {
	for seed, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		b := &align.Batch{}
		for i, rate := range []float64{0.05, 0.15, 0.25, 0.35} {
			b.Pairs = append(b.Pairs, simulated(t, 10, simulate.Options{Length: 800 + 400*i, ErrorRate: rate, Seed: uint64(10*seed + i)}).Pairs...)
		}
		for _, cutoff := range []int{0, 250 * p.GapExtend, 500 * p.GapExtend} {
			o := align.Options{Penalties: p, Cutoff: cutoff}
			e := openEmulated(t, Options{Penalties: p, Cutoff: cutoff, families: "gotoh general"})
			for range 2 { // without known scores, and with some
				if err := e.AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				if n := wantAlignedAsOnCPU(t, o, b); n != len(b.Pairs) {
					t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
				}
			}
			if s := e.Stats(); cutoff > 0 && (s.Beyond == 0 || int(s.Beyond) == 2*len(b.Pairs)) {
				t.Errorf("cutoff %d: %+v", cutoff, s)
			}
		}
	}
}

// Pairs beyond the cutoff are evidence of scores, too: the others of their lengths do not wait
// for pilots, one after the other.
func TestCutoffLearnsOnFake(t *testing.T) {
	b := &align.Batch{}
	other := simulated(t, 4000, simulate.Options{Length: 100, Seed: 21}).Pairs
	for i, p := range simulated(t, 4000, simulate.Options{Length: 100, Seed: 20}).Pairs {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: p.Pattern, Text: other[i].Text})
	}
	for _, cutoff := range []int{20, 100} {
		o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: true, Cutoff: cutoff}
		e := openOnFake(t, newFakeGPU(t, 1000), Options{ScoreOnly: true, Cutoff: cutoff})
		mustAlignAll(t, withCPU(t, e, o), b)
		wantAsOnCPU(t, o, b)
		if s := wantStats(t, e, len(b.Pairs)); s.Beyond < 3900 || s.Launches > 20 {
			t.Errorf("cutoff %d: %+v", cutoff, s)
		}
	}
}

// Pairs that exceed the bound of a gotoh kernel count as those of a second pass.
func TestGotohSecondPassOnFake(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	b := simulated(t, 40, simulate.Options{Length: 1000, ErrorRate: 0.2, Seed: 22})
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, MaxError: ErrorBound{Score: 300}, families: gotohFamilies})
	mustAlignAll(t, e, b)
	wantAsOnCPU(t, align.Options{Penalties: p}, b)
	if s := wantStats(t, e, len(b.Pairs)); s.SecondPass != int64(len(b.Pairs)) || s.Passes["gotoh"].Second != s.SecondPass {
		t.Errorf("%+v", s)
	}
}

// A cutoff is for the exact mode.
func TestCutoffOptions(t *testing.T) {
	for _, o := range []Options{{Cutoff: -1}, {Cutoff: 3, Approx: &align.Approx{}}} {
		if err := o.validate(); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
