package align

// segment has the M rows of the scores from first on.
type segment struct {
	first int
	rows  []row
	arena arena
}

func (g *segment) reset(first int) {
	g.first, g.rows = first, g.rows[:0]
	g.arena.reset()
}
