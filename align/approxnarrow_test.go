package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNarrowBand holds that narrow wavefronts, where they take a pair of the approximate mode,
// give the score and the alignment of its adaptive band. Few letters make repeats, in which a gap
// can be at several places.
func TestNarrowBand(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, level := range Levels() {
		taken := 0
		for range 3000 {
			p := Penalties{1 + r.IntN(6), r.IntN(7), 1 + r.IntN(3)}
			a, err := NewAligner(Options{Penalties: p, Level: level, Approx: &Approx{Band: 8 + r.IntN(60), Lambda: 1 + r.IntN(60)}})
			if err != nil {
				t.Fatal(err)
			}
			letters := "ACGT"[:1+r.IntN(4)]
			pattern := make([]byte, 1+r.IntN(60))
			for i := range pattern {
				pattern[i] = letters[r.IntN(len(letters))]
			}
			text := slices.Clone(pattern)
			for range r.IntN(4) {
				at := r.IntN(len(text) + 1)
				switch n := 1 + r.IntN(3); {
				case r.IntN(3) == 0:
					text = slices.Insert(text, at, text[:min(n, len(text))]...)
				case at+n < len(text) && r.IntN(2) == 0:
					text = slices.Delete(text, at, at+n)
				case at < len(text):
					text[at] = letters[r.IntN(len(letters))]
				}
			}
			if err := a.load(pattern, text); err != nil {
				t.Fatal(err)
			}
			x := a.approx
			x.pattern, x.text = &a.pattern, &a.text
			band, _ := x.wanted.First(a.pattern.n, a.text.n)
			s, c, ok, err := x.tryNarrowBand(nil, band)
			if err != nil {
				t.Fatalf("penalties %v, band %v, %s %s: %v", p, band, pattern, text, err)
			}
			if !ok {
				continue
			}
			taken++
			end := x.run(band)
			if end != bandReached || x.adaptive.s != s {
				t.Fatalf("penalties %v, band %v, %s %s: score %d, in the band %d, ended %d", p, band, pattern, text, s, x.adaptive.s, end)
			}
			want, cost, err := x.adaptive.traceback(nil)
			if err != nil || cost != s || !slices.Equal(c, want) {
				t.Fatalf("penalties %v, band %v, %s %s: %v, in the band %v of cost %d for %d, %v", p, band, pattern, text, c, want, cost, s, err)
			}
		}
		if taken < 1000 {
			t.Errorf("narrow wavefronts took %d pairs", taken)
		}
	}
}
