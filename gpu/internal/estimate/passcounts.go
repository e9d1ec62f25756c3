package estimate

// PassCounts are numbers of passes of one kind, of late.
type PassCounts struct {
	Passes float64
	Failed float64
}

// add adds passes, and lets older ones fade beyond some number.
func (c *PassCounts) add(n PassCounts, most float64) {
	c.Passes += n.Passes
	c.Failed += n.Failed
	if fade := c.Passes / most; fade > 1 {
		c.Passes /= fade
		c.Failed /= fade
	}
}

// mostlyFail reports whether more than half of the passes have failed.
func (c *PassCounts) mostlyFail() bool { return 2*c.Failed > c.Passes }

// share returns the share of passes that have failed, 0 before enough have shown it.
func (c *PassCounts) share(enough float64) float64 {
	if c.Passes < enough {
		return 0
	}
	return c.Failed / c.Passes
}
