package align_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// BenchmarkFlanks measures ends-free alignments of real reads, whose targets have random flanks of
// 10 to 1000 letters, beside global alignments without flanks: CPU time of one thread, in
// nanoseconds a pair, taken alternately, and their ratio. FLANK is the longest flank, LETTERS about the most letters of
// a set, and PENALTIES are x,o,e.
func BenchmarkFlanks(b *testing.B) {
	names, load := aligntest.RealSets(b)
	number := func(name string, v int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return v
	}
	most, letters := number("FLANK", 1000), number("LETTERS", 1<<23)
	var penalties align.Penalties
	if v := os.Getenv("PENALTIES"); v != "" {
		var err error
		if penalties, err = align.ParsePenalties(v); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			set := load(b, name)
			r := rand.New(rand.NewPCG(7, 8))
			flank := func() []byte {
				f := make([]byte, 10+r.IntN(most-9))
				for i := range f {
					f[i] = "ACGT"[r.IntN(4)]
				}
				return f
			}
			bases := 0
			var cases, flanked []aligntest.Case
			for _, c := range set.Cases {
				if bases += len(c.Text); bases > letters {
					break
				}
				cases = append(cases, c)
				c.Text = append(append(flank(), c.Text...), flank()...)
				flanked = append(flanked, c)
			}
			global := align.Options{Threads: 1, Penalties: penalties}
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
		})
	}
}
