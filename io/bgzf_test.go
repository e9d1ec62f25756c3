package seqio

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// bgzfBlocks cuts a file into blocks by the sizes in their headers, and returns the
// text of each. With an end the last one, which is empty, is left out.
func bgzfBlocks(t *testing.T, packed []byte, end bool) []string {
	t.Helper()
	if end {
		var ok bool
		if packed, ok = bytes.CutSuffix(packed, []byte(bgzfEnd)); !ok {
			t.Fatal("the end of BGZF is missing")
		}
	}
	var texts []string
	for len(packed) > 0 {
		if len(packed) < len(bgzfHeader) || !bytes.HasPrefix(packed, []byte(bgzfHeader)[:16]) {
			t.Fatalf("block %d does not start with a header of BGZF", len(texts)+1)
		}
		size := int(binary.LittleEndian.Uint16(packed[16:])) + 1
		if size > len(packed) {
			t.Fatalf("block %d is cut", len(texts)+1)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed[:size]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || len(text) == 0 || len(text) > bgzfText {
			t.Fatalf("block %d: %d bytes, %v", len(texts)+1, len(text), err)
		}
		texts = append(texts, string(text))
		packed = packed[size:]
	}
	return texts
}

// packBGZF writes text in pieces.
func packBGZF(t *testing.T, text string, piece int) []byte {
	t.Helper()
	var out bytes.Buffer
	z := newBGZFWriter(&out)
	for p := range slices.Chunk([]byte(text), piece) {
		if n, err := z.Write(p); n != len(p) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	for range 2 {
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// noise is n bytes that do not compress, and hold no end of a line.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		if b[i] = byte(x >> 24); b[i] == '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}

// Blocks hold whole lines where lines fit, and the same ones however the text comes.
func TestBGZF(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	long := noise(bgzfText) + "\n"
	for name, tc := range map[string]struct {
		text   string
		blocks int // 0: any number
	}{
		"empty":            {"", 0},
		"a line":           {"a\n", 1},
		"no line":          {"a", 1},
		"a full block":     {strings.Repeat("0123456789abcde\n", bgzfText/16), 1},
		"and a line":       {strings.Repeat("0123456789abcde\n", bgzfText/16+1), 2},
		"a long line":      {long, 2},
		"longer lines":     {long + long + "a\n" + noise(5*bgzfText) + "\n", 10},
		"incompressible":   {noise(bgzfText), 1},
		"a full chunk":     {strings.Repeat("0123456789abcde\n", bgzfChunk/16), 16},
		"many chunks":      {seqText(100_000), 0},
		"noise in lines":   {strings.Repeat(noise(200)+"\n", 20_000), 0},
		"blocks in a line": {noise(3*bgzfChunk) + "\na\n", 49},
	} {
		t.Run(name, func(t *testing.T) {
			var first []byte
			for i, piece := range []int{1 << 20, 4093, len(tc.text) + 1} {
				runtime.GOMAXPROCS(1 + i)
				packed := packBGZF(t, tc.text, piece)
				if i == 0 {
					first = packed
				} else if !bytes.Equal(packed, first) {
					t.Errorf("pieces of %d bytes become another file", piece)
				}
			}
			blocks := bgzfBlocks(t, first, true)
			if strings.Join(blocks, "") != tc.text || tc.blocks > 0 && len(blocks) != tc.blocks {
				t.Errorf("%d blocks, want %d, or another text", len(blocks), tc.blocks)
			}
			for i, b := range blocks {
				if i < len(blocks)-1 && len(b) < bgzfText && !strings.HasSuffix(b, "\n") {
					t.Errorf("block %d of %d bytes ends within a line", i+1, len(b))
				}
			}
		})
	}
}

// A full disk leaves whole blocks of whole lines, and no end of BGZF: tools tell that
// something is missing.
func TestBGZFOnFullDisk(t *testing.T) {
	var lines strings.Builder
	for line := range slices.Chunk([]byte(noise(5000*150)), 150) {
		lines.Write(append(line, '\n'))
	}
	text := lines.String() + noise(2*bgzfText) + "\n" + seqText(10_000)
	whole := packBGZF(t, text, 1<<20)
	for _, room := range []int{0, 1, 100, 65_000, 66_000, 300_000, 700_000, 760_000, 880_000, len(whole) - 1} {
		path := filepath.Join(t.TempDir(), "out.tsv.gz")
		o := create(t, path)
		if err := o.open(); err != nil {
			t.Fatal(err)
		}
		o.packer.(*bgzfWriter).w = &limitedWriter{o.file, room}
		var err error
		for rest := text; rest != "" && err == nil; {
			n := min(len(rest), 30_000)
			_, err = io.WriteString(o, rest[:n])
			rest = rest[n:]
		}
		if closeErr := o.Close(); !errors.Is(closeErr, syscall.ENOSPC) || err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d bytes: Write: %v, Close: %v", room, err, closeErr)
		}
		packed, err := os.ReadFile(path)
		if err != nil || len(packed) > room || !bytes.HasPrefix(whole, packed) {
			t.Fatalf("room for %d bytes: %d are written, %v", room, len(packed), err)
		}
		if room < len(whole)-bgzfText-len(bgzfEnd) && len(packed) < room-3*(bgzfText+100) {
			t.Errorf("room for %d bytes: only %d are kept", room, len(packed))
		}
		if got := strings.Join(bgzfBlocks(t, packed, false), ""); got != "" && !strings.HasSuffix(got, "\n") {
			t.Errorf("room for %d bytes: the text ends within a line", room)
		}
		if kept := o.Kept(); (kept != "") != (len(packed) > 0) {
			t.Errorf("room for %d bytes: kept %q", room, kept)
		}
	}
}
