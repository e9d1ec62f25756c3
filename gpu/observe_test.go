package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/passes"
)

// About one pair of eight is observed in large launches, whatever the distance of those of one
// kind, and it stands for eight.
func TestSampledPairs(t *testing.T) {
	const pairs = 1 << 16
	for _, apart := range []int{1, 2, 3, 4, 8, 16, 64, 1000} {
		for first := range min(apart, 8) {
			n := 0
			for i := first; i < pairs*apart; i += apart {
				if sampled(int64(i)) {
					n++
				}
			}
			if share := float64(n<<sparseBits) / pairs; share < 0.9 || share > 1.1 {
				t.Errorf("every %dth pair from %d on: %.2f of an eighth", apart, first, share)
			}
		}
	}
}

func TestSparseObservations(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		d := &decoder{sparse: sparse}
		d.policy = &passes.Policy{}
		d.load = &load{call: &call{batch: &align.Batch{First: 1}}}
		tk := &passes.Task{Pattern: 150, Text: 160, Class: 7}
		const pairs = 1 << 14
		for i := range pairs {
			tk.Index = int32(i)
			d.observe(tk, 30)
		}
		n, letters := int(d.seen.Bins[7][estimate.RateBin(30, 160)]), d.seen.Letters[7]
		if n < pairs*9/10 || n > pairs*11/10 || letters != float64(160*n) || !sparse && n != pairs {
			t.Errorf("sparse=%v: %d pairs of %d, %v letters", sparse, n, pairs, letters)
		}
	}
}
