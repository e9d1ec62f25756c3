package align

// Costs in nanoseconds, as in choose.go.
const (
	freeStep = 80.0 // one score
	freeCell = 1.3  // one offset, of one cost of gaps
	longCell = 1.8  // of two
)

// firstBegins is how many diagonals beyond those of ends begins are looked at on at first.
const firstBegins = 64

// expect estimates what wavefronts cost up to a score.
func (m *Model) expect(pattern, text, s int) float64 {
	grow := m.last().Extend
	if m.FreeLetter > 0 {
		grow = min(grow, m.FreeLetter)
	}
	width := float64(m.firstWidth(pattern, text)) + float64(s)/float64(grow)
	return float64(s+1) * (freeStep + m.offsetCost()*min(width, float64(pattern+text)))
}

// firstWidth returns how many diagonals of begins wavefront 0 has.
func (m *Model) firstWidth(pattern, text int) int {
	if m.FreeLetter > 0 {
		return 1
	}
	begins, ends := m.diagonals(pattern, text)
	return 1 + min(begins.last, ends.last+firstBegins) - max(begins.first, ends.first-firstBegins)
}

// offsetCost is what an offset costs.
func (m *Model) offsetCost() float64 {
	if m.Long != (Gap{}) {
		return longCell
	}
	return freeCell
}
