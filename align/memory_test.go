package align

import (
	"math/rand/v2"
	"testing"
)

// TestTracebackBytes holds the bound against what wavefronts store for unrelated pairs and for
// pairs of very unequal lengths.
func TestTracebackBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	for _, pen := range []Penalties{{2, 3, 1}, {4, 6, 2}, {1, 0, 1}, {3, 1, 4}, {1, 20, 1}, {255, 255, 255}} {
		for _, level := range Levels() {
			a := newTestAligner(t, Options{Penalties: pen, Level: level})
			for _, n := range []int{1, 2, 10, 60, 200} {
				bound := TracebackBytes(pen, n)
				for _, m := range []int{0, 1, n / 2, n} {
					if err := a.load(randomLetters(r, m), randomLetters(r, n)); err != nil {
						t.Fatal(err)
					}
					w := a.waves
					for w.start(&a.pattern, &a.text, true); !w.reached(); w.step() {
					}
					if used := 4 * int64(w.arena.taken); used > bound || used == 0 {
						t.Errorf("%v, %s, lengths %d and %d: %d bytes, bound %d", pen, level, m, n, used, bound)
					}
				}
			}
		}
	}
}
