package gpu

import "wfagpu/align"

// spanRule chooses the passes of models whose pairs the kernels of the span family align: one pass each, over
// the whole matrix. Where a kernel of the gated family takes patterns within texts, its pass comes before that.
type spanRule struct {
	exactRule
	model  align.Model
	spans  bool // the model takes the kernels of the span family
	matrix int  // cells of a matrix from which on a gated pass comes first at once
}

// span makes t a task of the span family. The error is the cause of a fallback.
func (x *spanRule) span(t *task) error {
	pattern, text := int(t.pattern), int(t.text)
	if len(x.kernels.Kernels) == 0 {
		return errScores
	}
	k := x.kernels.Span(pattern, text)
	if k < 0 { // costs of pairs of these lengths exceed the kernels' values
		return errScores
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(x.model.Worst(pattern, text)), 0
	return nil
}

// gatedSpan makes t a task of the gated family, or reports that the pair is none for it: where the matrix is large,
// the pass takes little beside it unless most fail, and else if most pairs are likely to be aligned.
func (x *spanRule) gatedSpan(t *task, r *rates, maxBounds []int) bool {
	pattern, text := int(t.pattern), int(t.text)
	if !x.gatesMatrix(pattern, text, r) && !r[t.class].gated {
		return false
	}
	k := x.kernels.Gated
	bound := min(gatedBound(2*x.gatedScore(max(pattern, text))), maxBounds[k])
	if !x.kernels.Kernels[k].Takes(pattern, text, bound) {
		return false
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(bound), 0
	return true
}

// gatesMatrix reports whether a gated pass comes first as the matrix is large.
func (x *spanRule) gatesMatrix(pattern, text int, r *rates) bool {
	return x.kernels.Gated >= 0 && pattern*text >= x.matrix && !r[lengthClass(max(pattern, text))].rests && x.kernels.Kernels[x.kernels.Gated].Takes(pattern, text, leastGated)
}

// exactWork returns how long an exact pass takes that is not a gated one; see estimator.
func (x *spanRule) exactWork(length, bound int) func(score int) float64 {
	if !x.spans {
		return x.kernels.ExactWork(length, bound)
	}
	work := 0.0
	if k := x.kernels.Span(length, length); k >= 0 {
		work = x.kernels.Kernels[k].Work(length, length, 0, 0)
	}
	return func(int) float64 { return work }
}
