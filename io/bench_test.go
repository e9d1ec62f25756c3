package seqio

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
)

// benchText is about 30 MB of pairs as .seq, and the same as FASTQ and FASTA.
func benchText(length int) (pairs, query, target string, n int) {
	seq := strings.Repeat("ACGTTGCAGATTACAGGCAT", length/20+1)[:length]
	quality := strings.Repeat("I", length)
	var p, q, t strings.Builder
	for n = 0; p.Len() < 30<<20; n++ {
		fmt.Fprintf(&p, ">%s\n<%s\n", seq, seq)
		fmt.Fprintf(&q, "@read%d\n%s\n+\n%s\n", n, seq, quality)
		fmt.Fprintf(&t, ">target%d\n", n)
		for i := 0; i < length; i += 80 {
			t.WriteString(seq[i:min(i+80, length)] + "\n")
		}
	}
	return p.String(), q.String(), t.String(), n
}

func benchRead(b *testing.B, in Inputs, pairs int) {
	var batch align.Batch
	var size int64
	for b.Loop() {
		r, err := Open(in, nil, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		got := 0
		for {
			if err = r.ReadBatch(&batch); err != nil {
				break
			}
			got += len(batch.Pairs)
		}
		if err != io.EOF || got != pairs {
			b.Fatalf("%d pairs of %d: %v", got, pairs, err)
		}
		size = r.Size()
		r.Close()
	}
	b.SetBytes(size)
	b.ReportMetric(float64(pairs)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpairs/s")
}

func BenchmarkReadSeq(b *testing.B) {
	for _, length := range []int{150, 10000} {
		pairs, _, _, n := benchText(length)
		for _, kind := range []string{"plain", "gzip"} {
			path := filepath.Join(b.TempDir(), "pairs")
			text, n := pairs, n
			if kind == "gzip" {
				text = compress(b, pairs)
			} else {
				// What a run does once, such as to get memory, must not count.
				text, n = strings.Repeat(pairs, 10), 10*n
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("len=%d/%s", length, kind), func(b *testing.B) {
				benchRead(b, Inputs{Pairs: []string{path}}, n)
			})
		}
	}
}

func BenchmarkReadFastx(b *testing.B) {
	for _, length := range []int{150, 10000} {
		_, query, target, n := benchText(length)
		dir := b.TempDir()
		in := Inputs{Query: []string{filepath.Join(dir, "q.fq")}, Target: []string{filepath.Join(dir, "t.fa")}}
		for path, text := range map[string]string{in.Query[0]: query, in.Target[0]: target} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				b.Fatal(err)
			}
		}
		// The targets are wrapped, the queries are not.
		b.Run(fmt.Sprintf("len=%d", length), func(b *testing.B) { benchRead(b, in, n) })
		in.Target = in.Query
		b.Run(fmt.Sprintf("len=%d/unwrapped", length), func(b *testing.B) { benchRead(b, in, n) })
	}
}
