package page

import (
	"strconv"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// identityAxis has identities from the left to the right. Its values are differences in
// millionths, from the right to the left. Where they span powers of ten, as those of
// accurate long reads do, the axis is logarithmic.
func identityAxis(t *tally.Pairs) *axis {
	h := &t.Difference
	same, all := h.Between(0, 1), h.Count()
	if different := all - same; different > 0 {
		first := h.Quantile(rank(same+1+different/20, all))
		if h.Quantile(1-tail)/first >= wideRatio {
			return newAxis(logarithmic(h), true, identityLabel(-1))
		}
	}
	b := identityBins(t)
	digits := 0
	for width := b.edges[1] - b.edges[0]; width < tally.PerMillion/100; width *= 10 {
		digits++
	}
	return newAxis(b, true, identityLabel(digits))
}

// identityLabel prints identities without the sign of percent, with some digits after
// the point, or -1 for as many as needed.
func identityLabel(digits int) func(int) string {
	return func(difference int) string {
		const one = tally.PerMillion / 100 // percent
		return strconv.FormatFloat(float64(100*one-difference)/one, 'f', digits, 64)
	}
}

// identityBins has regard to pairs of one length, whose identities are multiples of one
// difference. Bars of about that width would have one of them or two in turn.
func identityBins(t *tally.Pairs) bins {
	const (
		apart    = 5   // bars for one difference: it stands alone
		together = 2.5 // differences in one bar
		mostThin = 130 // bars
	)
	if t.Difference.Max() == 0 {
		return linear(&t.Difference, tail, tally.PerMillion/1000)
	}
	b := linear(&t.Difference, tail, 0)
	if t.Query.Quantile(0.1)*11 < t.Query.Quantile(0.9)*10 {
		return b
	}
	one := tally.PerMillion / float64(max(t.Query.Quantile(0.5), 1))
	width := float64(b.edges[1] - b.edges[0])
	if width <= one/apart || width >= together*one {
		return b
	}
	thin := linear(&t.Difference, tail, step(one/apart/2.5))
	if len(thin.edges) <= mostThin {
		return thin
	}
	return linear(&t.Difference, tail, step(together*one))
}
