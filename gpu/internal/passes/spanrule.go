package passes

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// SpanRule chooses the passes of models that are not plain: one over the whole matrix. Patterns within texts have
// passes with score bounds before that, by wavefronts or in bands of the matrix, and a gated one first.
type SpanRule struct {
	SureRule
	Model  align.Model
	Matrix int // cells of a matrix from which on a gated pass comes first at once
}

// span makes t a task of the span family. The error is the cause of a fallback.
func (x *SpanRule) span(t *Task) error {
	pattern, text := int(t.Pattern), int(t.Text)
	if len(x.Kernels.Kernels) == 0 {
		return ErrScores
	}
	k := x.Kernels.Span(pattern, text)
	if k < 0 { // costs of pairs of these lengths exceed the kernels' values
		return ErrScores
	}
	t.Kernel, t.Bound, t.Attempts = uint8(k), int32(x.Model.Worst(pattern, text)), 0
	return nil
}

// A pass whose bound is a guess counts as more than its work, by wavefronts and in a band: others may follow.
const (
	uncertainWaves = 1.2
	uncertainBand  = 1.5
)

// within gives t a bound and the kernel that takes the least time: one with wavefronts or with a band of the matrix,
// which may be all of it, or one of the span family. The error is the cause of a fallback.
func (x *SpanRule) within(t *Task, b kernel.Bound, maxBounds []int) error {
	doubt := 1.0
	if t.Attempts < Exceeded {
		doubt = uncertainWaves
	}
	pattern, text := int(t.Pattern), int(t.Text)
	worst := min(x.Model.Worst(pattern, text), x.Limit)
	b.Score = min(b.Score, worst)
	b.Slack = min(b.Slack, b.Score)
	k, work := x.Kernels.Bounded(pattern, text, b, maxBounds)
	if doubt > 1 && k >= 0 && !x.Kernels.Waves(k) {
		doubt = max(doubt, uncertainBand)
	}
	if all, least := x.orWhole(pattern, text, kernel.Plain(worst), maxBounds); all >= 0 && least <= doubt*work {
		k, b = all, kernel.Plain(worst)
	}
	if k < 0 || x.Kernels.Whole(k) {
		return x.span(t)
	}
	if doubt > 1 {
		b.Score = min(x.Kernels.Stretch(k, pattern, text, b.Score), worst)
	}
	t.Kernel, t.Bound = uint8(k), int32(b.Score)
	return nil
}

// StartsAlike reports whether pairs of some lengths have the first pass of lengths like these.
func (x *SpanRule) StartsAlike(pattern, text int) bool {
	const longest = 2000 // letters: of longer texts there are fewer
	return x.Spans && x.Kernels.Within() && pattern <= text && text <= longest
}

// TakesBound reports whether a pass with a score bound takes a pair that a gated pass has not aligned.
func (x *SpanRule) TakesBound(pattern, text int) bool {
	k, _ := x.Kernels.Bounded(pattern, text, kernel.Plain(min(x.GatedScore(pattern), x.Limit)), nil)
	return k >= 0
}

// FirstWithin chooses the first pass of t that is not a gated one. After that, the pair is likely
// to have a score above those of others; above is an upper bound of it, 0 if none is known. The
// score of a bounding pass, which aligns all of the text, bounds that within it.
func (x *SpanRule) FirstWithin(t *Task, gated bool, above int, r *estimate.Rates, maxBounds []int) error {
	n, m := int(t.Pattern), int(t.Text)
	bound := x.firstBound(r[t.Class].Bound, n, n)
	if gated {
		bound = max(bound, x.GatedScore(n))
	}
	t.Attempts = 0
	if above > 0 {
		t.Attempts, bound = Certain, min(above, x.Model.Worst(n, m), x.Limit)
	}
	if x.probed(t, t.likely(r, bound), r, maxBounds) {
		return nil
	}
	if b, ok := x.bandWithin(n, m); ok && (r[t.Class].Bounding || gated && estimate.BoundingIsLittle(x.BoundWork(max(n, m)), x.ExactPass, max(n, m), t.likely(r, bound))) {
		x.bounding(t, b)
		if t.Attempts == Certain {
			t.Bound = int32(bound)
		}
		return nil
	}
	if t.Attempts == Certain {
		return x.boundedWithin(t, t.likely(r, bound), r, maxBounds)
	}
	return x.within(t, t.likely(r, bound), maxBounds)
}

// Known makes t an exact task with an upper bound of its score that a pass has found. The error is the cause of a
// fallback.
func (x *SpanRule) Known(t *Task, score int, r *estimate.Rates, maxBounds []int) error {
	if !x.Spans {
		x.Bounded(t, score, r, maxBounds)
		return nil
	}
	return x.boundedWithin(t, t.upper(r, min(score, x.Limit)), r, maxBounds)
}

// boundedWithin makes t a task with an upper bound of its score that a pass has found, and a likely
// slack. The error is the cause of a fallback.
func (x *SpanRule) boundedWithin(t *Task, b kernel.Bound, r *estimate.Rates, maxBounds []int) error {
	t.Attempts = Certain
	b, _ = x.tryingOrSure(t, b, estimate.LikelySlack, r, maxBounds)
	return x.within(t, b, maxBounds)
}

// UnboundedWithin chooses the pass of t after a bounding one that has found no bound, or none below the one that was
// certain before.
func (x *SpanRule) UnboundedWithin(t *Task, r *estimate.Rates, maxBounds []int) error {
	if t.Attempts == Certain {
		return x.boundedWithin(t, t.upper(r, int(t.Bound)), r, maxBounds)
	}
	n := int(t.Pattern)
	bound := max(x.firstBound(unboundedRate(&r[t.Class]), n, n), x.firstBound(r[t.Class].Again, n, n), x.GatedScore(n))
	return x.within(t, t.likely(r, bound), maxBounds)
}

// mostWider is how many times the bound of a pass the next one may have at once. A score in too narrow a band may
// be far above the optimum.
const mostWider = 8

// nextWithin chooses the pass of t after one that has not aligned it. upper is an upper bound of the score, 0 if none
// is known; see Policy.Next. The error is the cause of a fallback, or ErrBeyond.
func (x *SpanRule) nextWithin(t *Task, outcome kernel.Outcome, upper kernel.Bound, r *estimate.Rates, maxBounds []int) error {
	bound, above := int(t.Bound), upper.Score
	switch {
	case x.GoesOnGated(t, above) && x.ends(t, above, maxBounds):
		return nil
	case x.Gates(t.Kernel):
		return x.FirstWithin(t, true, above, r, maxBounds)
	case outcome == kernel.Overflow:
		return x.span(t)
	case upper.Slack > 0 && (above <= mostWider*bound || bound >= x.Limit): // a band that certifies the slack is next
	case bound >= x.Limit && upper.Slack == 0:
		return ErrBeyond
	case above <= bound: // no upper bound is known
		alone := *t
		alone.Text = t.Pattern // letters around the pattern cost nothing
		next := x.NextBound(&alone, r)
		if next <= bound || t.Attempts >= Exceeded {
			return x.span(t)
		}
		t.Attempts++
		return x.within(t, t.likely(r, next), maxBounds)
	case above > mostWider*bound:
		upper = kernel.Bound{Score: mostWider / 2 * bound}
	}
	if !x.Kernels.Estimates(int(t.Kernel)) {
		t.Attempts = Exceeded
	} else if t.Attempts < Exceeded-1 { // the score may be higher than that
		t.Attempts++
	}
	b := x.slackened(t, upper, r)
	if upper.Slack == 0 && t.Probed.Seeds > 0 { // the alignment may have left the band
		times := 2 + int(t.Attempts) // after a slack that was told, of all of the score
		b.Slack = min(times*x.probedBound(t, b.Score, r).Slack/2, b.Score)
	}
	if upper.Slack > 0 {
		var tries bool
		if b, tries = x.tryingOrSure(t, b, estimate.ToldSlack, r, maxBounds); tries {
			t.Attempts = SlackTold
		}
	}
	return x.within(t, b, maxBounds)
}

// gatedSpan makes t a task of the gated family, or reports that the pair is none for it: where the matrix is large,
// the pass takes little beside it unless most fail, and else if most pairs are likely to be aligned.
func (x *SpanRule) gatedSpan(t *Task, r *estimate.Rates, maxBounds []int) bool {
	pattern, text := int(t.Pattern), int(t.Text)
	if !x.GatesMatrix(pattern, text, r) && !r[t.Class].Gated {
		return false
	}
	return x.gatedPass(t, x.Kernels.Gated, gatedBound(2*x.GatedScore(max(pattern, text))), 0, maxBounds)
}

// GoesOnGated reports whether another gated pass, for ends of many errors, follows one that has not
// aligned t. above is an upper bound of the score, 0 if none is known.
func (x *SpanRule) GoesOnGated(t *Task, above int) bool {
	return x.Kernels.Ends >= 0 && int(t.Kernel) == x.Kernels.Gated && x.Few(above, int(t.Pattern))
}

// ends makes t a task of that pass, or reports that there is too little memory.
func (x *SpanRule) ends(t *Task, above int, maxBounds []int) bool {
	if !x.gatedPass(t, x.Kernels.Ends, gatedBound(above), above, maxBounds) {
		return false
	}
	t.Attempts = Certain
	return true
}

// GatesMatrix reports whether a gated pass comes first as the matrix is large.
func (x *SpanRule) GatesMatrix(pattern, text int, r *estimate.Rates) bool {
	return x.Kernels.Gated >= 0 && pattern*text >= x.Matrix && !r[estimate.LengthClass(max(pattern, text))].Rests && x.Kernels.Kernels[x.Kernels.Gated].Takes(pattern, text, LeastGated)
}
