package align_test

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// BenchmarkHostParts measures what the host does for pairs whose parts are aligned elsewhere: it cuts
// pairs with variants, and finds gates of reads within texts with flanks.
func BenchmarkHostParts(b *testing.B) {
	for _, length := range []int{1000, 3000, 10_000, 50_000} {
		for _, rate := range []float64{0.01, 0.05, 0.1} {
			patterns, texts := withVariants(b, 20, length, rate, simulate.Variants{Least: 50, Most: length / 4}, 1)
			b.Run(fmt.Sprintf("Cutter/%d/%v", length, rate), func(b *testing.B) {
				c := align.NewCutter(align.DefaultPenalties)
				cut := 0
				for i := range b.N {
					if _, ok := c.Cut(patterns[i%20], texts[i%20], align.AnyMiddle); ok {
						cut++
					}
				}
				b.ReportMetric(100*float64(cut)/float64(b.N), "%cut")
			})
			reads, around := simulated(b, 20, simulate.Options{Length: length, ErrorRate: rate, Seed: 2})
			for i := range around {
				flank := slices.Clone(texts[i][:length/10])
				around[i] = slices.Concat(flank, around[i], flank)
			}
			b.Run(fmt.Sprintf("Insider/%d/%v", length, rate), func(b *testing.B) {
				o := align.Options{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}}
				x, err := align.NewInsider(o)
				if err != nil {
					b.Fatal(err)
				}
				found := 0
				for i := range b.N {
					if _, ok := x.Find(reads[i%20], around[i%20], false); ok {
						found++
					}
				}
				b.ReportMetric(100*float64(found)/float64(b.N), "%found")
			})
		}
	}
}
