package seqio

import (
	"io"
	"os"
	"testing"

	"wfagpu/align"
)

// BenchmarkReadHits reads the pairs of hits of a directory: hits.paf, reads.fq, ref.fa.
func BenchmarkReadHits(b *testing.B) {
	dir := os.Getenv("WFAGPU_HITS")
	if dir == "" {
		b.Skip("WFAGPU_HITS names no directory")
	}
	in := Inputs{Hits: dir + "/hits.paf", Query: []string{dir + "/reads.fq"}, Target: []string{dir + "/ref.fa"}, Qualities: os.Getenv("WFAGPU_QUALITIES") != ""}
	for b.Loop() {
		r, err := Open(in, nil, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		var batch align.Batch
		n := 0
		for {
			err := r.ReadBatch(&batch)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n += len(batch.Pairs)
		}
		r.Close()
		b.ReportMetric(float64(n)/(b.Elapsed().Seconds()/float64(max(b.N, 1))), "pairs/s")
	}
}
