package seqio

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
)

// TestBlocksOfOpen: Open reads large files in blocks, all of a batch's size but
// the last, and keeps the limits.
func TestBlocksOfOpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	letters := []byte(strings.Repeat("ACGTTGCAGATTACAGGCAT", 1000))
	var text strings.Builder
	var want []pair
	for text.Len() < 4<<20 {
		q, s := string(letters[:rng.IntN(300)]), string(letters[:rng.IntN(300)])
		if len(want) == 9000 { // long, but no reason to leave the blocks
			q = string(letters)
		}
		fmt.Fprintf(&text, ">%s\n<%s\n", q, s)
		want = append(want, pair{query: q, target: s})
	}
	if s := openInBlocks(t, text.String(), want, 0); s.next != s.cut.count || s.next < 15 {
		t.Errorf("%d of %d blocks counted", s.next, s.cut.count)
	}
}

// openInBlocks reads a text, which is to be in blocks of the least size and to have some pairs. Batches may have more
// bases, by so many.
func openInBlocks(t *testing.T, text string, want []pair, more int) *seqBlocks {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Open(Inputs{Pairs: []string{path}}, nil, Limits{Bases: minBlockRoom})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, ok := r.pairs.(*seqBlocks)
	if !ok {
		t.Fatal("the file is not read in blocks")
	}
	got, err := drain(t, r, Limits{Bases: minBlockRoom + more})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d pairs of %d, or not the same, and %v", len(got), len(want), err)
	}
	return s
}

// TestBlocksOfLongPairs: blocks take pairs of about their own size, and longer ones.
func TestBlocksOfLongPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	letters := []byte(strings.Repeat("ACGTTGCAGATTACAGGCAT", 80_000))
	var text strings.Builder
	var want []pair
	for text.Len() < 12<<20 {
		n := rng.IntN(250_000)
		if len(want) == 20 {
			n = len(letters)
		}
		q, s := string(letters[:n]), string(letters[:n-n/9])
		fmt.Fprintf(&text, ">%s\n<%s\n", q, s)
		want = append(want, pair{query: q, target: s})
	}
	if s := openInBlocks(t, text.String(), want, 500_000); s.next < s.cut.count-1 { // one may end with the file
		t.Errorf("%d of %d blocks counted", s.next, s.cut.count)
	}
}

// TestBlocksOfStdin: a file on standard input is read from where it stands, and
// stands at its end afterwards.
func TestBlocksOfStdin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte("what came before\n\xef\xbb\xbf"+strings.Repeat(">ACGT\n<ACG\n", 100_000)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(17, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	lim := Limits{Bases: minBlockRoom}
	r, err := Open(Inputs{Pairs: []string{"-"}}, f, lim)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := r.pairs.(*seqBlocks)
	if !ok {
		t.Fatal("standard input is not read in blocks")
	}
	got, err := drain(t, r, lim)
	if err != nil || len(got) != 100_000 || s.next != s.cut.count {
		t.Errorf("%d pairs, %v, %d of %d blocks counted", len(got), err, s.next, s.cut.count)
	}
	if r.BytesRead() != r.Size() || r.Size() != 11*100_000+3 {
		t.Errorf("%d bytes read of %d", r.BytesRead(), r.Size())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 11*100_000+20 {
		t.Errorf("standard input stands at %d, %v", at, err)
	}
}

// TestNoBlocks: what is no plain file on disk, and batches of unusual size, are
// read without.
func TestNoBlocks(t *testing.T) {
	text := strings.Repeat(">ACGT\n<ACG\n", 100_000)
	dir := t.TempDir()
	path, zipped := filepath.Join(dir, "pairs"), filepath.Join(dir, "zipped")
	for file, text := range map[string]string{path: text, zipped: compress(t, text)} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		path  string
		bases int
	}{{zipped, minBlockRoom}, {"-", minBlockRoom}, {path, minBlockRoom - 1}, {path, maxBlockRoom + 1}, {path, 0}} {
		r, err := Open(Inputs{Pairs: []string{tc.path}}, strings.NewReader(text), Limits{Bases: tc.bases})
		if err != nil {
			t.Fatal(err)
		}
		var b align.Batch
		if err := r.ReadBatch(&b); err != nil {
			t.Error(err)
		}
		if _, ok := r.pairs.(*seqPairs); !ok {
			t.Errorf("%+v is read by a %T", tc, r.pairs)
		}
		r.Close()
	}
}

// TestBlocksOfAChangingFile: a file that grows is read to its new end, and one
// that is cut off to where it ends now, which is an error.
func TestBlocksOfAChangingFile(t *testing.T) {
	text := strings.Repeat(">ACGT\n<ACG\n", 1000) // more than is read ahead
	sh := shape{100, 70, 150, 100, 20, 1000}
	for name, tc := range map[string]struct {
		change func(f *os.File) error
		pairs  int
		err    string
	}{
		"grows": {func(f *os.File) error { _, err := f.WriteAt([]byte(text), int64(len(text))); return err }, 2000, ""},
		"cut off": {func(f *os.File) error { return f.Truncate(11*800 + 3) }, 800,
			"pairs:1601: record 801: the file has become shorter while it was read: it had 11000 bytes and ends after 8803"},
		"cut off between pairs": {func(f *os.File) error { return f.Truncate(11 * 800) }, 800,
			"pairs:1601: record 801: the file has become shorter while it was read: it had 11000 bytes and ends after 8800"},
		"spoilt": {func(f *os.File) error { _, err := f.WriteAt([]byte(">"), 11*900+6); return err }, 900,
			"pairs:1802: record 901: found a second line >QUERY: want a line <TARGET after the first"},
	} {
		path := filepath.Join(t.TempDir(), "pairs")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := openShape(t, path, Limits{Bases: 1 << 12}, sh)
		if err != nil {
			t.Fatal(err)
		}
		var b align.Batch
		if err := r.ReadBatch(&b); err != nil {
			t.Fatal(err)
		}
		n := len(b.Pairs)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := tc.change(f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for err = r.ReadBatch(&b); err == nil || len(b.Pairs) > 0; err = r.ReadBatch(&b) {
			if b.First != int64(n+1) {
				t.Fatalf("%s: First = %d after %d pairs", name, b.First, n)
			}
			n += len(b.Pairs)
		}
		if msg := message(t, err); n != tc.pairs || msg != tc.err && (msg != "EOF" || tc.err != "") {
			t.Errorf("%s: %d pairs and %q, want %d and %q", name, n, msg, tc.pairs, tc.err)
		}
		r.Close()
	}
}

// TestBlocksDoNotAllocate: storage goes back and forth between the batch and
// the blocks.
func TestBlocksDoNotAllocate(t *testing.T) {
	pair := ">" + strings.Repeat("ACGTA", 30) + "\n<" + strings.Repeat("ACGTC", 30) + "\n"
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte(strings.Repeat(pair, 50<<10)), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Open(Inputs{Pairs: []string{path}}, nil, Limits{Bases: minBlockRoom})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b align.Batch
	read := func() {
		if err := r.ReadBatch(&b); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 * len(r.pairs.(*seqBlocks).ring) {
		read()
	}
	if n := testing.AllocsPerRun(20, read); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.ReadBatch(&b); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
}
