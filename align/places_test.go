package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// The codes of letters are the plain ones, and so are the places of two of them.
func TestPlacesKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	kernels := func(t *testing.T, k *kernels) {
		for n := 2 * codeLetters; n <= 300; n++ {
			var text sequence
			copy(text.guarded(n, textPad), randomLetters(r, n))
			if n%3 == 0 { // many places
				for i := range text.letters() {
					text.letters()[i] = "AC"[r.IntN(8)/7]
				}
			}
			c := codes{kern: k}
			c.load(&text)
			for i := range n {
				if got, want := c.buf[i], codeAt(text.first(), i); got != want {
					t.Fatalf("letter %d of %q: code %#x, want %#x", i, text.letters(), got, want)
				}
			}
			last := n - 2*codeLetters // place
			v := r.IntN(last + 1)
			first, second := codeAt(text.first(), v), codeAt(text.first(), v+codeLetters)
			var want []int32
			for h := range last + 1 {
				if codeAt(text.first(), h) == first && codeAt(text.first(), h+codeLetters) == second {
					want = append(want, int32(h))
				}
			}
			for _, most := range []int{1, 5, 300} {
				got := make([]int32, most)
				got = got[:k.places(&c.buf[0], last+1, codeLetters, first, second, &got[0], most)]
				if !slices.Equal(got, want[:min(most, len(want))]) {
					t.Fatalf("%d places of letters %d of %q: %v, want %v", most, v, text.letters(), got, want)
				}
			}
			// All places of a word, in parts.
			var got []int32
			c.each(text.first(), v, 2*codeLetters, 0, n, func(h int) bool {
				got = append(got, int32(h))
				return true
			})
			if !slices.Equal(got, want) {
				t.Fatalf("letters %d of %q: %v, want %v", v, text.letters(), got, want)
			}
		}
	}
	t.Run("go", func(t *testing.T) { kernels(t, goKernels) })
	eachSIMDKernels(t, kernels)
}

// Codes tell other letters than A, C, G and T from none.
func TestCodesOfLetters(t *testing.T) {
	seen := map[uint8]byte{}
	for _, l := range []byte("ACGT") {
		s := []byte{l, l, l, l}
		code := codeAt(unsafe.Pointer(&s[0]), 0)
		if other, ok := seen[code]; ok {
			t.Errorf("%c and %c have the code %#x", l, other, code)
		}
		seen[code] = l
	}
}
