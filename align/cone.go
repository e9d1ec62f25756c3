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

// limit makes w go on with the cells that can lie on an alignment of score bound.
func (w *wavefronts) limit(bound int) {
	w.within = cone{k: w.end, s: bound, extend: w.pen.GapExtend}
}

// offsets estimates the elements of rows in the cone from a score on, of wavefronts that have
// width diagonals there.
func (c cone) offsets(score, width, rows int) int {
	n := min(rows, c.s-score)
	return n * min((2*(c.s-score)-n)/c.extend+1, width+n/c.extend)
}

// resume makes w the wavefronts after score at that save has written, as far as they are
// within c, of the pair that is loaded. With keep they store M rows, those of the state first.
func (w *wavefronts) resume(state []int32, at int, c cone, keep bool) {
	w.s, w.lo, w.hi = at, int(state[0]), int(state[1])
	w.within, w.keep = c, keep
	w.arena.reset()
	w.kept, w.first = w.kept[:0], max(0, at-w.stateRows(compM)+1)
	if keep {
		for range at - w.first + 1 {
			w.kept = append(w.kept, emptyRow)
		}
	}
	w.eachRow(state, at, func(part component, s, lo, hi int, h []int32) {
		if s < 0 {
			return
		}
		a, b := c.at(s)
		a, b = max(a, lo), min(b, hi)
		if a > b {
			w.row(part, s).clear()
			return
		}
		var r *row
		if part == compM && keep {
			r = &w.kept[s-w.first]
			*r = row{lo: a, hi: b, buf: w.arena.take(w.size(a, b))}
		} else {
			r = w.reuse(part, s, a, b)
		}
		fillNull(r.buf[:w.left])
		n := copy(r.buf[w.left:], h[a-lo:b-lo+1])
		fillNull(r.buf[w.left+n:])
	})
}

// forget stops storing M rows; those stored remain.
func (w *wavefronts) forget() {
	for i := range w.stateRows(compM) {
		s := w.s - i
		if s < 0 {
			break
		}
		from, to := w.row(compM, s), w.rings[compM].at(s)
		if from.empty() {
			to.clear()
			continue
		}
		copy(w.reuse(compM, s, from.lo, from.hi).buf, from.buf)
	}
	w.keep = false
}
