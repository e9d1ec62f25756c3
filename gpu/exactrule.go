package gpu

import (
	"errors"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// exactRule chooses the kernel of an exact pass with a score bound.
type exactRule struct {
	boundRule
	kernels *kernel.Set
	spans   bool // the model takes the kernels of the span family
}

// errBeyond means that a score is above the policy's limit.
var errBeyond = errors.New("the score is above the limit")

// The bound of a gated pass is gatedSlack times a likely one at least, for the alignment that it finds may cost more
// than the optimum before the open parts are aligned, and that of a pair that such passes are expected to align.
const gatedSlack = 3

// exact makes t a task of the exact mode.
func (x *exactRule) exact(t *task, r *estimate.Rates, maxBounds []int) {
	t.attempts = 0
	x.choose(t, t.likely(r, x.firstBound(r[t.class].Bound, int(t.pattern), int(t.text))), maxBounds)
}

// choose gives an exact task a bound and the cheapest kernel for it.
func (x *exactRule) choose(t *task, b kernel.Bound, maxBounds []int) {
	b.Score = min(b.Score, x.limit)
	b.Slack = min(b.Slack, b.Score)
	pattern, text := int(t.pattern), int(t.text)
	x.give(t, x.kernels.Exact(pattern, text, b, maxBounds), b)
}

// give gives a task a kernel and a bound, which does not matter to whole matrices.
func (x *exactRule) give(t *task, k int, b kernel.Bound) {
	pattern, text := int(t.pattern), int(t.text)
	if t.attempts < exceeded {
		b.Score = min(x.kernels.Stretch(k, pattern, text, b.Score), max(x.worst(pattern, text), b.Score))
	}
	t.bound, t.kernel = int32(b.Score), uint8(k)
}

// partial gives a task whose whole matrix does not fit into memory another kernel.
func (x *exactRule) partial(t *task, r *estimate.Rates, maxBounds []int) {
	b := t.likely(r, int(t.bound))
	if t.attempts >= exceeded {
		b = t.upper(r, int(t.bound))
	}
	k, _ := x.kernels.Bounded(int(t.pattern), int(t.text), b, maxBounds)
	x.give(t, k, b)
}

// piece makes t a task of a piece of a pair, which is aligned exactly and expected to have some
// cost, not known if negative.
func (x *exactRule) piece(t *task, expected int, r *estimate.Rates, maxBounds []int) {
	if expected < 0 {
		x.exact(t, r, maxBounds)
		return
	}
	n, m := int(t.pattern), int(t.text)
	if k := x.kernels.Gated; k >= 0 && x.few(max(expected, 1), max(n, m)) &&
		x.gatedPass(t, k, min(gatedBound(gatedSlack*expected), x.worst(n, m)), expected, maxBounds) {
		return
	}
	t.attempts = 0
	bound := max(expected+x.penalties.LongestStep(), x.penalties.LengthGap(n, m))
	x.choose(t, t.likely(r, min(bound, x.worst(n, m))), maxBounds)
}

// lower halves the bound of a task that does not fit into memory, if the bound is
// a first guess. Otherwise the error is the cause of a fallback.
func (x *exactRule) lower(t *task, maxBounds []int) error {
	bound := max(int(t.bound)/2, x.penalties.LengthGap(int(t.pattern), int(t.text))+x.penalties.LongestStep())
	if t.attempts > 0 || bound >= int(t.bound) {
		return errMemory
	}
	t.bound, t.kernel = int32(bound), uint8(x.kernels.Wavefront(int(t.pattern), int(t.text), bound, maxBounds))
	return nil
}

// exactPass returns that of pairs of a length; see estimate.Estimator.
func (x *exactRule) exactPass(length int, b kernel.Bound) estimate.ExactPass {
	k := x.exactKernel(length, b)
	if k < 0 {
		return estimate.ExactPass{Work: func(int) float64 { return 0 }, Certified: kernel.MaxBound, Most: b.Score}
	}
	work := func(score int) float64 { return x.kernels.Kernels[k].Work(length, length, score, b.Score) }
	certified, most := x.kernels.Certified(k, length, length), b.Score
	if x.kernels.Kernels[k].Takes(length, length, b.Score) { // by gaps alone
		certified = max(certified, b.Score)
	}
	if certified < kernel.MaxBound {
		most = x.kernels.Stretch(k, length, length, most)
	}
	return estimate.ExactPass{Work: work, Certified: certified, Most: most}
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

// slackened returns the bound of a pass after one that has found an upper bound of the score, which may have a slack.
func (x *exactRule) slackened(t *task, upper kernel.Bound, r *estimate.Rates) kernel.Bound {
	score := min(upper.Score, x.worst(int(t.pattern), int(t.text)))
	if upper.Slack == 0 {
		return t.upper(r, score)
	}
	return kernel.Bound{Score: score, Slack: min(upper.Slack, score)}
}

// gates reports whether a kernel aligns pairs of few errors part by part.
func (x *exactRule) gates(kernel uint8) bool { return x.kernels.Gates(int(kernel)) }

// gatedPass makes t a task of a gated kernel with a bound, or with what memory allows of it, or
// reports that the pair is none for the kernel, or that this is below least.
func (x *exactRule) gatedPass(t *task, kernel, bound, least int, maxBounds []int) bool {
	bound = min(bound, maxBounds[kernel])
	if bound < least || !x.kernels.Kernels[kernel].Takes(int(t.pattern), int(t.text), bound) {
		return false
	}
	t.kernel, t.bound, t.attempts = uint8(kernel), int32(bound), 0
	return true
}
