//go:build linux || darwin

package seqio

import (
	"io"
	"strings"
	"testing"
	"time"

	"wfagpu/align"
)

// TestPipeOfHits: the writer of hits waits for the pair of each before it writes the next one;
// a hit may come in pieces, and a reader is closed while its pipe is silent.
func TestPipeOfHits(t *testing.T) {
	hits, _ := fifos(t)
	paths := files(t, ">c\nACGTACGT\n", "@r\nACGT\n+\nIIII\n@s\nGT\n+\nII\n")
	in := Inputs{Hits: hits, Target: paths[:1], Query: paths[1:]}
	const one, two = "r\t4\t0\t4\t+\tc\t8\t4\t8\t4\t4\t60\n", "\ns\t2\t0\t2\t-\tc\t8\t0\t2\t2\t2\t60\ttp:A:P\n"
	for _, end := range []bool{true, false} {
		r, writers := openWriters(t, in, hits)
		within(t, "hits", func() {
			var b align.Batch
			for i, text := range []string{one, one, two} {
				half := len(text) / 2
				writers[0].WriteString(text[:half])
				if i == 1 {
					time.Sleep(3 * pause)
				}
				writers[0].WriteString(text[half:])
				if err := r.ReadBatch(&b); err != nil || len(b.Pairs) != 1 || b.First != int64(i+1) {
					t.Errorf("hit %d: a batch of %d pairs from %d on, %v", i+1, len(b.Pairs), b.First, err)
				}
			}
			if len(b.Pairs) != 1 {
				return
			}
			if p := b.Pairs[0]; string(p.Pattern) != "AC" || string(p.Text) != "AC" {
				t.Errorf("the last pair is %s and %s", p.Pattern, p.Text)
			}
			if end {
				writers[0].WriteString("s\t2\t0\t2\t-\tc\t8") // cut
				writers[0].Close()
				if err := r.ReadBatch(&b); err == nil || err == io.EOF || !strings.HasSuffix(err.Error(), ":5: record 4: 7 columns: want 12, as in PAF") {
					t.Errorf("at the end: %v", err)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		writers[0].Close()
	}
}
