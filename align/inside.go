package align

// isInside reports whether alignments cover the whole pattern and leave out letters of the text
// alone. Then what an alignment costs less FreeLetter for each diagonal that it moves upwards is
// the same for all begins and all ends: a match costs 0, a gap of the text's letters less and one of
// the pattern's letters more than Cost. Seeds bound such costs.
func (m *Model) isInside() bool {
	f := &m.Free
	return m.Span == EndsFree && f.PatternBegin+f.PatternEnd == 0 && f.TextBegin+f.TextEnd > 0
}

// seedUnit returns six times what an error costs at least for each seed of so many letters that it
// spoils, where seeds do not overlap.
func (m *Model) seedUnit(letters int) int {
	// A gap of the text's letters spoils one seed. One of the pattern's letters spoils two if it has
	// two letters, three if it has two more than a seed, and so on.
	return min(6*m.Mismatch, 6*(m.Cost(1)-m.FreeLetter), 3*m.Cost(2), 2*m.Cost(letters+2), 3*letters*m.last().Extend)
}

// seedDrift returns scale times what a letter of a gap costs at least besides unit, scale times, too, for
// each seed that the gap spoils.
func (m *Model) seedDrift(letters, unit, scale int) int {
	f, last := m.FreeLetter, m.last().Extend
	// That of very long gaps.
	least := min(scale*(last-f), scale*(last+f)-(unit+letters-1)/letters)
	for l := 1; l <= 4*letters+2; l++ {
		del := scale*(m.Cost(l)-f*l) - unit
		ins := scale*(m.Cost(l)+f*l) - unit*(1+(l+letters-2)/letters)
		least = min(least, del/l, ins/l)
	}
	return least
}

// mostGap returns how many letters gaps that cost no more than c have at most, or most.
func (m *Model) mostGap(c, most int) int {
	l := 0
	for _, gap := range [2]Gap{m.Gap, m.last()} {
		if e := gap.Extend - m.FreeLetter; c >= gap.Open+e {
			l = max(l, (c-gap.Open)/e)
		}
	}
	return min(l, most)
}
