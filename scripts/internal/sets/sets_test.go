package sets

import (
	"bytes"
	"path/filepath"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

func TestFileHoldsTheBatch(t *testing.T) {
	s := Set{Options: simulate.Options{Length: 40, ErrorRate: 0.1, Seed: 3}, Count: 25}
	want, err := s.Batch()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	simulated, err := s.File(dir)
	if err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(dir, "again.seq")
	if err := Write(written, want.Pairs); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{simulated, written} {
		got, err := Read(file, 0)
		if err != nil {
			t.Fatal(err)
		}
		samePairs(t, got.Pairs, want.Pairs)
	}
	first, err := Read(simulated, 7)
	if err != nil {
		t.Fatal(err)
	}
	samePairs(t, first.Pairs, want.Pairs[:7])
}

func TestBatchesCountAndDiffer(t *testing.T) {
	s := Set{Options: simulate.Options{Length: 40, ErrorRate: 0.1, Seed: 3}, Count: 30}
	batches, err := s.Batches(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if len(b.Pairs) != 10 {
			t.Errorf("a batch has %d pairs, want 10", len(b.Pairs))
		}
	}
	if bytes.Equal(batches[0].Pairs[0].Text, batches[1].Pairs[0].Text) {
		t.Error("two batches begin with the same pair")
	}
}

func TestDealRepeatsFewPairs(t *testing.T) {
	pairs := []align.Pair{
		{Pattern: []byte("A"), Text: []byte("C")},
		{Pattern: []byte("G"), Text: []byte("T")},
	}
	batches := Deal(pairs, 2, 5)
	var order string
	for _, b := range batches {
		for _, p := range b.Pairs {
			order += string(p.Pattern)
		}
	}
	if want := "AGAGAG"; order != want {
		t.Errorf("dealt %q, want %q", order, want)
	}
}

func samePairs(t *testing.T, got, want []align.Pair) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
	for i := range want {
		if !bytes.Equal(got[i].Pattern, want[i].Pattern) || !bytes.Equal(got[i].Text, want[i].Text) {
			t.Fatalf("pair %d differs", i+1)
		}
	}
}

func TestFirst(t *testing.T) {
	pair := align.Pair{Pattern: []byte("ACGT"), Text: []byte("ACGTAC")}
	pairs := []align.Pair{pair, pair, pair}
	for letters, want := range map[int]int{0: 1, 10: 1, 11: 2, 30: 3, 1000: 3} {
		if got := len(First(pairs, letters)); got != want {
			t.Errorf("%d letters are %d pairs, want %d", letters, got, want)
		}
	}
}
