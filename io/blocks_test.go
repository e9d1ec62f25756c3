package seqio

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shape divides small texts as cutIntoBlocks does large ones. Of some the room may be doubled, once or twice.
type shape struct{ size, lead, room, step, tail, pairs int }

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
	if sh.size > 0 && !src.packed() {
		r.pairs = newSeqBlocks(plain, blockCut{
			file: src.disk, text: src.skipped, count: (src.size - src.skipped - 1) / int64(sh.size),
			size: sh.size, lead: max(sh.lead, 1), room: sh.room, storage: sh.room, most: sh.room << (sh.size % 3), step: sh.step, tail: sh.tail, pairs: sh.pairs,
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
			shape{size, 1, size + 40, step, 1, 1000},
			shape{size, 3, size + 9, 100, 4, 1000},
			shape{size, 2*size + 1, 2 * size, size, size, 3})
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
			shapes = append(shapes, shape{size, 1 + rng.IntN(150), size + 1 + rng.IntN(200), 1 + rng.IntN(100), rng.IntN(20), 1 + rng.IntN(100)})
		}
		if compareShapes(t, string(text), shapes) > 0 {
			counted++
		}
	}
	if counted < 200 {
		t.Errorf("blocks counted in %d of 300 texts only", counted)
	}
}
