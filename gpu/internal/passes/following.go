package passes

import (
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// straightSlack is how much more slack a straight band is given than is likely, after one that has lost the alignment.
const straightSlack = 1.75

// wider returns the bound of a pass after one whose band has not certified the score that it has found. After a band that has lost
// the alignment which it follows, and after two straight ones, bands are straight.
func (x *ExactRule) wider(t *Task, upper kernel.Bound, r *estimate.Rates) kernel.Bound {
	k := int(t.Kernel)
	b := x.slackened(t, upper, r)
	if !x.Kernels.Follows(k) {
		b.Straight = t.Attempts == Exceeded
		return b
	}
	least := x.Kernels.Certified(k, int(t.Pattern), int(t.Text)) + 1
	certain := t.Attempts >= Exceeded
	lost := certain && upper.Score > int(t.Bound)
	score := upper.Score
	if lost {
		score = int(t.Bound)
	}
	likely := t.upper(r, min(score, x.Limit))
	likely.Slack = int(straightSlack * float64(likely.Slack))
	if b.Straight = lost || !certain && b.Slack > likely.Slack; b.Straight {
		b = kernel.Bound{Score: likely.Score, Slack: likely.Slack, Straight: true}
	}
	b.Slack = min(max(b.Slack, least), b.Score)
	return b
}
