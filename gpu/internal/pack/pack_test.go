package pack

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// packPlain is what packSequence does, one letter at a time.
func packPlain(letters []byte) (words []uint32, ok bool) {
	words = make([]uint32, (len(letters)+abi.LettersPerWord-1)/abi.LettersPerWord)
	ok = true
	for i, b := range letters {
		code := bytes.IndexByte([]byte("ACTG"), bytes.ToUpper([]byte{b})[0])
		if b == 'U' || b == 'u' {
			code = 2
		}
		if code < 0 {
			ok, code = false, 0
		}
		words[i/abi.LettersPerWord] |= uint32(code) << (30 - 2*(i%abi.LettersPerWord))
	}
	return words, ok
}

// pairPacker is Pair for some CPUs.
type pairPacker struct {
	name string
	pack func(dst []uint32, pair, ahead *align.Pair) bool
}

// pairPackers are those that this CPU can run.
func pairPackers() []pairPacker {
	all := []pairPacker{{"Go", packPairGo}}
	if hasAVX2 {
		all = append(all, pairPacker{"AVX2", packEach})
	}
	if hasAVX512 {
		all = append(all, pairPacker{"AVX512", func(dst []uint32, pair, ahead *align.Pair) bool {
			return packPairAVX512(&dst[0], pair, ahead)
		}})
	}
	return all
}

// mustPack packs a pair and holds what comes out against packPlain.
func mustPack(t *testing.T, p pairPacker, pattern, text []byte) {
	t.Helper()
	pair := align.Pair{Pattern: pattern, Text: text}
	first, _ := packPlain(pattern)
	second, _ := packPlain(text)
	const spare = 4
	got := make([]uint32, len(first)+len(second)+Tail+spare)
	for i := range got {
		got[i] = 0xdeadbeef
	}
	if !p.pack(got, &pair, &pair) {
		t.Fatalf("%s: %q and %q are refused", p.name, pattern, text)
	}
	for i := range spare {
		if got[len(got)-1-i] != 0xdeadbeef {
			t.Fatalf("%s: lengths %d and %d: more than %d words behind the last are written to", p.name, len(pattern), len(text), Tail)
		}
	}
	for _, s := range []struct {
		letters []byte
		want    []uint32
	}{{pattern, first}, {text, second}} {
		// What lies behind the last letter in its word does not matter.
		if last := len(s.letters) % abi.LettersPerWord; last > 0 {
			got[len(s.want)-1] &= ^uint32(0) << (32 - 2*last)
		}
		if !slices.Equal(got[:len(s.want)], s.want) {
			t.Fatalf("%s: %q: %#x, want %#x", p.name, s.letters, got[:len(s.want)], s.want)
		}
		got = got[len(s.want):]
	}
}

func randomLetters(r *rand.Rand, n int) []byte {
	// At any distance from a multiple of what is read at a time.
	letters := make([]byte, n+64)[r.IntN(64):][:n]
	for i := range letters {
		letters[i] = "ACGTUacgtu"[r.IntN(10)]
	}
	return letters
}

func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range pairPackers() {
		for n := 1; n <= 300; n++ {
			for range 10 {
				letters, other := randomLetters(r, n), randomLetters(r, 1+r.IntN(300))
				mustPack(t, p, letters, other)
				mustPack(t, p, other, letters)
			}
		}
		// Every byte, at every position of a block and in the rest, on either
		// side of the pair.
		for _, n := range []int{40, 150} {
			good := bytes.Repeat([]byte("g"), n)
			for at := range n {
				for b := range 256 {
					letters := bytes.Clone(good)
					letters[at] = byte(b)
					_, want := packPlain(letters)
					dst := make([]uint32, 32)
					for _, pair := range []align.Pair{{Pattern: letters, Text: good}, {Pattern: good, Text: letters}} {
						if got := p.pack(dst, &pair, &pair); got != want {
							t.Fatalf("%s: byte %#x at %d: accepted %v, want %v", p.name, b, at, got, want)
						}
					}
				}
			}
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, p := range pairPackers() {
		b.Run(p.name, func(b *testing.B) {
			letters := bytes.Repeat([]byte("ACGTT"), 30)
			pair := &align.Pair{Pattern: letters, Text: letters}
			dst := make([]uint32, 20+Tail)
			b.SetBytes(2 * int64(len(letters)))
			for b.Loop() {
				p.pack(dst, pair, pair)
			}
		})
	}
}
