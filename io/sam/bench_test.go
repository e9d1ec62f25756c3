package sam

import (
	"strings"
	"testing"

	"wfagpu/align"
)

// BenchmarkAppend formats records like those of 150 bp reads.
func BenchmarkAppend(b *testing.B) {
	batch := &align.Batch{First: 1000000}
	letters := []byte(strings.Repeat("ACGTTGCATT", 15))
	for range 10000 {
		batch.Pairs = append(batch.Pairs, align.Pair{Pattern: letters, Text: letters})
	}
	batch.PrepareResults()
	for i := range batch.Results {
		r := &batch.Results[i]
		r.Score = 8
		for _, n := range []int{23, 61, 12, 52} {
			r.CIGAR = r.CIGAR.Append('=', n).Append('X', 1)
		}
		r.CIGAR = r.CIGAR[:len(r.CIGAR)-1]
		r.CIGAR[len(r.CIGAR)-1] -= 1 << 4
	}
	for name, md := range map[string]bool{"plain": false, "md": true} {
		b.Run(name, func(b *testing.B) {
			var dst []byte
			for b.Loop() {
				dst, _ = Append(dst[:0], batch, Options{MD: md})
			}
			b.SetBytes(int64(len(dst)))
			b.ReportMetric(float64(len(batch.Pairs))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpairs/s")
		})
	}
}
