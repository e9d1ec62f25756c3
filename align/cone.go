package align

import "math"

// cone holds the cells that can lie on an alignment of score s through diagonal k: a cell on
// another diagonal costs at least a gap less, whose opening may be paid already.
type cone struct {
	k, s, extend int
}

// everywhere holds all cells.
var everywhere = cone{s: math.MaxInt / 2, extend: 1}

// at returns the diagonals of the cone at a score, none where lo > hi.
func (c cone) at(score int) (lo, hi int) {
	if score > c.s {
		return emptyRow.lo, emptyRow.hi
	}
	r := (c.s - score) / c.extend
	return c.k - r, c.k + r
}

// offsets estimates the elements of rows in the cone from a score on, of wavefronts that have
// width diagonals there.
func (c cone) offsets(score, width, rows int) int {
	n := min(rows, c.s-score)
	return n * min((2*(c.s-score)-n)/c.extend+1, width+n/c.extend)
}
