package gpu

import (
	"math"
	"sync/atomic"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// sureRule chooses between passes for a slack, which may fail, and sure ones, which align pairs
// whatever slack they have.
type sureRule struct {
	exactRule
	words atomic.Int64 // of device memory for a launch at most
}

// passFor returns the source of the slack that t's pass is for, whose bound is an upper bound of
// the score. ok is false if the pass is for none, or the band certifies the bound without.
func (x *sureRule) passFor(t *task) (from estimate.SlackSource, ok bool) {
	switch {
	case t.attempts == slackTold:
		return estimate.ToldSlack, true
	case t.attempts != certain || !x.kernels.Seeded(int(t.kernel)):
		return 0, false
	}
	return estimate.LikelySlack, !x.kernels.Kernels[t.kernel].Takes(int(t.pattern), int(t.text), int(t.bound))
}

// failedFor reports whether a pass of t for a slack counts as failed, after which another one
// follows: always if a result has told the slack, and for a likely one if a sure pass would have
// taken less work than both.
func (x *sureRule) failedFor(t, next *task, maxBounds []int) bool {
	if t.attempts == slackTold {
		return true
	}
	work := func(t *task) float64 {
		return x.kernels.Kernels[t.kernel].Work(int(t.pattern), int(t.text), int(t.bound), int(t.bound))
	}
	return work(t)+estimate.AgainWork+work(next) > x.sureWork(int(t.pattern), int(t.text), int(t.bound), maxBounds)
}

// sureWork returns the work of a sure pass for pairs of some lengths. It is infinite if there is none.
func (x *sureRule) sureWork(pattern, text, score int, maxBounds []int) float64 {
	b := kernel.Plain(score)
	if !x.spans {
		_, work := x.boundedWork(pattern, text, b, maxBounds)
		return work
	}
	k, work := x.orWhole(pattern, text, b, maxBounds)
	if k >= 0 && x.kernels.Whole(k) && int64(x.kernels.WholeWords(k, pattern, text)) > x.words.Load()/2 {
		return math.Inf(1) // the matrix may not fit into memory, where a band does
	}
	return work
}

// boundedWork returns the kernel of a pass with a bound, negative for none, and its work.
func (x *sureRule) boundedWork(pattern, text int, b kernel.Bound, maxBounds []int) (k int, work float64) {
	if x.spans {
		return x.kernels.Bounded(pattern, text, b, maxBounds)
	}
	k = x.kernels.Exact(pattern, text, b, maxBounds)
	return k, x.kernels.Kernels[k].Work(pattern, text, b.Score, b.Score)
}

// tryingOrSure returns the bound of a pass of t with an upper bound of the score and a slack from
// some source: these, or the score alone. A pass for the slack may fail, and counts as one without
// it that often, which cannot. tries says that the bound has the slack.
func (x *sureRule) tryingOrSure(t *task, b kernel.Bound, from estimate.SlackSource, r *estimate.Rates, maxBounds []int) (bound kernel.Bound, tries bool) {
	n, m, fails := int(t.pattern), int(t.text), t.fails(r, from, b.Score)
	if from == estimate.LikelySlack && fails == 0 {
		return b, true // the cheapest pass for that may be a sure one
	}
	k, work := x.boundedWork(n, m, b, maxBounds)
	if from == estimate.LikelySlack && (k < 0 || !x.kernels.Seeded(k)) {
		return b, false
	}
	sure := x.sureWork(n, m, b.Score, maxBounds)
	// The second says sure > work+fails*(againWork+sure).
	if math.IsInf(sure, 1) || (1-fails)*sure > work+fails*estimate.AgainWork {
		return b, true
	}
	return kernel.Plain(b.Score), false
}

// bounded makes t an exact task with an upper bound of its score that a pass has found.
func (x *sureRule) bounded(t *task, score int, r *estimate.Rates, maxBounds []int) {
	t.attempts = certain
	b, _ := x.tryingOrSure(t, t.upper(r, min(score, x.limit)), estimate.LikelySlack, r, maxBounds)
	x.choose(t, b, maxBounds)
}
