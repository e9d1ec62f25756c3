package passes

import (
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// leastBesideProbe is how many times the work of a probe the pass takes, at least, that it comes before.
const leastBesideProbe = 8

// probed makes t a task of a probe, or reports that none comes before its first pass: that may be in a band with rims,
// with some bound, and takes much more. If that is certain, the score is not above it.
func (x *SpanRule) probed(t *Task, b kernel.Bound, r *estimate.Rates, maxBounds []int) bool {
	k, n, m := x.Kernels.Probe, int(t.Pattern), int(t.Text)
	if k < 0 || x.User != (ErrorBound{}) || !x.Kernels.Kernels[k].Takes(n, m, 0) {
		return false
	}
	if !r[t.Class].Bounding {
		pass, work := x.Kernels.Bounded(n, m, b, maxBounds)
		if pass < 0 || !x.Kernels.Estimates(pass) || work < leastBesideProbe*x.Kernels.Kernels[k].Work(n, m, 0, 0) {
			return false
		}
	}
	t.Kernel = uint8(k)
	if t.Attempts != Certain {
		b.Score = min(x.Model.Worst(n, m), x.Limit)
	}
	t.Bound = int32(b.Score)
	return true
}

// Probed chooses the pass of t after a probe: for a bound that the scores of most pairs with as many broken seeds do not
// exceed. The error is the cause of a fallback.
func (x *SpanRule) Probed(t *Task, found kernel.Probed, r *estimate.Rates, maxBounds []int) error {
	t.Probed, t.Attempts = found, 0
	score := min(int(r[t.Class].PerSeed*float64(found.Seeds))+x.Penalties.LongestStep(), int(t.Bound))
	return x.within(t, x.probedBound(t, score, r), maxBounds)
}

// AfterProbe reports whether a pass of t is the first one after a probe, in a band with rims.
func (x *SpanRule) AfterProbe(t *Task) bool {
	return t.Probed.Seeds > 0 && t.Attempts == 0 && x.Kernels.Estimates(int(t.Kernel))
}

// probedBound returns a bound of the score of a pair that has been probed.
func (x *SpanRule) probedBound(t *Task, score int, r *estimate.Rates) kernel.Bound {
	slack := kernel.ProbedSlack(x.Penalties, score, int(t.Pattern), int(t.Text), int(t.Probed.Apart), r[t.Class].Spare)
	return kernel.Bound{Score: score, Slack: min(slack, score)}
}
