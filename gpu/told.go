package gpu

// toldCounts are numbers of passes for a slack that a result has told. A band that certifies it may tell more: in noisy reads
// within texts, most do.
type toldCounts struct {
	tried  float64
	failed float64 // results told more slack
}

// mostTold passes are remembered.
const mostTold = 1 << 10

// learn adds passes.
func (c *toldCounts) learn(n toldCounts) {
	c.tried += n.tried
	c.failed += n.failed
	if fade := c.tried / mostTold; fade > 1 {
		c.tried /= fade
		c.failed /= fade
	}
}

// halve makes passes count half. Where so many fail that none are tried any more, some are again when few are left.
func (c *toldCounts) halve() {
	c.tried /= 2
	c.failed /= 2
}

// fails returns the share of passes that have failed, 0 before enough have shown it.
func (c *toldCounts) fails() float32 {
	if c.tried < enoughSlacks {
		return 0
	}
	return float32(c.failed / c.tried)
}
