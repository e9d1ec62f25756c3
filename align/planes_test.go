package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaneBand compares scores and alignments with those of wavefronts.
func TestPlaneBand(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	pen := planePenalties
	b, w := newPlaneBand(pen), newWavefronts(goKernels, pen)
	for i := range 2000 {
		alphabet := "ACGT"[:1+r.IntN(4)]
		s := make([]byte, 1+r.IntN(400))
		for i := range s {
			s[i] = alphabet[r.IntN(len(alphabet))]
		}
		var pattern, text sequence
		copy(text.guarded(len(s), textPad), s)
		for range r.IntN(1 + len(s)/3) {
			i, l := r.IntN(len(s)+1), 1+r.IntN(1+r.IntN(40))
			switch r.IntN(4) {
			case 0:
				s = slices.Insert(s, i, randomLetters(r, l)...)
			case 1:
				s = slices.Delete(s, i, min(i+l, len(s)))
			default:
				if len(s) > 0 {
					s[i%len(s)] = alphabet[r.IntN(len(alphabet))]
				}
			}
			if len(s) == 0 {
				s = []byte("A")
			}
		}
		copy(pattern.guarded(len(s), patternPad), s)
		for w.start(&pattern, &text, true); !w.reached(); w.step() {
		}
		want, err := w.traceback(nil)
		if err != nil {
			t.Fatal(err)
		}
		b.load(&pattern, &text)
		for _, bound := range []int{w.s, w.s + r.IntN(100)} {
			score, ok := b.within(bound, true, 1<<30)
			if !ok || score != w.s {
				t.Fatalf("pair %d, %s, %s: score %d, %v, want %d", i, pattern.letters(), text.letters(), score, ok, w.s)
			}
			cost, got, err := b.trace.run(nil, &pattern, &text, &pen)
			if err != nil || cost != w.s || !slices.Equal(got, want) {
				t.Fatalf("pair %d, %s, %s: cost %d of %d, %v, want %v, %v", i, pattern.letters(), text.letters(), cost, w.s, got, want, err)
			}
		}
	}
}
