package gpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// packPlain is what pack does, one letter at a time.
func packPlain(letters []byte) (words []uint32, ok bool) {
	words = make([]uint32, (len(letters)+letterUnit-1)/letterUnit)
	ok = true
	for i, b := range letters {
		code := bytes.IndexByte([]byte("ACTG"), bytes.ToUpper([]byte{b})[0])
		if b == 'U' || b == 'u' {
			code = 2
		}
		if code < 0 {
			ok, code = false, 0
		}
		words[i/letterUnit] |= uint32(code) << (30 - 2*(i%letterUnit))
	}
	return words, ok
}

func TestPack(t *testing.T) {
	if !canPack {
		t.Skip("this CPU has no packer: the device packs")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		letters := make([]byte, n)
		for range 20 {
			for i := range letters {
				letters[i] = "ACGTUacgtu"[r.IntN(10)]
			}
			want, _ := packPlain(letters)
			got := make([]uint32, len(want)+1)
			if !pack(got, letters) {
				t.Fatalf("%q is refused", letters)
			}
			// What lies behind the last letter in its word does not matter.
			if last := n % letterUnit; last > 0 {
				keep := ^uint32(0) << (32 - 2*last)
				got[len(want)-1] &= keep
			}
			if !slices.Equal(got[:len(want)], want) {
				t.Fatalf("%q: %#x, want %#x", letters, got, want)
			}
		}
	}
	// Every byte, at every position of a block and in the rest.
	for at := range 40 {
		for b := range 256 {
			letters := bytes.Repeat([]byte("g"), 40)
			letters[at] = byte(b)
			_, want := packPlain(letters)
			if got := pack(make([]uint32, 4), letters); got != want {
				t.Fatalf("byte %#x at %d: accepted %v, want %v", b, at, got, want)
			}
		}
	}
}

func BenchmarkPack(b *testing.B) {
	if !canPack {
		b.Skip("this CPU has no packer")
	}
	letters := bytes.Repeat([]byte("ACGTT"), 30)
	dst := make([]uint32, 11)
	b.SetBytes(int64(len(letters)))
	for b.Loop() {
		pack(dst, letters)
	}
}
