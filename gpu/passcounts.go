package gpu

// passCounts are numbers of passes of one kind, of late.
type passCounts struct {
	passes float64
	failed float64
}

// add adds passes, and lets older ones fade beyond some number.
func (c *passCounts) add(n passCounts, most float64) {
	c.passes += n.passes
	c.failed += n.failed
	if fade := c.passes / most; fade > 1 {
		c.passes /= fade
		c.failed /= fade
	}
}

// halve makes passes count half.
func (c *passCounts) halve() {
	c.passes /= 2
	c.failed /= 2
}

// share returns the share of passes that have failed, 0 before enough have shown it.
func (c *passCounts) share(enough float64) float64 {
	if c.passes < enough {
		return 0
	}
	return c.failed / c.passes
}
