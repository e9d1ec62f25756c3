package align_test

import (
	"cmp"
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// BenchmarkApprox reports, besides the time, the share of pairs aligned by the
// approximate mode itself, of optimal scores among all, of alignments that
// cost less than score-only mode says, and the mean excess over the optimum.
func BenchmarkApprox(b *testing.B) {
	for _, set := range []simulate.Options{
		{Length: 150, ErrorRate: 0.05, Seed: 1},
		{Length: 1000, ErrorRate: 0.1, Seed: 1},
		{Length: 1000, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 1},
		{Length: 10000, ErrorRate: 0.1, Seed: 1},
		{Length: 10000, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 1},
		{Length: 50000, ErrorRate: 0.15, Seed: 1},
	} {
		count := max(8, 400000/set.Length)
		patterns, texts := simulated(b, count, set)
		best := make([]int, count)
		exact := newAligner(b, align.Options{ScoreOnly: true})
		for i := range best {
			best[i], _, _ = exact.Align(patterns[i], texts[i], nil)
		}
		shape := fmt.Sprintf("%d/%.0f%%/%s", set.Length, 100*set.ErrorRate, cmp.Or(set.Model, simulate.Uniform))
		b.Run(shape+"/exact", func(b *testing.B) {
			a := newAligner(b, align.Options{})
			var c cigar.CIGAR
			pairs := 0
			for b.Loop() {
				_, c, _ = a.Align(patterns[pairs%count], texts[pairs%count], c)
				pairs++
			}
			b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
		})
		for _, approx := range []align.Approx{{}, {Band: 64}, {Band: 128}, {Band: 256}, {Band: 512}, {Band: 256, Lambda: 10}, {Band: 256, Lambda: 200}} {
			name := fmt.Sprintf("%s/band=%d/lambda=%d", shape, approx.Band, approx.Lambda)
			b.Run(name, func(b *testing.B) {
				a := newAligner(b, align.Options{Approx: &approx})
				var found, optimal, cheaper, pairs int
				var excess float64
				for b.Loop() {
					i := pairs % count
					pairs++
					score, cost, _, ok, err := a.AlignApprox(patterns[i], texts[i])
					if err != nil {
						b.Fatal(err)
					}
					if !ok {
						continue
					}
					found++
					if cost == best[i] {
						optimal++
					}
					if cost < score {
						cheaper++
					}
					excess += float64(cost-best[i]) / float64(max(1, best[i]))
				}
				b.ReportMetric(100*float64(found)/float64(pairs), "%found")
				b.ReportMetric(100*float64(optimal)/float64(pairs), "%optimal")
				b.ReportMetric(100*float64(cheaper)/float64(pairs), "%cheaper")
				b.ReportMetric(100*excess/float64(max(1, found)), "%excess")
				b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}
