package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLikely compares wavefronts in a likely cone with those everywhere, also for pairs whose
// errors are all near one end: there the likely score is far too low, or too high.
func TestLikely(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	narrowed, beyond := 0, 0
	for _, pen := range []Penalties{{2, 3, 1}, {4, 6, 2}, {1, 0, 1}, {3, 1, 4}, {7, 30, 2}} {
		a, err := NewAligner(Options{Penalties: pen, Level: LevelGo})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			s := randomLetters(r, 100+r.IntN(400))
			text := slices.Clone(s)
			from, to := 0, len(s)
			switch i % 3 {
			case 1:
				from = len(s) * 3 / 4
			case 2:
				to = len(s) / 4
			}
			for range (to - from) / (3 + r.IntN(10)) {
				at := from + r.IntN(to-from)
				switch r.IntN(3) {
				case 0:
					s[at%len(s)] = "ACGT"[r.IntN(4)]
				case 1:
					s = slices.Insert(s, min(at, len(s)), "ACGT"[r.IntN(4)])
				case 2:
					s = slices.Delete(s, at%len(s), at%len(s)+1)
				}
			}
			x, err := a.loadExact(s, text)
			if err != nil {
				t.Fatal(err)
			}
			score, want, err := x.wavefronts(nil, x.pen.Worst(len(s), len(text)))
			if err != nil {
				t.Fatal(err)
			}
			want = slices.Clone(want)

			w := x.waves
			w.start(x.pattern, x.text, true)
			l := newLikely(w, a.limit)
			for !w.reached() {
				if l.update() {
					beyond++
					l.end(true)
					continue
				}
				w.step()
			}
			if l.bound > 0 {
				narrowed++
			}
			got, err := w.traceback(nil)
			if err != nil || w.s != score || !slices.Equal(got, want) {
				t.Fatalf("%v, pair %d: score %d, %v, %v, want %d, %v", pen, i, w.s, got, err, score, want)
			}
			if s, c, err := x.wavefronts(nil, 0); err != nil || s != score || !slices.Equal(c, want) {
				t.Fatalf("%v, pair %d, as a method: score %d, %v, %v, want %d, %v", pen, i, s, c, err, score, want)
			}
		}
	}
	if narrowed < 50 || beyond < 20 {
		t.Errorf("%d pairs in a likely cone, %d beyond it", narrowed, beyond)
	}
}
