package gpu

import (
	"wfagpu/gpu/internal/kernel"
)

// exactPass is an exact pass with a score bound.
type exactPass struct {
	work func(score int) float64 // how long it takes for a pair with a score, as kernel.Kernel.Work does
	// certified is the slack up to which it aligns pairs, kernel.MaxBound if it does not depend on
	// that, and most the score.
	certified, most int
}

// exactPass returns that of pairs of a length; see estimator.
func (x *exactRule) exactPass(length int, b kernel.Bound) exactPass {
	k := x.exactKernel(length, b)
	if k < 0 {
		return exactPass{func(int) float64 { return 0 }, kernel.MaxBound, b.Score}
	}
	work := func(score int) float64 { return x.kernels.Kernels[k].Work(length, length, score, b.Score) }
	certified, most := x.kernels.Certified(k, length, length), b.Score
	if x.kernels.Kernels[k].Takes(length, length, b.Score) { // by gaps alone
		certified = max(certified, b.Score)
	}
	if certified < kernel.MaxBound {
		most = x.kernels.Stretch(k, length, length, most)
	}
	return exactPass{work, certified, most}
}

// exactKernel returns the kernel of an exact pass that is not a gated one, negative for none.
func (x *exactRule) exactKernel(length int, b kernel.Bound) int {
	if !x.spans {
		return x.kernels.Exact(length, length, b, nil)
	}
	k, _ := x.orWhole(length, length, b, nil)
	return k
}

// orWhole returns the kernel that takes the least time for a pair, one with a score bound or of the
// whole matrix, and its work; a negative one and infinity if none takes it. maxBounds is nil if
// memory does not matter.
func (x *exactRule) orWhole(pattern, text int, b kernel.Bound, maxBounds []int) (k int, work float64) {
	k, work = x.kernels.Bounded(pattern, text, b, maxBounds)
	if whole := x.kernels.Span(pattern, text); whole >= 0 {
		if all := x.kernels.Kernels[whole].Work(pattern, text, 0, 0); all <= work {
			k, work = whole, all
		}
	}
	return k, work
}
