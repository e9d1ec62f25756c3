package seqio

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"wfagpu/align"
)

// TestBatchLimits: batches are as full as the limits allow, and no fuller.
func TestBatchLimits(t *testing.T) {
	text := strings.Repeat(">ACGT\n<ACG\n", 10) + ">" + strings.Repeat("A", 50) + "\n<C\n" + strings.Repeat(">ACGT\n<ACG\n", 3)
	tests := []struct {
		lim  Limits
		want []int
	}{
		{Limits{}, []int{14}},
		{Limits{Pairs: 4}, []int{4, 4, 4, 2}},
		{Limits{Pairs: 14}, []int{14}},
		{Limits{Bases: 21}, []int{3, 3, 3, 1, 1, 3}},
		{Limits{Bases: 20}, []int{2, 2, 2, 2, 2, 1, 2, 1}},
		{Limits{Bases: 1}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{Limits{Bases: 58, Pairs: 9}, []int{8, 2, 2, 2}},
	}
	for _, tc := range tests {
		r, err := Open(Inputs{Pairs: []string{"-"}}, strings.NewReader(text), tc.lim)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		var b align.Batch
		for r.ReadBatch(&b) == nil {
			got = append(got, len(b.Pairs))
		}
		if len(got) != len(tc.want) {
			t.Errorf("%+v: %v, want %v", tc.lim, got, tc.want)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%+v: %v, want %v", tc.lim, got, tc.want)
				break
			}
		}
	}
}

// TestBytesLieInStorage: Buf and Blocks back the pairs.
func TestBytesLieInStorage(t *testing.T) {
	var fasta strings.Builder
	for range 300 {
		fasta.WriteString(">name of it\n" + strings.Repeat("ACGT", 40) + "\n")
	}
	path := filepath.Join(t.TempDir(), "a.fa")
	if err := os.WriteFile(path, []byte(fasta.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]Inputs{"fastx": {Query: []string{path}, Target: []string{path}}, "seq": {Pairs: []string{"-"}}} {
		r, err := Open(in, strings.NewReader(strings.Repeat(">ACGT\n<ACG\n", 5000)), Limits{Bases: 20000})
		if err != nil {
			t.Fatal(err)
		}
		var b align.Batch
		b.Buf = make([]byte, 0, 10)
		for r.ReadBatch(&b) == nil {
			inside := func(s []byte) bool {
				at := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
				return slices.ContainsFunc(append(b.Blocks, b.Buf), func(text []byte) bool {
					low := uintptr(unsafe.Pointer(unsafe.SliceData(text)))
					return at >= low && at+uintptr(len(s)) <= low+uintptr(len(text))
				})
			}
			for i, p := range b.Pairs {
				for _, s := range [][]byte{p.PatternName, p.Pattern, p.TextName, p.Text} {
					if len(s) > 0 && !inside(s) {
						t.Fatalf("%s: pair %d of %d is not in the storage of the batch", name, i+1, len(b.Pairs))
					}
				}
			}
		}
		r.Close()
	}
}

// endless repeats a text for ever.
type endless struct {
	text string
	pos  int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], e.text[e.pos:])
		e.pos = (e.pos + m) % len(e.text)
		n += m
	}
	return n, nil
}

// TestReadBatchDoesNotAllocate: with a reused batch the steady state of a pairs
// file allocates nothing.
func TestReadBatchDoesNotAllocate(t *testing.T) {
	pair := ">" + strings.Repeat("ACGTA", 30) + "\n<" + strings.Repeat("ACGTC", 30) + "\n"
	r, err := Open(Inputs{Pairs: []string{"-"}}, &endless{text: pair}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var b align.Batch
	read := func() {
		if err := r.ReadBatch(&b); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		read()
	}
	if n := testing.AllocsPerRun(20, read); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
	if n := len(b.Pairs); n != (4<<20)/300 {
		t.Errorf("a batch of 150 bp pairs holds %d, want %d", n, (4<<20)/300)
	}
}

// TestMemoryIsBounded: a hundred times the limits leave Buf at their size.
func TestMemoryIsBounded(t *testing.T) {
	r, err := Open(Inputs{Pairs: []string{"-"}}, io.LimitReader(&endless{text: ">ACGT\n<ACG\n"}, 10<<20), Limits{Bases: 50000, Pairs: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var b align.Batch
	for r.ReadBatch(&b) == nil {
		if cap(b.Buf) > 1<<20 {
			t.Fatalf("Buf has grown to %d bytes", cap(b.Buf))
		}
	}
	if carry := cap(r.pairs.(*seqPairs).carry); carry > 1<<20 {
		t.Errorf("%d bytes are carried over", carry)
	}
}
