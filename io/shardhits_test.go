package seqio

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"wfagpu/align"
)

// supplementary reads the pairs of a shard: names of their queries, and whether they are supplementary.
func supplementary(t *testing.T, in Inputs) (all []string) {
	t.Helper()
	r, err := Open(in, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		var b align.Batch
		err := r.ReadBatch(&b)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range b.Origins {
			all = append(all, fmt.Sprintf("%s %v", b.Pairs[i].PatternName, o.Supplementary))
		}
	}
}

// TestSupplementaryInShards: a hit is supplementary behind a primary one of its query, whichever
// shard that is in.
func TestSupplementaryInShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	s := randomHits(rng, 40)
	dir := t.TempDir()
	in := Inputs{Hits: filepath.Join(dir, "hits"), Query: []string{filepath.Join(dir, "reads")}, Target: []string{filepath.Join(dir, "ref")}, Qualities: true}
	writeText(t, in.Target[0], fasta(s.targets, 60, "\n"))
	writeText(t, in.Query[0], fastq(s.reads, "\n"))
	for _, order := range []string{"that of the queries", "any"} {
		writeText(t, in.Hits, "\n"+s.paf("\n"))
		want := supplementary(t, in)
		for _, n := range upTo17 {
			var got []string
			for part := 1; part <= n; part++ {
				shard := in
				shard.Shard = Shard{part, n}
				got = append(got, supplementary(t, shard)...)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("order %s, %d parts:\n got %v\nwant %v", order, n, got, want)
			}
		}
		rng.Shuffle(len(s.hits), func(i, k int) { s.hits[i], s.hits[k] = s.hits[k], s.hits[i] })
	}
}
