package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// spanRule chooses the passes of models that are not plain: one over the whole matrix. Patterns within texts have
// passes with score bounds before that, by wavefronts or in bands of the matrix, and a gated one first.
type spanRule struct {
	sureRule
	model  align.Model
	matrix int // cells of a matrix from which on a gated pass comes first at once
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

// A pass whose bound is a guess counts as more than its work, by wavefronts and in a band: others may follow. Where an
// adaptive band has lost the alignment, scores are high, and most guesses too low.
const (
	uncertainWaves = 1.2
	uncertainBand  = 1.5
	uncertainLost  = 3
)

// within gives t a bound and the kernel that takes the least time: one with wavefronts or with a band of the matrix,
// which may be all of it, or one of the span family. The error is the cause of a fallback.
func (x *spanRule) within(t *task, b kernel.Bound, maxBounds []int) error {
	doubt := 1.0
	if t.attempts < exceeded {
		doubt = uncertainWaves
	}
	return x.doubted(t, b, doubt, maxBounds)
}

// doubted is within for a bound that is a guess, if doubt is above 1: what a pass counts as, in its work.
func (x *spanRule) doubted(t *task, b kernel.Bound, doubt float64, maxBounds []int) error {
	pattern, text := int(t.pattern), int(t.text)
	worst := min(x.model.Worst(pattern, text), x.limit)
	b.Score = min(b.Score, worst)
	b.Slack = min(b.Slack, b.Score)
	k, work := x.kernels.Bounded(pattern, text, b, maxBounds)
	if doubt > 1 && k >= 0 && !x.kernels.Waves(k) {
		doubt = max(doubt, uncertainBand)
	}
	if all, least := x.orWhole(pattern, text, kernel.Plain(worst), maxBounds); all >= 0 && least <= doubt*work {
		k, b = all, kernel.Plain(worst)
	}
	if k < 0 || x.kernels.Whole(k) {
		return x.span(t)
	}
	if doubt > 1 {
		b.Score = min(x.kernels.Stretch(k, pattern, text, b.Score), worst)
	}
	t.kernel, t.bound = uint8(k), int32(b.Score)
	return nil
}

// startsAlike reports whether pairs of some lengths have the first pass of lengths like these.
func (x *spanRule) startsAlike(pattern, text int) bool {
	const longest = 2000 // letters: of longer texts there are fewer
	return x.spans && x.kernels.Within() && pattern <= text && text <= longest
}

// takesBound reports whether a pass with a score bound takes a pair that a gated pass has not aligned.
func (x *spanRule) takesBound(pattern, text int) bool {
	k, _ := x.kernels.Bounded(pattern, text, kernel.Plain(min(x.gatedScore(pattern), x.limit)), nil)
	return k >= 0
}

// firstWithin chooses the first pass of t that is not a gated one. After that, the pair is likely
// to have a score above those of others; above is an upper bound of it, 0 if none is known. The
// score of a bounding pass, which aligns all of the text, bounds that within it.
func (x *spanRule) firstWithin(t *task, gated bool, above int, r *estimate.Rates, maxBounds []int) error {
	n, m := int(t.pattern), int(t.text)
	bound := x.firstBound(r[t.class].Bound, n, n)
	if gated {
		bound = max(bound, x.gatedScore(n))
	}
	t.attempts = 0
	if above > 0 {
		t.attempts, bound = certain, min(above, x.model.Worst(n, m), x.limit)
	}
	if b, ok := x.bandWithin(n, m); ok && (r[t.class].Bounding || gated && estimate.BoundingIsLittle(x.boundWork(max(n, m)), x.exactPass, max(n, m), t.likely(r, bound))) {
		x.bounding(t, b)
		if t.attempts == certain {
			t.bound = int32(bound)
		}
		return nil
	}
	if t.attempts == certain {
		return x.boundedWithin(t, t.likely(r, bound), r, maxBounds)
	}
	return x.within(t, t.likely(r, bound), maxBounds)
}

// known makes t an exact task with an upper bound of its score that a pass has found. The error is the cause of a
// fallback.
func (x *spanRule) known(t *task, score int, r *estimate.Rates, maxBounds []int) error {
	if !x.spans {
		x.bounded(t, score, r, maxBounds)
		return nil
	}
	return x.boundedWithin(t, t.upper(r, min(score, x.limit)), r, maxBounds)
}

// boundedWithin makes t a task with an upper bound of its score that a pass has found, and a likely
// slack. The error is the cause of a fallback.
func (x *spanRule) boundedWithin(t *task, b kernel.Bound, r *estimate.Rates, maxBounds []int) error {
	t.attempts = certain
	b, _ = x.tryingOrSure(t, b, estimate.LikelySlack, r, maxBounds)
	return x.within(t, b, maxBounds)
}

// unboundedWithin chooses the pass of t after a bounding one that has found no bound, or none below the one that was
// certain before.
func (x *spanRule) unboundedWithin(t *task, r *estimate.Rates, maxBounds []int) error {
	if t.attempts == certain {
		return x.boundedWithin(t, t.upper(r, int(t.bound)), r, maxBounds)
	}
	n := int(t.pattern)
	bound := max(x.firstBound(r[t.class].Bound, n, n), x.firstBound(r[t.class].Again, n, n), x.gatedScore(n))
	return x.doubted(t, t.likely(r, bound), uncertainLost, maxBounds)
}

// mostWider is how many times the bound of a pass the next one may have at once. A score in too narrow a band may
// be far above the optimum.
const mostWider = 8

// nextWithin chooses the pass of t after one that has not aligned it. upper is an upper bound of the score, 0 if none
// is known; see next. The error is the cause of a fallback, or errBeyond.
func (x *spanRule) nextWithin(t *task, outcome kernel.Outcome, upper kernel.Bound, r *estimate.Rates, maxBounds []int) error {
	bound, above := int(t.bound), upper.Score
	switch {
	case x.goesOnGated(t, above) && x.ends(t, above, maxBounds):
		return nil
	case x.gates(t.kernel):
		return x.firstWithin(t, true, above, r, maxBounds)
	case outcome == kernel.Overflow:
		return x.span(t)
	case upper.Slack > 0 && (above <= mostWider*bound || bound >= x.limit): // a band that certifies the slack is next
	case bound >= x.limit && upper.Slack == 0:
		return errBeyond
	case above <= bound: // no upper bound is known
		alone := *t
		alone.text = t.pattern // letters around the pattern cost nothing
		next := x.nextBound(&alone, r)
		if next <= bound || t.attempts >= exceeded {
			return x.span(t)
		}
		t.attempts++
		return x.within(t, t.likely(r, next), maxBounds)
	case above > mostWider*bound:
		upper = kernel.Bound{Score: mostWider / 2 * bound}
	}
	if !x.kernels.Estimates(int(t.kernel)) {
		t.attempts = exceeded
	} else if t.attempts < exceeded-1 { // the score may be higher than that
		t.attempts++
	}
	b := x.slackened(t, upper, r)
	if upper.Slack > 0 {
		var tries bool
		if b, tries = x.tryingOrSure(t, b, estimate.ToldSlack, r, maxBounds); tries {
			t.attempts = slackTold
		}
	}
	return x.within(t, b, maxBounds)
}

// gatedSpan makes t a task of the gated family, or reports that the pair is none for it: where the matrix is large,
// the pass takes little beside it unless most fail, and else if most pairs are likely to be aligned.
func (x *spanRule) gatedSpan(t *task, r *estimate.Rates, maxBounds []int) bool {
	pattern, text := int(t.pattern), int(t.text)
	if !x.gatesMatrix(pattern, text, r) && !r[t.class].Gated {
		return false
	}
	return x.gatedPass(t, x.kernels.Gated, gatedBound(2*x.gatedScore(max(pattern, text))), 0, maxBounds)
}

// goesOnGated reports whether another gated pass, for ends of many errors, follows one that has not
// aligned t. above is an upper bound of the score, 0 if none is known.
func (x *spanRule) goesOnGated(t *task, above int) bool {
	return x.kernels.Ends >= 0 && int(t.kernel) == x.kernels.Gated && x.few(above, int(t.pattern))
}

// ends makes t a task of that pass, or reports that there is too little memory.
func (x *spanRule) ends(t *task, above int, maxBounds []int) bool {
	if !x.gatedPass(t, x.kernels.Ends, gatedBound(above), above, maxBounds) {
		return false
	}
	t.attempts = certain
	return true
}

// gatesMatrix reports whether a gated pass comes first as the matrix is large.
func (x *spanRule) gatesMatrix(pattern, text int, r *estimate.Rates) bool {
	return x.kernels.Gated >= 0 && pattern*text >= x.matrix && !r[estimate.LengthClass(max(pattern, text))].Rests && x.kernels.Kernels[x.kernels.Gated].Takes(pattern, text, leastGated)
}
