package align_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// flanks are what the benchmarks of flanks take from the environment: FLANK is the longest flank, LETTERS about the
// most letters of a set, and PENALTIES are x,o,e.
type flanks struct {
	most, letters int
	penalties     align.Penalties
}

func flanksOfEnvironment(b *testing.B) (f flanks) {
	b.Helper()
	number := func(name string, v int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return v
	}
	f.most, f.letters = number("FLANK", 1000), number("LETTERS", 1<<23)
	f.penalties = aligntest.PenaltiesOfEnvironment(b, align.Penalties{})
	return f
}

// measure measures ends-free alignments of reads, whose targets get random flanks of 10 letters and more, beside
// global alignments without flanks: CPU time of one thread, in nanoseconds a pair, taken alternately, and their ratio.
func (f *flanks) measure(b *testing.B, all []aligntest.Case) {
	b.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	flank := func() []byte { return letters(r, "ACGT", 10+r.IntN(f.most-9)) }
	bases := 0
	var cases, flanked []aligntest.Case
	for _, c := range all {
		if bases += len(c.Text); bases > f.letters {
			break
		}
		cases = append(cases, c)
		c.Text = append(append(flank(), c.Text...), flank()...)
		flanked = append(flanked, c)
	}
	global := align.Options{Threads: 1, Penalties: f.penalties}
	free := global
	free.Span = align.EndsFree
	free.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	time := func(o align.Options, cases []aligntest.Case) func() float64 {
		e, err := align.New(o)
		if err != nil {
			b.Fatal(err)
		}
		batch := aligntest.NewBatch(cases)
		return func() float64 {
			before, runs := cpuSeconds(b), 0
			for cpuSeconds(b)-before < 0.06 {
				if err := e.AlignBatch(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
				runs++
			}
			return (cpuSeconds(b) - before) * 1e9 / float64(len(cases)*runs)
		}
	}
	one, other := time(global, cases), time(free, flanked)
	least := [2]float64{one(), other()}
	for range b.N {
		least = [2]float64{min(least[0], one()), min(least[1], other())}
	}
	b.ReportMetric(least[0], "global-ns")
	b.ReportMetric(least[1], "free-ns")
	b.ReportMetric(least[1]/least[0], "ratio")
}

// BenchmarkFlanks measures flanks around the targets of real reads.
func BenchmarkFlanks(b *testing.B) {
	names, load := aligntest.RealSets(b)
	f := flanksOfEnvironment(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) { f.measure(b, load(b, name).Cases) })
	}
}

// BenchmarkSimulatedFlanks measures flanks around the targets of simulated reads.
func BenchmarkSimulatedFlanks(b *testing.B) {
	f := flanksOfEnvironment(b)
	for _, length := range []int{150, 300, 600, 1000, 1500, 2000, 3000, 4000} {
		for _, rate := range []float64{0.02, 0.05, 0.1, 0.15} {
			b.Run(fmt.Sprintf("%d/%g", length, rate), func(b *testing.B) {
				g, err := simulate.New(simulate.Options{Length: length, ErrorRate: rate, Seed: 1})
				if err != nil {
					b.Fatal(err)
				}
				var cases []aligntest.Case
				for n := 0; n < min(f.letters, 1<<21); n += length {
					pattern, text := g.Next()
					cases = append(cases, aligntest.Case{Pattern: slices.Clone(pattern), Text: slices.Clone(text)})
				}
				f.measure(b, cases)
			})
		}
	}
}
