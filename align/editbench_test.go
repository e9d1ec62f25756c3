package align_test

import (
	"context"
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest/cputime"
	"wfagpu/align/simulate"
)

// cpuSeconds is the CPU time of this process.
func cpuSeconds(t testing.TB) float64 {
	took, err := cputime.Process()
	if err != nil {
		t.Fatal(err)
	}
	return took.Seconds()
}

// BenchmarkEdit aligns simulated pairs by edit distance on one thread, also with a cutoff at
// half of the distance and at the distance that a set has on average. Rates are by CPU time, so
// that other work on the machine matters less.
func BenchmarkEdit(b *testing.B) {
	for _, length := range []int{150, 1000, 10_000, 100_000} {
		for _, rate := range []float64{0.02, 0.05, 0.1} {
			patterns, texts := simulated(b, max(10, 3_000_000/length), simulate.Options{Length: length, ErrorRate: rate, Seed: 1})
			batch := &align.Batch{}
			for i := range patterns {
				batch.Pairs = append(batch.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
			}
			for _, level := range align.Levels() {
				for name, o := range map[string]align.Options{
					"cigar": {}, "score": {ScoreOnly: true},
					"cutoff_half": {Cutoff: 1 + int(rate*float64(length)/2)},
					"cutoff_mean": {Cutoff: 1 + int(rate*float64(length))},
				} {
					b.Run(fmt.Sprintf("%d_%g_%s_%s", length, rate, level, name), func(b *testing.B) {
						o.Level, o.Penalties, o.Threads = level, align.EditPenalties, 1
						e, err := align.New(o)
						if err != nil {
							b.Fatal(err)
						}
						start := cpuSeconds(b)
						for b.Loop() {
							if err := e.AlignBatch(context.Background(), batch); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.N*len(batch.Pairs))/(cpuSeconds(b)-start), "pairs/cpu-s")
					})
				}
			}
		}
	}
}
