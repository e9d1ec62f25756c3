package gpu

import (
	"sync"

	"wfagpu/align"
)

// cutters tell which pairs of the approximate mode the CPU aligns in pieces. They are safe for
// concurrent use.
type cutters struct {
	approx    *align.Approx // nil in exact mode
	penalties align.Penalties
	idle      sync.Pool // of *align.Cutter
}

// early reports whether pairs of some lengths are to be cut, where they can be, before their first
// pass.
func (c *cutters) early(pattern, text int) bool {
	if c.approx == nil {
		return false
	}
	_, early := c.approx.Cuts(pattern, text)
	return early
}

// late reports whether pairs of some lengths are to be cut, where they can be, when they have left
// the adaptive band.
func (c *cutters) late(pattern, text int, band align.AdaptiveBand) bool {
	cuts, _ := c.approx.Cuts(pattern, text)
	first, _ := c.approx.First(pattern, text)
	return cuts && band == first
}

// doubts reports whether the score of a pair in an adaptive band is doubtful.
func (c *cutters) doubts(p *align.Pair, score int, band align.AdaptiveBand) bool {
	n, m := len(p.Pattern), len(p.Text)
	return c.approx.Doubts(c.penalties, n, m, score) && c.late(n, m, band) && c.cut(p, align.DoubtedMiddle(c.penalties, score))
}

// cut reports whether a pair can be cut; see align.Cutter.
func (c *cutters) cut(p *align.Pair, most int) bool {
	cutter, _ := c.idle.Get().(*align.Cutter)
	if cutter == nil {
		cutter = align.NewCutter(c.penalties)
	}
	defer c.idle.Put(cutter)
	return cutter.Cuts(p.Pattern, p.Text, most)
}
