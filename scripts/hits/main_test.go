package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"wfagpu/align"
	seqio "wfagpu/io"
)

// TestHits: without errors, each read is the place of its hit, on either strand.
func TestHits(t *testing.T) {
	dir := t.TempDir()
	s := simulation{bases: 50_000, reads: 500, length: 70, rng: rand.New(rand.NewPCG(1, 0))}
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	r, err := seqio.Open(seqio.Inputs{Hits: at("hits.paf"), Query: []string{at("reads.fq")}, Target: []string{at("ref.fa")}}, nil, seqio.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	pairs, reversed := 0, 0
	for {
		var b align.Batch
		err := r.ReadBatch(&b)
		for i, p := range b.Pairs {
			if !bytes.Equal(p.Pattern, p.Text) || len(p.Text) != 70 {
				t.Fatalf("pair %d: %s and %s", b.First+int64(i), p.Pattern, p.Text)
			}
			if b.Origin(i).Reverse {
				reversed++
			}
		}
		pairs += len(b.Pairs)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if pairs != 500 || reversed == 0 || reversed == pairs {
		t.Errorf("%d pairs, %d reversed", pairs, reversed)
	}
}
