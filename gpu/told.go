package gpu

// Passes for a slack that a result has told fail where the band that certifies it tells more: in noisy reads within texts, most do.

// mostTold passes are remembered, of a length class and a rate.
const mostTold = 1 << 10

// toldPass counts a pass of a pair of a length and a class for a slack that a result has told, by its score bound.
func (o *observations) toldPass(bound, length, class int, failed bool) {
	if o.told[class] == nil {
		o.told[class] = &[slackRates]passCounts{}
	}
	c := &o.told[class][slackRate(bound, length)]
	c.passes++
	if failed {
		c.failed++
	}
	o.any[class] = true
}
