//go:build unix

package align_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// BenchmarkModes aligns pairs in both modes, with the automatic band, on every code path, with the penalties PENALTIES=x,o,e. It
// reports the CPU time for a pair besides, which other work on the machine changes less.
func BenchmarkModes(b *testing.B) {
	p := aligntest.PenaltiesOfEnvironment(b, align.Penalties{})
	for _, length := range []int{700, 1000, 1500, 2000, 4000, 10_000, 20_000} {
		for _, rate := range []float64{0.005, 0.02, 0.05, 0.1, 0.15} {
			patterns, texts := simulated(b, max(8, 200_000/length), simulate.Options{Length: length, ErrorRate: rate, Seed: 1})
			for _, level := range align.Levels() {
				for _, mode := range []string{"exact", "approx"} {
					o := align.Options{Level: level, Penalties: p}
					if mode == "approx" {
						o.Approx = &align.Approx{}
					}
					b.Run(fmt.Sprintf("%d_%g_%s_%s", length, rate, level, mode), func(b *testing.B) {
						a := newAligner(b, o)
						batch := &align.Batch{}
						for i := range patterns {
							batch.Pairs = append(batch.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
						}
						batch.PrepareResults()
						start := userTime(b)
						for b.Loop() {
							align.AlignBatch(a, batch)
						}
						used := userTime(b) - start
						b.ReportMetric(float64(used.Nanoseconds())/1e3/float64(b.N*len(patterns)), "cpu-us/pair")
					})
				}
			}
		}
	}
}

// userTime is what the process has taken.
func userTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
