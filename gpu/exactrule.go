package gpu

import "wfagpu/gpu/internal/kernel"

// exactRule chooses the kernel of an exact pass with a score bound.
type exactRule struct {
	boundRule
	kernels *kernel.Set
	spans   bool // the model takes the kernels of the span family
}

// exact makes t a task of the exact mode.
func (x *exactRule) exact(t *task, r *rates, maxBounds []int) {
	t.attempts = 0
	x.choose(t, r.likely(t, x.firstBound(r[t.class].bound, int(t.pattern), int(t.text))), maxBounds)
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
func (x *exactRule) partial(t *task, r *rates, maxBounds []int) {
	b := r.likely(t, int(t.bound))
	if t.attempts >= exceeded {
		b = r.upper(t, int(t.bound))
	}
	k, _ := x.kernels.Bounded(int(t.pattern), int(t.text), b, maxBounds)
	x.give(t, k, b)
}

// piece makes t a task of a piece of a pair, which is aligned exactly and expected to have some
// cost, not known if negative.
func (x *exactRule) piece(t *task, expected int, r *rates, maxBounds []int) {
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
	x.choose(t, r.likely(t, min(bound, x.worst(n, m))), maxBounds)
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
