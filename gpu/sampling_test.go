package gpu

import (
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/pack"
)

// A sample of packed letters tells what one of the letters themselves does: CPU and GPU sample the
// same pairs alike.
func TestSampleOfPackedLetters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var seen [3]int
	for _, rate := range []float64{0, 0.001, 0.005, 0.012, 0.02, 0.04, 0.12} {
		for round := range 40 {
			g, err := simulate.New(simulate.Options{
				Length: 16_400 + r.IntN(40_000), ErrorRate: rate, Seed: uint64(round),
				Model: simulate.SV, Variants: simulate.Variants{Least: 5, Most: 9000, Share: 0.5},
			})
			if err != nil {
				t.Fatal(err)
			}
			pattern, text := g.Next()
			p := align.Pair{Pattern: pattern[r.IntN(16):], Text: text[r.IntN(300):]}
			if round%2 == 1 {
				p.Pattern, p.Text = p.Text, p.Pattern
			}
			n, m := len(p.Pattern), len(p.Text)
			// What is behind the letters is undefined, and no further than a word.
			bases := make([]uint32, pack.Words(n)+pack.Words(m)+pack.Tail)
			if !pack.Pair(bases, &p, &p) {
				t.Fatal("not packed")
			}
			for _, behind := range []uint32{0, 0xffffffff, r.Uint32()} {
				end := pack.Words(n) + pack.Words(m)
				bases[end] = behind
				want := align.Approx{}.Errors(p.Pattern, p.Text)
				if got := (align.Approx{}).ErrorsPacked(bases[:end+1], n, m); got != want {
					t.Errorf("%d and %d letters, error rate %v, round %d: %v, want %v", n, m, rate, round, got, want)
				}
				seen[want]++
			}
		}
	}
	for kind, n := range seen {
		if n < 50 {
			t.Errorf("kind %d: %d", kind, n)
		}
	}
}
