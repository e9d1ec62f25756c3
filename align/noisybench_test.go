package align_test

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// BenchmarkNoisy aligns long pairs with many errors, on one thread.
func BenchmarkNoisy(b *testing.B) {
	for _, penalties := range []string{"2,3,1", "6,4,3", "10,12,3"} {
		for _, length := range []int{600, 1000, 1500, 2000, 3000, 4000, 10_000, 50_000} {
			for _, rate := range []float64{0.05, 0.1} {
				for _, level := range align.Levels()[:min(2, len(align.Levels()))] {
					b.Run(fmt.Sprintf("%s/%d/%g/%s", penalties, length, rate, level), func(b *testing.B) {
						p, err := align.ParsePenalties(penalties)
						if err != nil {
							b.Fatal(err)
						}
						batch := &align.Batch{}
						patterns, texts := simulated(b, 4+1_000_000/length, simulate.Options{Length: length, ErrorRate: rate, Seed: 5})
						for i := range patterns {
							batch.Pairs = append(batch.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
						}
						e, err := align.New(align.Options{Level: level, Penalties: p, Threads: 1})
						if err != nil {
							b.Fatal(err)
						}
						for b.Loop() {
							if err := e.AlignBatch(b.Context(), batch); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*len(batch.Pairs)), "us/pair")
					})
				}
			}
		}
	}
}
