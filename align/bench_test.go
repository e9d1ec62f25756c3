package align_test

import (
	"context"
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// BenchmarkEngine aligns batches of simulated pairs on one thread, on every code
// path of this machine.
func BenchmarkEngine(b *testing.B) {
	for _, length := range []int{150, 1000, 10_000} {
		for _, rate := range []float64{0.02, 0.05, 0.1} {
			patterns, texts := simulated(b, 3_000_000/length, simulate.Options{Length: length, ErrorRate: rate, Seed: 1})
			batch := &align.Batch{}
			for i := range patterns {
				batch.Pairs = append(batch.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
			}
			for _, level := range align.Levels() {
				for _, scoreOnly := range []bool{false, true} {
					b.Run(fmt.Sprintf("%d_%g_%s_%v", length, rate, level, scoreOnly), func(b *testing.B) {
						e, err := align.New(align.Options{Level: level, ScoreOnly: scoreOnly, Threads: 1})
						if err != nil {
							b.Fatal(err)
						}
						for b.Loop() {
							if err := e.AlignBatch(context.Background(), batch); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.N*len(batch.Pairs))/b.Elapsed().Seconds(), "pairs/s")
					})
				}
			}
		}
	}
}
