package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/hybrid/hybridtest"
	seqio "wfagpu/io"
)

// What is to come follows from the size of the input, be it a file or a redirection.
func TestInputRest(t *testing.T) {
	const pairs = 1 << 19
	path := filepath.Join(t.TempDir(), "pairs.seq")
	text := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", pairs)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, "-"} {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		src, err := seqio.Open(seqio.Inputs{Pairs: []string{name}}, file, seqio.Limits{Bases: 1 << 18})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		rest := &inputRest{size: int64(len(text))}
		if r := rest.estimate(); r != 0 {
			t.Errorf("%s, not open: %v", name, r)
		}
		rest.reader.Store(src)
		var b align.Batch
		for last := math.Inf(1); ; {
			err := src.ReadBatch(&b)
			r := rest.estimate()
			if r > last || b.First == 1 && r == 0 || err == io.EOF && r != 0 {
				t.Errorf("%s, pair %d: %v after %v", name, b.First, r, last)
			}
			if last = r; err != nil {
				break
			}
		}
	}
}

// A file that the CPU aligns soon opens no GPU.
func TestSmallFileOpensNoGPU(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.seq")
	if err := os.WriteFile(path, []byte(pair), 0o666); err != nil {
		t.Fatal(err)
	}
	machine := hybridtest.NewMachine(&hybridtest.GPU{})
	machine.Hint, machine.BeforeCount = 1, func() { t.Error("the GPU was opened") }
	got := runInBackground(t, machine, "", "align", path)
	if got.code != exitOK || got.stdout != pairLine {
		t.Errorf("%+v", got)
	}
}
