package align

// waveRows is how the rows of wavefronts lie in memory: whole vectors of offsets, which begin with
// the lowest diagonal, between nulls.
type waveRows struct {
	kern        *kernels
	left, right int     // nulls beside a row
	none        []int32 // nulls in place of an empty row
}

// spread sets left and right for ranges of diagonals that grow by at most one a side within grow
// scores, and rows that are read up to reach scores later.
func (w *waveRows) spread(reach, grow int) {
	// Ranges shrink to those of a cone alone, so a source row ends at most n diagonals
	// before the row computed from it. One more is read for the shift, and the last vector
	// may be partly filled.
	n := (reach+grow-1)/grow + 1
	w.left, w.right = w.vectors(n+1), w.vectors(n+w.kern.computeLanes)
}

// vectors rounds a number of elements up to whole vectors, whose length is a
// power of two.
func (w *waveRows) vectors(n int) int {
	l := w.kern.computeLanes
	return (n + l - 1) &^ (l - 1)
}

// size is the number of elements of a row of the diagonals lo..hi.
func (w *waveRows) size(lo, hi int) int { return w.left + w.vectors(hi-lo+1) + w.right }

// fit gives r room for the diagonals lo..hi.
func (w *waveRows) fit(r *row, lo, hi int) *row {
	n := w.size(lo, hi)
	if cap(r.buf) < n {
		r.buf = make([]int32, n+n/2+64)
	}
	r.buf, r.lo, r.hi = r.buf[:n], lo, hi
	return r
}

// single makes r hold offset 0 on diagonal 0 and nulls beside it.
func (w *waveRows) single(r *row) {
	fillNull(r.buf)
	r.buf[w.left] = 0
}

// at returns the offset of diagonal k, null outside the row.
func (w *waveRows) at(r *row, k int) int {
	if k < r.lo || k > r.hi {
		return null
	}
	return int(r.buf[w.left+k-r.lo])
}

// needNone makes none long enough for n diagonals.
func (w *waveRows) needNone(n int) {
	// Nothing points at none yet, so it may be replaced by a larger one.
	if need := n + 2 + w.kern.computeLanes; len(w.none) < need {
		w.none = nulls(2 * need)
	}
}

// source returns the address of diagonal k in row r, or of nulls.
func (w *waveRows) source(r *row, k int) *int32 {
	if r.empty() {
		return &w.none[1]
	}
	return &r.buf[w.left+k-r.lo]
}
