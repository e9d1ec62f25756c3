package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCopies compares the routines that look for copies of words with the plain ones.
func TestCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	for _, l := range Levels() {
		k := kernelsFor(l)
		for range 2000 {
			n := 1 + r.IntN(300)
			s := lettersOf(r, "AC", n+2*seqPad)
			seeds := lettersOf(r, "AC", seedWord*seedWords)
			if r.IntN(2) == 0 {
				copy(seeds, s[r.IntN(n):])
			}
			shifts := r.IntN(n)
			if got, want := k.copies(&seeds[0], &s[0], shifts), copiesGo(&seeds[0], &s[0], shifts); got != want {
				t.Fatalf("%v: %d shifts: copies of %08b, want %08b", l, shifts, got, want)
			}
			x, y := repeats{kern: k}, repeats{kern: goKernels}
			for range 3 {
				var q sequence
				if err := q.load(k, lettersOf(r, "ACGT", r.IntN(2000)), textPad); err != nil {
					t.Fatal(err)
				}
				far := r.IntN(300)
				x.find(&q, far)
				y.find(&q, far)
				if !slices.Equal(x.marks, y.marks) {
					t.Fatalf("%v: marks differ", l)
				}
				for h := range max(0, q.n-seedWord+1) {
					for _, d := range []int{-far, -1, 1, far} {
						if i := h + d; d != 0 && i >= 0 && i+seedWord <= q.n && load64(q.first(), h) == load64(q.first(), i) && x.marked(h)&1 == 0 {
							t.Fatalf("%v: the word at %d has a copy at %d, and no mark", l, h, i)
						}
					}
				}
			}
		}
	}
}
