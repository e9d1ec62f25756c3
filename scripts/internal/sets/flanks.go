package sets

import (
	"math/rand/v2"
	"slices"

	"wfagpu/align"
)

// LeastFlank is the least number of letters of a flank.
const LeastFlank = 10

// Flanked returns pairs whose texts have random flanks of LeastFlank to most letters on either side.
func Flanked(pairs []align.Pair, most int, seed uint64) []align.Pair {
	r := rand.New(rand.NewPCG(seed, 0))
	flank := func(to []byte) []byte {
		for range LeastFlank + r.IntN(most-LeastFlank+1) {
			to = append(to, "ACGT"[r.IntN(4)])
		}
		return to
	}
	flanked := slices.Clone(pairs)
	for i := range flanked {
		p := &flanked[i]
		text := make([]byte, 0, len(p.Text)+2*most)
		p.Text = flank(append(flank(text), p.Text...))
	}
	return flanked
}
