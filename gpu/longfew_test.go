package gpu

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// longReads are pairs of 17,000 letters and more: of few errors, some with a long gap or an
// inversion, and of many, besides short ones and one with a letter that a GPU does not take.
func longReads(t testing.TB, count int, seed uint64) *align.Batch {
	t.Helper()
	b := &align.Batch{First: 1}
	add := func(o simulate.Options) { b.Pairs = append(b.Pairs, simulated(t, count, o).Pairs...) }
	for i, rate := range []float64{0.001, 0.008, 0.06} {
		add(simulate.Options{Length: 17_000 + 3000*i, ErrorRate: rate, Seed: seed + uint64(i)})
		add(simulate.Options{
			Length: 26_000, ErrorRate: rate, Model: simulate.SV, Seed: seed + 10 + uint64(i),
			Variants: simulate.Variants{Share: 1, Least: 300, Most: 6000},
		})
	}
	add(simulate.Options{Length: 400, ErrorRate: 0.02, Seed: seed})
	add(simulate.Options{Length: 3000, ErrorRate: 0.05, Seed: seed})
	b.Pairs[0].Pattern = slices.Clone(b.Pairs[0].Pattern)
	b.Pairs[0].Pattern[500] = 'N'
	return b
}

// kindsOf counts the pairs of a batch by what a sample tells of their errors.
func kindsOf(b *align.Batch) (kinds [3]int64) {
	for _, p := range b.Pairs {
		kinds[align.Approx{}.Errors(p.Pattern, p.Text)]++
	}
	return kinds
}

// Long pairs of few errors take the passes of the exact mode beside others in bands, those with few
// errors at their ends are cut before their first pass, and all results are those of the CPU, with
// rates that earlier pairs have told, too.
func TestLongReadsOnFake(t *testing.T) {
	for _, families := range []string{"", gatedFamilies} {
		for _, approx := range []align.Approx{{}, {Lambda: 20}} {
			for _, scoreOnly := range []bool{false, true} {
				o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &approx}
				e := openOnFake(t, newFakeGPU(t, 8000), Options{ScoreOnly: scoreOnly, Approx: o.Approx, families: families})
				r := withCPU(t, e, o)
				total := 0
				var first Stats
				for seed := uint64(1); seed <= 2; seed++ {
					b := longReads(t, 6, 20*seed)
					kinds := kindsOf(b)
					if slices.Min(kinds[:]) < 3 {
						t.Fatalf("%v pairs by their errors", kinds)
					}
					mustAlignAll(t, r, b)
					wantAsOnCPU(t, o, b)
					total += len(b.Pairs)
					s := wantStats(t, e, total)
					if bands, most := s.Passes["approx"].First-first.Passes["approx"].First, int64(len(b.Pairs))-kinds[align.FewErrors]-kinds[align.FewAtEnds]-6; bands > most {
						t.Errorf("%d pairs in bands, want %d at most: %+v", bands, most, s)
					}
					if cut := s.Kernels["pieces"] - first.Kernels["pieces"]; cut < 2 || s.Fallback.Letters != int64(seed) || s.Fallback.Pairs() != int64(seed) {
						t.Errorf("%d pairs are cut: %+v", cut, s)
					}
					if gated := s.Passes["gated"].First; families != "" && gated < kinds[align.FewErrors] {
						t.Errorf("%d gated passes of %d pairs and more", gated, kinds[align.FewErrors])
					}
					first = s
				}
			}
		}
	}
}

// The kernels that ship align them as the CPU does.
func TestEmulatedLongReads(t *testing.T) {
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}} {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			o := align.Options{Penalties: p, Approx: &align.Approx{}}
			e := openEmulated(t, Options{Penalties: p, Approx: o.Approx})
			b := longReads(t, 2, 3)
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Kernels["gated"] < 2 || s.Kernels["pieces"] == 0 || s.Kernels["approx"] == 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Calls with long pairs of all kinds share an engine.
func TestConcurrentLongReadsOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 2, Approx: &align.Approx{}}
	e := openOnFake(t, newFakeGPU(t, 2000), Options{Approx: o.Approx, families: gatedFamilies})
	b := longReads(t, 2, 5)
	alignConcurrently(t, withCPU(t, e, o), o, b)
	if s := wantStats(t, e, 4*4*len(b.Pairs)); s.Kernels["pieces"] == 0 || s.Kernels["gated"] == 0 {
		t.Errorf("%+v", s)
	}
}
