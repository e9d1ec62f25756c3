package align

// Costs in nanoseconds, as in choose.go.
const (
	freeStep = 80.0 // one score
	freeCell = 1.3  // one offset, of one cost of gaps
	longCell = 1.8  // of two
)

// firstBegins is how many diagonals beyond those of ends begins are looked at on at first.
const firstBegins = 64

// expectedWaves estimates what wavefronts of a pair cost up to a score.
func expectedWaves(m *Model, pattern, text, s int) float64 {
	grow := m.last().Extend
	if m.FreeLetter > 0 {
		grow = min(grow, m.FreeLetter)
	}
	width := float64(firstWidth(m, pattern, text)) + float64(s)/float64(grow)
	return float64(s+1) * (freeStep + offsetCost(m)*min(width, float64(pattern+text)))
}

// firstWidth returns how many diagonals of begins wavefront 0 has.
func firstWidth(m *Model, pattern, text int) int {
	if m.FreeLetter > 0 {
		return 1
	}
	begins, ends := m.diagonals(pattern, text)
	return 1 + min(begins.last, ends.last+firstBegins) - max(begins.first, ends.first-firstBegins)
}

// offsetCost is what an offset costs.
func offsetCost(m *Model) float64 {
	if m.Long != (Gap{}) {
		return longCell
	}
	return freeCell
}
