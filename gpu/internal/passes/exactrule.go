package passes

import (
	"errors"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// ExactRule chooses the kernel of an exact pass with a score bound.
type ExactRule struct {
	BoundRule
	Kernels *kernel.Set
	Spans   bool // the model takes the kernels of the span family
}

// ErrBeyond means that a score is above the policy's limit.
var ErrBeyond = errors.New("the score is above the limit")

// The bound of a gated pass is gatedSlack times a likely one at least, for the alignment that it finds may cost more
// than the optimum before the open parts are aligned, and that of a pair that such passes are expected to align.
const gatedSlack = 3

// exact makes t a task of the exact mode.
func (x *ExactRule) exact(t *Task, r *estimate.Rates, maxBounds []int) {
	x.exactFor(t, r[t.Class].Bound, r, maxBounds)
}

// exactFor does so for a rate, a score per letter.
func (x *ExactRule) exactFor(t *Task, rate float64, r *estimate.Rates, maxBounds []int) {
	t.Attempts = 0
	x.choose(t, t.likely(r, x.firstBound(rate, int(t.Pattern), int(t.Text))), maxBounds)
}

// choose gives an exact task a bound and the cheapest kernel for it.
func (x *ExactRule) choose(t *Task, b kernel.Bound, maxBounds []int) {
	b.Score = min(b.Score, x.Limit)
	b.Slack = min(b.Slack, b.Score)
	pattern, text := int(t.Pattern), int(t.Text)
	x.give(t, x.Kernels.Exact(pattern, text, b, maxBounds), b)
}

// give gives a task a kernel and a bound, which does not matter to whole matrices.
func (x *ExactRule) give(t *Task, k int, b kernel.Bound) {
	pattern, text := int(t.Pattern), int(t.Text)
	if t.Attempts < Exceeded {
		b.Score = min(x.Kernels.Stretch(k, pattern, text, b.Score), max(x.Worst(pattern, text), b.Score))
	}
	t.Bound, t.Kernel = int32(b.Score), uint8(k)
}

// partial gives a task whose whole matrix does not fit into memory another kernel.
func (x *ExactRule) partial(t *Task, r *estimate.Rates, maxBounds []int) {
	b := t.likely(r, int(t.Bound))
	if t.Attempts >= Exceeded {
		b = t.upper(r, int(t.Bound))
	}
	k, _ := x.Kernels.Bounded(int(t.Pattern), int(t.Text), b, maxBounds)
	x.give(t, k, b)
}

// Piece makes t a task of a piece of a pair, which is aligned exactly and expected to have some
// cost, not known if negative.
func (x *ExactRule) Piece(t *Task, expected int, r *estimate.Rates, maxBounds []int) {
	if expected < 0 {
		x.exact(t, r, maxBounds)
		return
	}
	n, m := int(t.Pattern), int(t.Text)
	if k := x.Kernels.Gated; k >= 0 && x.Few(max(expected, 1), max(n, m)) &&
		x.gatedPass(t, k, min(gatedBound(gatedSlack*expected), x.Worst(n, m)), expected, maxBounds) {
		return
	}
	t.Attempts = 0
	bound := max(expected+x.Penalties.LongestStep(), x.Penalties.LengthGap(n, m))
	x.choose(t, t.likely(r, min(bound, x.Worst(n, m))), maxBounds)
}

// lower halves the bound of a task that does not fit into memory, if the bound is
// a first guess. Otherwise the error is the cause of a fallback.
func (x *ExactRule) lower(t *Task, maxBounds []int) error {
	bound := max(int(t.Bound)/2, x.Penalties.LengthGap(int(t.Pattern), int(t.Text))+x.Penalties.LongestStep())
	if t.Attempts > 0 || bound >= int(t.Bound) {
		return ErrMemory
	}
	t.Bound, t.Kernel = int32(bound), uint8(x.Kernels.Wavefront(int(t.Pattern), int(t.Text), bound, maxBounds))
	return nil
}

// ExactPass returns that of pairs of a length; see estimate.Estimator.
func (x *ExactRule) ExactPass(length int, b kernel.Bound) estimate.ExactPass {
	k := x.exactKernel(length, b)
	if k < 0 {
		return estimate.ExactPass{Work: func(int) float64 { return 0 }, Certified: kernel.MaxBound, Most: b.Score}
	}
	work := func(score int) float64 { return x.Kernels.Kernels[k].Work(length, length, score, b.Score) }
	certified := x.Kernels.Certified(k, length, length)
	if x.Kernels.Kernels[k].Takes(length, length, b.Score) { // by gaps alone
		certified = max(certified, b.Score)
	}
	return estimate.ExactPass{Work: work, Certified: certified, Most: x.Kernels.Most(k, length, length, b.Score)}
}

// exactKernel returns the kernel of an exact pass that is not a gated one, negative for none.
func (x *ExactRule) exactKernel(length int, b kernel.Bound) int {
	if !x.Spans {
		return x.Kernels.Exact(length, length, b, nil)
	}
	k, _ := x.orWhole(length, length, b, nil)
	return k
}

// orWhole returns the kernel that takes the least time for a pair, one with a score bound or of the
// whole matrix, and its work; a negative one and infinity if none takes it. maxBounds is nil if
// memory does not matter.
func (x *ExactRule) orWhole(pattern, text int, b kernel.Bound, maxBounds []int) (k int, work float64) {
	k, work = x.Kernels.Bounded(pattern, text, b, maxBounds)
	if whole := x.Kernels.Span(pattern, text); whole >= 0 {
		if all := x.Kernels.Kernels[whole].Work(pattern, text, 0, 0); all <= work {
			k, work = whole, all
		}
	}
	return k, work
}

// slackened returns the bound of a pass after one that has found an upper bound of the score, which may have a slack.
func (x *ExactRule) slackened(t *Task, upper kernel.Bound, r *estimate.Rates) kernel.Bound {
	score := min(upper.Score, x.Worst(int(t.Pattern), int(t.Text)))
	if upper.Slack == 0 {
		return t.upper(r, score)
	}
	return kernel.Bound{Score: score, Slack: min(upper.Slack, score)}
}

// Gates reports whether a kernel aligns pairs of few errors part by part.
func (x *ExactRule) Gates(kernel uint8) bool { return x.Kernels.Gates(int(kernel)) }

// gatedPass makes t a task of a gated kernel with a bound, or with what memory allows of it, or
// reports that the pair is none for the kernel, or that this is below least.
func (x *ExactRule) gatedPass(t *Task, kernel, bound, least int, maxBounds []int) bool {
	bound = min(bound, maxBounds[kernel])
	if bound < least || !x.Kernels.Kernels[kernel].Takes(int(t.Pattern), int(t.Text), bound) {
		return false
	}
	t.Kernel, t.Bound, t.Attempts = uint8(kernel), int32(bound), 0
	return true
}
