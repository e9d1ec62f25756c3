package align

// bandRows places the costs of a band's antidiagonals in memory, of which all are stored.
type bandRows struct {
	base, lanes int // first diagonal, lanes of a row
}

// index returns where the cost of diagonal k on antidiagonal a is, -1 for cells outside the band and
// on antidiagonal 0.
func (r *bandRows) index(a, k int) int {
	lane := (k - r.base) >> 1
	if a <= 0 || lane < 0 || lane >= r.lanes {
		return -1
	}
	return (a-1)*r.lanes + lane
}

// bandCell returns the antidiagonal and the diagonal of the cell from which a step of dk diagonals
// and dh letters of the text leads to offset h on diagonal k. ok is false where there is none.
func bandCell(k, dk, dh, h int) (a, from int, ok bool) {
	h -= dh
	k += dk
	return 2*h - k, k, h >= 0 && h >= k
}
