package gpu

import "wfagpu/align"

// spanRule chooses the passes of models that are not plain: one over the whole matrix. Patterns within texts have
// passes in bands of the matrix before that, with score bounds, and a gated one first.
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

// uncertain is how much more than its work a pass in a band counts whose bound is a guess: others may follow.
const uncertain = 1.5

// within gives t a bound and the kernel that takes the least time: one with a band of the matrix, which may be all of
// it, or one of the span family. The error is the cause of a fallback.
func (x *spanRule) within(t *task, bound int, maxBounds []int) error {
	pattern, text := int(t.pattern), int(t.text)
	worst := min(x.model.Worst(pattern, text), x.limit)
	bound = min(bound, worst)
	k, work := x.kernels.Banded(pattern, text, bound, maxBounds)
	if t.attempts < exceeded {
		work *= uncertain
	}
	if all, least := x.kernels.Banded(pattern, text, worst, maxBounds); all >= 0 && least <= work {
		k, work, bound = all, least, worst
	}
	whole := x.kernels.Span(pattern, text)
	if k < 0 || whole >= 0 && x.kernels.Kernels[whole].Work(pattern, text, 0, 0) <= work {
		return x.span(t)
	}
	if t.attempts < exceeded {
		bound = min(x.kernels.Stretch(k, pattern, text, bound), worst)
	}
	t.kernel, t.bound = uint8(k), int32(bound)
	return nil
}

// banded reports whether a band of the matrix takes a pair that a gated pass has not aligned.
func (x *spanRule) banded(pattern, text int) bool {
	k, _ := x.kernels.Banded(pattern, text, min(x.gatedScore(pattern), x.limit), nil)
	return k >= 0
}

// firstWithin chooses the first pass of t that is not a gated one. After that, the pair is likely to have a score
// above those of others.
func (x *spanRule) firstWithin(t *task, gated bool, r *rates, maxBounds []int) error {
	n := int(t.pattern)
	bound := x.firstBound(r[t.class].bound, n, n)
	if gated {
		bound = max(bound, x.gatedScore(n))
	}
	t.attempts = 0
	return x.within(t, bound, maxBounds)
}

// mostWider is how many times the bound of a pass the next one may have at once. A score in too narrow a band may
// be far above the optimum.
const mostWider = 8

// nextWithin chooses the pass of t after one that has not aligned it. above is an upper bound of the score, 0 if none
// is known. The error is the cause of a fallback, or errBeyond.
func (x *spanRule) nextWithin(t *task, above int, r *rates, maxBounds []int) error {
	bound := int(t.bound)
	switch {
	case int(t.kernel) == x.kernels.Gated:
		return x.firstWithin(t, true, r, maxBounds)
	case bound >= x.limit:
		return errBeyond
	case above <= bound: // no upper bound is known
		return x.span(t)
	case above > mostWider*bound:
		above = mostWider / 2 * bound
	}
	t.attempts = exceeded
	return x.within(t, above, maxBounds)
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
	k, work := x.kernels.Banded(length, length, bound, nil)
	if whole := x.kernels.Span(length, length); whole >= 0 {
		work = min(work, x.kernels.Kernels[whole].Work(length, length, 0, 0))
	} else if k < 0 {
		work = 0
	}
	return func(int) float64 { return work }
}
