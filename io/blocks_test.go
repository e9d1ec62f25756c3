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

// shape divides small texts as cutIntoBlocks does large ones.
type shape struct{ size, room, step, tail, pairs int }

// openShape opens a pairs file that is read in blocks of this shape, or by
// seqPairs alone if the shape has no size.
func openShape(t testing.TB, path string, lim Limits, sh shape) (*Reader, error) {
	t.Helper()
	src, err := openSource(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Reader{limits: lim.withDefaults(), sources: []*source{src}}
	if err := src.start(); err != nil {
		r.Close()
		return nil, err
	}
	plain, err := newSeqPairs(src, r.limits)
	if err != nil {
		r.Close()
		return nil, err
	}
	r.pairs = plain
	if sh.size > 0 && src.gz == nil {
		r.pairs = newSeqBlocks(plain, blockCut{
			file: src.disk, text: src.skipped, count: (src.size - src.skipped - 1) / int64(sh.size),
			size: sh.size, room: sh.room, storage: sh.room, step: sh.step, tail: sh.tail, pairs: sh.pairs,
		})
	}
	return r, nil
}

// readShape reads a pairs file that way. blocks is how many blocks counted.
func readShape(t testing.TB, path string, lim Limits, sh shape) (got []pair, blocks int64, err error) {
	t.Helper()
	r, err := openShape(t, path, lim, sh)
	if err != nil {
		return nil, 0, err
	}
	s, _ := r.pairs.(*seqBlocks)
	got, err = drain(t, r, lim)
	if s != nil {
		blocks = s.next
	}
	if err := r.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if n := r.BytesRead(); err == nil && n != r.Size() {
		t.Errorf("%d bytes read of %d", n, r.Size())
	}
	return got, blocks, err
}

// compareShapes reads a text in blocks of every shape and expects what plain
// reading comes to, the error included. It returns how many blocks counted.
func compareShapes(t *testing.T, text string, shapes []shape) (blocks int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	lim := Limits{Bases: 1 << 12}
	want, _, wantErr := readShape(t, path, lim, shape{})
	for _, sh := range shapes {
		got, n, err := readShape(t, path, lim, sh)
		if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%q in blocks %+v:\n got %q, %v\nwant %q, %v", text, sh, got, err, want, wantErr)
		}
		blocks += n
	}
	return blocks
}

// everyShape has blocks of every size up to that of the text, so that they end
// at every place of it, read in steps that end at every place, too.
func everyShape(text string) []shape {
	var shapes []shape
	for size := 1; size <= len(text)+1; size++ {
		step := 1 + size%9
		shapes = append(shapes,
			shape{size, size + 40, step, 1, 1000},
			shape{size, size + 9, 100, 4, 1000},
			shape{size, 2 * size, size, size, 3})
	}
	return shapes
}

// TestBlocks: blocks change nothing, wherever they end, in good text and bad.
func TestBlocks(t *testing.T) {
	good := ">ACGT\n<ACG\n>A\n<\n>\n<GGTTA\n>TTAC*n\n<acgtn\n"
	texts := map[string]string{
		"plain":                  good + good,
		"no final newline":       good + ">AC\n<AC",
		"CRLF":                   strings.ReplaceAll(good+good, "\n", "\r\n"),
		"some CRLF":              good + strings.ReplaceAll(good, "\n", "\r\n") + good,
		"blank lines":            "\n\n\r\n" + strings.ReplaceAll(good, "\n>", "\n\n\r\n>") + "\n" + good + "\n\n\n\r\n\n",
		"blank lines in pairs":   strings.ReplaceAll(good+good, "\n<", "\r\n\r\n\n<"),
		"byte order mark":        "\xef\xbb\xbf" + good + good,
		"long pair":              good + ">" + strings.Repeat("ACGT", 30) + "\n<" + strings.Repeat("AGT", 40) + "\n" + good,
		"many short pairs":       strings.Repeat(">\n<\n", 30),
		"two queries":            good + ">A\n>C\n" + good,
		"two queries apart":      good + ">A\n\n\r\n\n>C\n<G\n" + good,
		"two targets":            good + "<A\n" + good,
		"bad query":              good + ">A-C\n<ACC\n" + good,
		"bad target":             good + ">ACC\n<A C\n" + good,
		"bad mark":               good + "ACG\n" + good,
		"bad query, two queries": good + ">A1\n>A\n" + good,
		"CR within":              good + ">A\rC\n<A\n" + good,
		"line of CRs":            good + "\r\r\n" + good,
		"CRs at the end":         good + good + "\n\r\r",
		"ends after a query":     good + good + ">ACG\n",
		"ends within a query":    good + good + ">ACG",
		"a mark within":          good + ">AC>GT\n<AC<GT\n" + good,
	}
	for name, text := range texts {
		blocks := compareShapes(t, text, everyShape(text))
		if blocks == 0 {
			t.Errorf("%s: no block of any shape counted", name)
		}
	}
}

// TestBlocksOnRandomText looks at texts that are good but for a few bytes, and
// at some that are not good at all.
func TestBlocksOnRandomText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ends := []string{"\n", "\n", "\n", "\n", "\r\n", "\n\n", "\n\r\n\n"}
	counted := 0
	for range 300 {
		var text []byte
		line := func(mark byte) {
			text = append(text, mark)
			for range rng.IntN(12) * rng.IntN(6) {
				text = append(text, "ACGTacgtN*"[rng.IntN(10)])
			}
			text = append(text, ends[rng.IntN(len(ends))]...)
		}
		for range 1 + rng.IntN(40) {
			line('>')
			line('<')
		}
		for range rng.IntN(3) * rng.IntN(2) {
			at := rng.IntN(len(text))
			switch rng.IntN(3) {
			case 0:
				text[at] = "\n\r><A-\x00\xff"[rng.IntN(8)]
			case 1:
				text = slices.Delete(text, at, at+1)
			default:
				text = slices.Insert(text, at, "\n\r><A1"[rng.IntN(6)])
			}
			if len(text) == 0 {
				text = append(text, '>')
			}
		}
		var shapes []shape
		for range 12 {
			size := 1 + rng.IntN(len(text))
			shapes = append(shapes, shape{size, size + 1 + rng.IntN(200), 1 + rng.IntN(100), rng.IntN(20), 1 + rng.IntN(100)})
		}
		if compareShapes(t, string(text), shapes) > 0 {
			counted++
		}
	}
	if counted < 200 {
		t.Errorf("blocks counted in %d of 300 texts only", counted)
	}
}

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
	path := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	lim := Limits{Bases: minBlockRoom}
	r, err := Open(Inputs{Pairs: path}, nil, lim)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, ok := r.pairs.(*seqBlocks)
	if !ok {
		t.Fatal("the file is not read in blocks")
	}
	got, err := drain(t, r, lim)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d pairs of %d, or not the same, and %v", len(got), len(want), err)
	}
	if s.next != s.cut.count || s.next < 15 {
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
	r, err := Open(Inputs{Pairs: "-"}, f, lim)
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
		r, err := Open(Inputs{Pairs: tc.path}, strings.NewReader(text), Limits{Bases: tc.bases})
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
// that is cut off to where it ends now.
func TestBlocksOfAChangingFile(t *testing.T) {
	text := strings.Repeat(">ACGT\n<ACG\n", 1000) // more than is read ahead
	sh := shape{100, 150, 100, 20, 1000}
	for name, tc := range map[string]struct {
		change func(f *os.File) error
		pairs  int
		err    string
	}{
		"grows": {func(f *os.File) error { _, err := f.WriteAt([]byte(text), int64(len(text))); return err }, 2000, ""},
		"cut off": {func(f *os.File) error { return f.Truncate(11*800 + 3) }, 800,
			"pairs:1601: record 801: the file ends after a line >QUERY: its line <TARGET is missing"},
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
	r, err := Open(Inputs{Pairs: path}, nil, Limits{Bases: minBlockRoom})
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
