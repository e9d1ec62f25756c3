package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Both searches find the places that the seeds of a pattern have in the text, in order once sorted.
func TestWindowSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 21))
	var x windowIndex
	for n := range 200 {
		var pattern, text sequence
		p, q := randomLetters(r, 8+n), randomLetters(r, 1+2*n)
		copy(q[r.IntN(len(q)):], p) // a part of the pattern
		if n%5 == 0 {               // many places of several seeds
			for i := range p {
				p[i] = "AC"[i%2]
			}
		}
		copy(pattern.guarded(len(p), patternPad), p)
		copy(text.guarded(len(q), textPad), q)
		c := codes{kern: goKernels}
		c.load(&text)
		for _, letters := range []int{5, 6, 8} {
			seeds := 1 + r.IntN(len(p)/letters)
			stride := len(p) / seeds
			var want []int
			for i := range seeds {
				for h := 0; h+letters <= len(q); h++ {
					if v := i * stride; string(q[h:h+letters]) == string(p[v:v+letters]) {
						want = append(want, h-v)
					}
				}
			}
			slices.Sort(want)
			for i, find := range []func([]int, *codes, *sequence, int, int, int, int) ([]int, bool){x.search, searchEach} {
				got, few := find(nil, &c, &pattern, seeds, letters, stride, len(want))
				x.sort(got, -len(p), len(q))
				if !few || !slices.Equal(got, want) {
					t.Fatalf("search %d, %d seeds of %d letters: %v, %v, want %v\n%q\n%q", i, seeds, letters, few, got, want, p, q)
				}
				if _, few := find(nil, &c, &pattern, seeds, letters, stride, len(want)-1); few {
					t.Fatalf("search %d: %d places are few", i, len(want))
				}
			}
		}
	}
}

// The windows of a cost have the best alignment of that cost, by each of their bounds.
func TestWindowBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 21))
	for _, pen := range []Penalties{{4, 6, 2}, {4, 6, 1}, {1, 0, 1}, {8, 3, 1}, {2, 12, 1}} {
		for _, match := range []int{0, 1} {
			o := Options{Penalties: pen, Match: match, Span: EndsFree, Free: Free{TextBegin: FreeAll, TextEnd: FreeAll}}
			a, err := NewAligner(o)
			if err != nil {
				t.Fatal(err)
			}
			x := a.spanned.inside
			w := x.window
			for range 150 {
				p := randomLetters(r, 40+r.IntN(160))
				q := slices.Clone(p)
				for range r.IntN(len(p) / 8) {
					at := r.IntN(len(q) - 12)
					switch r.IntN(3) {
					case 0:
						q = slices.Delete(q, at, at+1+r.IntN(12))
					case 1:
						q = slices.Insert(q, at, randomLetters(r, 1+r.IntN(12))...)
					default:
						q[at] = "ACGT"[r.IntN(4)]
					}
				}
				q = slices.Concat(randomLetters(r, r.IntN(90)), q, randomLetters(r, r.IntN(90)))
				if _, _, err := a.Align(p, q, nil); err != nil {
					t.Fatal(err)
				}
				at := a.Place()
				least := leastCost(&a.model, p, q)
				x.places.load(&a.text)
				for i := range w.kinds {
					k := w.kinds[i]
					if !w.find(&a.pattern, &a.text, &k) {
						continue
					}
					for _, b := range k.bounds {
						k.bounds = []windowBound{b}
						if least > w.most() {
							continue
						}
						first, last := w.diagonalsOf(least)
						for _, d := range []int{at.TextBegin - at.PatternBegin, at.TextEnd - at.PatternEnd} {
							if d < first || d > last {
								t.Fatalf("%v, match %d, %d letters, bound %v: diagonal %d of cost %d is not in %d..%d\n%q\n%q",
									pen, match, k.letters, b, d, least, first, last, p, q)
							}
						}
					}
				}
			}
		}
	}
}

// leastCost returns what the best alignment costs, FreeLetter as isInside says.
func leastCost(m *Model, pattern, text []byte) int {
	const none = 1 << 30
	n := len(text) + 1
	h, ins := make([]int, n), make([]int, n)
	for j := range h {
		h[j], ins[j] = m.FreeLetter*j, none
	}
	for i := range pattern {
		diagonal, del := h[0], none
		ins[0] = min(ins[0], h[0]+m.Gap.Open) + m.Gap.Extend
		h[0] = ins[0]
		for j := 1; j < n; j++ {
			c := diagonal
			if pattern[i] != text[j-1] {
				c += m.Mismatch
			}
			ins[j] = min(ins[j], h[j]+m.Gap.Open) + m.Gap.Extend
			del = min(del, h[j-1]+m.Gap.Open) + m.Gap.Extend
			diagonal, h[j] = h[j], min(c, ins[j], del)
		}
	}
	best := none
	for j := range h {
		best = min(best, h[j]+m.FreeLetter*(n-1-j))
	}
	return best - m.FreeLetter*(len(text)-len(pattern))
}
