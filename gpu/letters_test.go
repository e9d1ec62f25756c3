package gpu

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Letters outside ACGTU go to the other engine, and nothing else does.
func TestLettersOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		b := simulated(t, 300, simulate.Options{Length: 150, ErrorRate: 0.05, Seed: 8})
		strange := int64(0)
		for i := range b.Pairs {
			p := &b.Pairs[i]
			switch i % 10 {
			case 0:
				p.Pattern = append(p.Pattern, "N@`{[^_=7"[i%9])
				strange++
			case 1:
				p.Text[i%len(p.Text)] = byte(0x80 | i)
				strange++
			case 2:
				p.Text = bytes.ReplaceAll(bytes.ToLower(p.Text), []byte("t"), []byte("u"))
			case 3:
				p.Pattern = bytes.ReplaceAll(p.Pattern, []byte("T"), []byte("U"))
			}
		}
		e := openOnFake(t, newFakeGPU(t, 1000), opts)
		alone := &align.Batch{Pairs: b.Pairs}
		mustAlignAll(t, e, alone)
		for i, r := range alone.Results {
			if want := i%10 < 2; errors.Is(r.Err, FallbackLetters) != want || (r.Err != nil) != want {
				t.Fatalf("pair %d, %q: error %v", i, b.Pairs[i].Pattern, r.Err)
			}
		}
		mustAlignAll(t, withCPU(t, e, o), b)
		wantAsOnCPU(t, o, b)
		if s := wantStats(t, e, 2*len(b.Pairs)); s.Fallback.Letters != 2*strange || s.Fallback.Pairs() != s.Fallback.Letters {
			t.Errorf("%d pairs with strange letters, want %d: %+v", s.Fallback.Letters, 2*strange, s)
		}
	})
}

// Every byte is a letter to the GPU exactly when it is one of ACGTU.
func TestEveryByteOnFake(t *testing.T) {
	b := &align.Batch{}
	for c := range 256 {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGTACGTACGTACGTACG"), Text: []byte{'A', byte(c), 'A'}})
	}
	mustAlignAll(t, openOnFake(t, newFakeGPU(t, 1000), Options{}), b)
	for c, r := range b.Results {
		if known := strings.ContainsRune("ACGTUacgtu", rune(c)); known != (r.Err == nil) {
			t.Errorf("byte %#x: error %v", c, r.Err)
		}
	}
}

// The GPU's verdict on a pair with an empty sequence is that of the CPU, also
// for bytes that are no letters.
func TestEmptyAgainstNoLetterOnFake(t *testing.T) {
	b := &align.Batch{Pairs: []align.Pair{{Text: []byte("AC\x00")}, {Pattern: []byte("\xffGT")}, {Text: []byte("NN")}}}
	want := &align.Batch{Pairs: b.Pairs}
	cpu, err := align.New(align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mustAlignAll(t, cpu, want)
	mustAlignAll(t, &gpuAndCPU{GPU: openOnFake(t, newFakeGPU(t, 1000), Options{}), CPU: cpu}, b)
	for i, r := range b.Results {
		if w := want.Results[i]; r.Score != w.Score || r.Err != w.Err {
			t.Errorf("pattern %q, text %q: score %d, error %v; on the CPU %d, %v",
				b.Pairs[i].Pattern, b.Pairs[i].Text, r.Score, r.Err, w.Score, w.Err)
		}
	}
}
