package seqio

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
)

// storageText has records with letters on one line or on several, and some that are long.
func storageText(rng *rand.Rand, records, wrap int) string {
	var text strings.Builder
	for i := range records {
		n := rng.IntN(300)
		if i%1000 == 999 {
			n = 3 * blockText
		}
		letters := []byte(strings.Repeat("A", n))
		values := []byte(strings.Repeat("I", n))
		for k := range min(n, 50) {
			letters[k], values[k] = "ACGT"[rng.IntN(4)], byte('!'+rng.IntN(94))
		}
		if wrap == 0 || n <= wrap {
			fmt.Fprintf(&text, "@r%d x\n%s\n+\n%s\n", i, letters, values)
			continue
		}
		fmt.Fprintf(&text, "@r%d\n%s\n%s\n+\n%s\n%s\n", i, letters[:wrap], letters[wrap:], values[:wrap], values[wrap:])
	}
	return text.String()
}

// TestStorageOfBatches: a batch keeps its text while later ones are read, whatever storage they give
// back.
func TestStorageOfBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, wrap := range []int{0, 40} {
		query, target := storageText(rng, 2400, wrap), storageText(rng, 2400, 0)
		paths := files(t, query, target)
		for name, in := range map[string]Inputs{
			"two files": {Query: paths[:1], Target: paths[1:]},
			"in turn":   {Query: paths, Interleaved: true},
			"by name":   {Query: paths[:1], Target: paths[1:], ByName: true},
		} {
			in.Qualities = true
			for _, lim := range []Limits{{}, {Pairs: 7}, {Bases: 30_000}, {Bases: 200_000}} {
				what := fmt.Sprintf("%s, wrapped at %d, %+v", name, wrap, lim)
				want, _, err := readPlaced(t, in, nil, lim)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				r, err := Open(in, nil, lim)
				if err != nil {
					t.Fatal(err)
				}
				batches := make([]align.Batch, 4)
				for n := 0; err == nil; n++ {
					b := &batches[n%len(batches)]
					want = checkBatch(t, what, b, want)
					if b.Stored() > 16*(blockText+lim.withDefaults().Bases) {
						t.Fatalf("%s: a batch has %d bytes", what, b.Stored())
					}
					err = r.ReadBatch(b)
				}
				if err != io.EOF {
					t.Fatalf("%s: %v", what, err)
				}
				r.Close()
				left := 0
				for i := range batches {
					left += len(batches[i].Pairs)
				}
				if len(want) != left {
					t.Errorf("%s: %d pairs are left, want %d", what, left, len(want))
				}
			}
		}
	}
}

// checkBatch compares a batch with the pairs that are due, and returns those after it.
func checkBatch(t *testing.T, what string, b *align.Batch, want []placed) []placed {
	t.Helper()
	for i, p := range b.Pairs {
		w := &want[i]
		if got := (pair{string(p.PatternName), string(p.Pattern), string(p.TextName), string(p.Text)}); got != w.pair {
			t.Fatalf("%s: pair %d is %.60q, want %.60q", what, b.First+int64(i), got, w.pair)
		}
		if q := b.Origins[i].Qualities; string(q) != w.qualities || q == nil {
			t.Fatalf("%s: pair %d has the qualities %.60q, want %.60q", what, b.First+int64(i), q, w.qualities)
		}
	}
	return want[len(b.Pairs):]
}

// TestStorageStays: batches take over the storage of earlier ones, also where they end within a block.
func TestStorageStays(t *testing.T) {
	const records, length = 40_000, 150
	var text strings.Builder
	for i := range records {
		fmt.Fprintf(&text, "@r%d\n%s\n+\n%s\n", i, strings.Repeat("A", length), strings.Repeat("I", length))
	}
	paths := files(t, text.String(), text.String())
	r, err := Open(Inputs{Query: paths[:1], Target: paths[1:], Qualities: true}, nil, Limits{Bases: 500_000})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b align.Batch
	seen := map[*byte]bool{}
	batches := 0
	for ; err == nil; batches++ {
		if err = r.ReadBatch(&b); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for _, block := range b.Blocks {
			if ordinary(block) {
				seen[&block[:1][0]] = true
			}
		}
	}
	if batches < 20 || len(seen) > 30 {
		t.Errorf("%d batches have %d pieces of storage", batches, len(seen))
	}
}
