package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// kinds of pairs of about n letters: those that reads have where they are not simple.
var kinds = []struct {
	name string
	make func(r *rand.Rand, n int) (p, t []byte)
}{
	{"begin of the target", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		return t[:2*n/3], t
	}},
	{"middle of the target", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		return t[n/5 : 4*n/5], t
	}},
	{"tandem duplication", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		at := r.IntN(n - n/8)
		return slices.Concat(t[:at+n/8], t[at:]), t
	}},
	{"copies of 37", func(r *rand.Rand, n int) (p, t []byte) { return copiesOf(r, 37, n, r.IntN(4)) }},
	{"copies of 171", func(r *rand.Rand, n int) (p, t []byte) { return copiesOf(r, 171, n, r.IntN(4)) }},
	{"copies of 500", func(r *rand.Rand, n int) (p, t []byte) { return copiesOf(r, 500, n, r.IntN(4)) }},
	{"satellite, copies missing", func(r *rand.Rand, n int) (p, t []byte) {
		var unit []byte
		for range 12 {
			unit = append(unit, spoiled(r, lettersOf(r, "ACGT", 171), 0.25)...)
		}
		return copiesOf(r, len(unit), n, 1)
	}},
	{"microsatellite", func(r *rand.Rand, n int) (p, t []byte) {
		a, b, unit := lettersOf(r, "ACGT", n/2), lettersOf(r, "ACGT", n/2), lettersOf(r, "ACGT", 2+r.IntN(4))
		of := func() []byte { return slices.Concat(a, slices.Repeat(unit, 5+r.IntN(50)), b) }
		return of(), of()
	}},
	{"a part of another", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		at := r.IntN(n - n/5)
		return slices.Concat(t[:at], lettersOf(r, "ACGT", n/5), t[at+n/5:]), t
	}},
	{"many gaps", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		for from := 0; from < n; {
			to := min(n, from+n/30+r.IntN(n/15))
			p = append(append(p, t[from:to]...), lettersOf(r, "ACGT", r.IntN(2)*(n/200+r.IntN(n/80)))...)
			from = to + r.IntN(2)*(n/200+r.IntN(n/80))
		}
		return p, t
	}},
	{"clean and noisy in turns", func(r *rand.Rand, n int) (p, t []byte) {
		t = lettersOf(r, "ACGT", n)
		return spoiled(r, t, []float64{0, 0.1}[r.IntN(2)]), t
	}},
}

// copiesOf returns copies of a unit, n letters, and the same with some copies missing.
func copiesOf(r *rand.Rand, unit, n, missing int) (p, t []byte) {
	u := lettersOf(r, "ACGT", unit)
	for len(t) < n {
		t = append(t, spoiled(r, u, 0.005)...)
	}
	t = t[:n]
	gap := min(unit*missing, n/2)
	at := r.IntN(n - gap)
	return slices.Concat(t[:at], t[at+gap:]), t
}

// BenchmarkKinds aligns pairs of one kind after each other: microseconds a pair.
func BenchmarkKinds(b *testing.B) {
	for _, kind := range kinds {
		for _, n := range []int{2_000, 15_000} {
			for _, rate := range []float64{0.002, 0.05} {
				b.Run(fmt.Sprintf("%s/%d/%g%%", kind.name, n, 100*rate), func(b *testing.B) {
					r := rand.New(rand.NewPCG(81, 82))
					var pairs [16]struct{ p, t []byte }
					for i := range pairs {
						p, t := kind.make(r, n)
						pairs[i].p, pairs[i].t = spoiled(r, p, rate), t
					}
					a, err := NewAligner(Options{Penalties: DefaultPenalties})
					if err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						for i := range pairs {
							if _, _, err := a.Align(pairs[i].p, pairs[i].t, nil); err != nil {
								b.Fatal(err)
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(pairs)), "us/pair")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
