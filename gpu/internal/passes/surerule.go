package passes

import (
	"math"
	"sync/atomic"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// SureRule chooses between passes for a slack, which may fail, and sure ones, which align pairs
// whatever slack they have.
type SureRule struct {
	ExactRule
	Words atomic.Int64 // of device memory for a launch at most

	refrained atomic.Uint64 // passes for a slack that would mostly have failed
}

// triedAgain is how many passes that mostly fail there are for one that is tried all the same, so that the share of
// those that fail stays known. If none were tried until the share is forgotten, a great many would be
// before it is known again.
const triedAgain = 32

// PassFor returns the source of the slack that t's pass is for, whose bound is an upper bound of
// the score. ok is false if the pass is for none, or the band certifies the bound without.
func (x *SureRule) PassFor(t *Task) (from estimate.SlackSource, ok bool) {
	switch {
	case t.Attempts == SlackTold:
		return estimate.ToldSlack, true
	case t.Attempts != Certain || !x.Kernels.Seeded(int(t.Kernel)):
		return 0, false
	}
	return estimate.LikelySlack, !x.Kernels.Kernels[t.Kernel].Takes(int(t.Pattern), int(t.Text), int(t.Bound))
}

// FailedFor reports whether a pass of t for a slack counts as failed, after which another one
// follows: always if a result has told the slack, and for a likely one if a sure pass would have
// taken less work than both.
func (x *SureRule) FailedFor(t, next *Task, maxBounds []int) bool {
	if t.Attempts == SlackTold {
		return true
	}
	work := func(t *Task) float64 {
		return x.Kernels.Kernels[t.Kernel].Work(int(t.Pattern), int(t.Text), int(t.Bound), int(t.Bound))
	}
	return work(t)+estimate.AgainWork+work(next) > x.sureWork(int(t.Pattern), int(t.Text), int(t.Bound), maxBounds)
}

// sureWork returns the work of a sure pass for pairs of some lengths. It is infinite if there is none.
func (x *SureRule) sureWork(pattern, text, score int, maxBounds []int) float64 {
	b := kernel.Plain(score)
	if !x.Spans {
		_, work := x.boundedWork(pattern, text, b, maxBounds)
		return work
	}
	k, work := x.orWhole(pattern, text, b, maxBounds)
	if k >= 0 && x.Kernels.Whole(k) && int64(x.Kernels.WholeWords(k, pattern, text)) > x.Words.Load()/2 {
		return math.Inf(1) // the matrix may not fit into memory, where a band does
	}
	return work
}

// boundedWork returns the kernel of a pass with a bound, negative for none, and its work.
func (x *SureRule) boundedWork(pattern, text int, b kernel.Bound, maxBounds []int) (k int, work float64) {
	if x.Spans {
		return x.Kernels.Bounded(pattern, text, b, maxBounds)
	}
	k = x.Kernels.Exact(pattern, text, b, maxBounds)
	return k, x.Kernels.Kernels[k].Work(pattern, text, b.Score, b.Score)
}

// tryingOrSure returns the bound of a pass of t with an upper bound of the score and a slack from
// some source: these, or the score alone. A pass for the slack may fail, and counts as one without
// it that often, which cannot. Of those that had better not be tried, a few are. tries says that the bound has the slack.
func (x *SureRule) tryingOrSure(t *Task, b kernel.Bound, from estimate.SlackSource, r *estimate.Rates, maxBounds []int) (bound kernel.Bound, tries bool) {
	n, m, fails := int(t.Pattern), int(t.Text), t.fails(r, from, b.Score)
	if from == estimate.LikelySlack && fails == 0 {
		return b, true // the cheapest pass for that may be a sure one
	}
	k, work := x.boundedWork(n, m, b, maxBounds)
	if from == estimate.LikelySlack && (k < 0 || !x.Kernels.Seeded(k)) {
		return b, false
	}
	sure := x.sureWork(n, m, b.Score, maxBounds)
	// The second says sure > work+fails*(AgainWork+sure).
	if math.IsInf(sure, 1) || (1-fails)*sure > work+fails*estimate.AgainWork {
		return b, true
	}
	if x.refrained.Add(1)%triedAgain == 0 {
		return b, true
	}
	return kernel.Plain(b.Score), false
}

// Bounded makes t an exact task with an upper bound of its score that a pass has found.
func (x *SureRule) Bounded(t *Task, score int, r *estimate.Rates, maxBounds []int) {
	t.Attempts = Certain
	b, _ := x.tryingOrSure(t, t.upper(r, min(score, x.Limit)), estimate.LikelySlack, r, maxBounds)
	x.choose(t, b, maxBounds)
}
