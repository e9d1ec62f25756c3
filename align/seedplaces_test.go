package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The routine finds the places of all seeds.
func TestSeedPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 21))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 300 {
			n, behind, stride := 1+r.IntN(400), r.IntN(5), 1+r.IntN(9)
			seeds, shift := 1+r.IntN(30), r.IntN(3)*r.IntN(9)
			text, pattern := make([]byte, n+seeds*shift+2*seqPad), make([]byte, seeds*stride+behind)
			for i := range text {
				text[i] = byte(r.IntN(8))
			}
			for i := range pattern {
				pattern[i] = byte(r.IntN(8))
			}
			var want []seedBlock
			for s := range seeds {
				for at := 0; at < n; at += seedPlaces {
					b := seedBlock{at: int32(at), seed: int32(s)}
					for i := range seedPlaces {
						if text[s*shift+at+i] == pattern[s*stride] && text[s*shift+at+i+behind] == pattern[s*stride+behind] {
							b.places |= 1 << i
						}
					}
					if b.places != 0 {
						want = append(want, b)
					}
				}
			}
			got := make([]seedBlock, seeds*(1+n/seedPlaces)+1)
			count := k.lanes.places(&seedArgs{
				text: &text[0], pattern: &pattern[0], n: n, behind: behind, seeds: seeds, stride: stride, shift: shift,
				out: &got[0],
			})
			if !slices.Equal(got[:count], want) {
				t.Fatalf("%d seeds, %d codes: %v, want %v", seeds, n, got[:count], want)
			}
		}
	})
}
