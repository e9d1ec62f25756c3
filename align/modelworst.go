package align

// Worst returns an upper bound of the reduced cost, free letters included, of the optimal
// alignment of sequences of some lengths.
func (m *Model) Worst(pattern, text int) int {
	short, apart := min(pattern, text), max(pattern-text, text-pattern)
	worst := min(m.Cost(pattern)+m.Cost(text), m.Mismatch*short+m.Cost(apart))
	if m.Span == Extension || m.Span == Local {
		return min(worst, m.FreeLetter*(pattern+text))
	}
	return worst
}
