package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/io/formattest"
)

// made is an alignment of a read with the whole of a reference, or from a cell on.
func made(t *testing.T, q, at int, cigar, read, reference string) *alignment {
	t.Helper()
	ops, err := formattest.ParseCIGAR(cigar)
	if err != nil {
		t.Fatal(err)
	}
	return &alignment{name: "r", sequence: "s", q: q, t: at, ops: ops, read: read, reference: reference}
}

func TestScore(t *testing.T) {
	for _, c := range []struct {
		cigar, read, reference string
		scheme                 scheme
		want                   int
		plain                  bool
	}{
		{"4M", "ACGT", "ACGT", noisy, 8, true},
		{"2=1X1=", "ACGT", "ACTT", short, 6 - 8, true},
		{"2M1I2M", "ACGTA", "ACTA", noisy, 8 - 6, true},
		{"2M19D2M", "ACGT", "AC" + "AAAAAAAAAAAAAAAAAAA" + "GT", noisy, 8 - 42, true},   // 4 + 19·2, below 24 + 19
		{"2M21D2M", "ACGT", "AC" + "AAAAAAAAAAAAAAAAAAAAA" + "GT", noisy, 8 - 45, true}, // 24 + 21, below 4 + 21·2
		{"2M1I1D1M", "ACTG", "ACAG", hifi, 3 - 16, true},
		{"4M", "ACNT", "ACNT", noisy, 6 - 1, false}, // N beside N
		{"4M", "ACNT", "ACGT", short, 6 - 1, false},
		{"4M", "ACGT", "ACNT", short, 6 - 1, false},
		{"2M1D2M", "ACGT", "ACNGT", noisy, 8 - 6, false},
	} {
		n, plain := made(t, 0, 0, c.cigar, c.read, c.reference).score(c.scheme)
		if n != c.want || plain != c.plain {
			t.Errorf("%s of %s and %s: score %d, plain %v, want %d, %v", c.cigar, c.read, c.reference, n, plain, c.want, c.plain)
		}
	}
}

func TestUnclipped(t *testing.T) {
	for text, want := range map[string]string{
		"4M": "0 4M 0", "3S4M": "3 4M 0", "4M2H": "0 4M 2", "5H3S1=1X2S": "8 1=1X 2", "2S1I4H": "2 1I 4",
	} {
		ops, err := formattest.ParseCIGAR(text)
		if err != nil {
			t.Fatal(err)
		}
		before, inner, after := unclipped(ops)
		got := fmt.Sprint(before, " ")
		for _, op := range inner {
			got += fmt.Sprintf("%d%c", op.Length, op.Letter)
		}
		if got += fmt.Sprint(" ", after); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestCommon(t *testing.T) {
	read := "ACGTACGTACGTACGTACGT"
	a := made(t, 2, 10, "3M2I5M1D4M", read, "")
	for _, c := range []struct {
		q, t        int
		cigar       string
		first, last cell
		ok          bool
	}{
		{2, 10, "3M2I5M1D4M", cell{2, 10}, cell{15, 22}, true},
		{0, 8, "18M", cell{2, 10}, cell{4, 12}, true}, // up to the insertion
		{7, 13, "3M", cell{7, 13}, cell{9, 15}, true}, // within
		{0, 7, "16M", cell{12, 19}, cell{15, 22}, true},
		{4, 12, "1M", cell{4, 12}, cell{4, 12}, true},
		{5, 12, "4M", cell{}, cell{}, false}, // beside it
		{16, 24, "4M", cell{}, cell{}, false},
	} {
		b := made(t, c.q, c.t, c.cigar, read, "")
		first, last, ok := common(a, b)
		if ok != c.ok || ok && (first != c.first || last != c.last) {
			t.Errorf("%s from %d and %d: %v to %v, %v", c.cigar, c.q, c.t, first, last, ok)
		}
		if other, end, both := common(b, a); other != first || end != last || both != ok {
			t.Errorf("%s from %d and %d: it depends on the order", c.cigar, c.q, c.t)
		}
	}
	b := *a
	b.reverse = true
	if _, _, ok := common(a, &b); ok {
		t.Error("a column is common to both strands")
	}
}

// The parts of an alignment before a column, and from it on, have the scores of the whole.
func TestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ACGTN"[rng.IntN(5)]
		}
		return string(b)
	}
	for range 300 {
		cigar, gap := fmt.Sprintf("%dM", 1+rng.IntN(5)), false
		for range rng.IntN(8) {
			if gap = !gap; gap {
				cigar += fmt.Sprintf("%d%c", 1+rng.IntN(30), "ID"[rng.IntN(2)])
			} else {
				cigar += fmt.Sprintf("%dM", 1+rng.IntN(5))
			}
		}
		if gap {
			cigar += "2M"
		}
		a := made(t, rng.IntN(3), rng.IntN(3), cigar, "", "")
		q, end := a.end()
		a.read, a.reference = letters(q), letters(end)
		var columns []cell
		for _, r := range a.runs() {
			for i := range r.n {
				columns = append(columns, cell{r.q + i, r.t + i})
			}
		}
		whole, _ := a.score(noisy)
		k := rng.IntN(len(columns))
		head, tail := a.between(columns[0], columns[k]), a.between(columns[k], columns[len(columns)-1])
		first, _ := head.score(noisy)
		second, _ := tail.score(noisy)
		twice, _ := noisy.column(a.read[columns[k].q], a.reference[columns[k].t])
		if first+second-twice != whole {
			t.Fatalf("%s, cut at %v: %d and %d with %d twice, want %d", cigar, columns[k], first, second, twice, whole)
		}
		if q, at := head.end(); q != columns[k].q+1 || at != columns[k].t+1 {
			t.Fatalf("%s, cut at %v: the head ends at %d and %d", cigar, columns[k], q, at)
		}
		if q, at := tail.end(); q != len(a.read) || at != len(a.reference) || tail.q != columns[k].q {
			t.Fatalf("%s, cut at %v: the tail ends at %d and %d", cigar, columns[k], q, at)
		}
	}
}
