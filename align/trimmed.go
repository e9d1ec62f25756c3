package align

import "math"

// trimmed computes wavefronts without the cells on either side from which no alignment of score
// bound or less leads to the end, as seeds prove. Their rows have no common range, so that a
// source may have to be copied.
type trimmed struct {
	*wavefronts
	seeds  *seeds
	bound  int
	copies [4][]int32 // of sources, by their order in step
}

// step computes and extends the wavefronts of the next score.
func (t *trimmed) step() {
	w := t.wavefronts
	w.s++
	s, p := w.s, &w.pen
	mx := w.row(compM, s-p.Mismatch)
	mo := w.row(compM, s-p.GapOpen-p.GapExtend)
	ie, de := w.row(compIns, s-p.GapExtend), w.row(compDel, s-p.GapExtend)
	lo, hi := math.MaxInt, math.MinInt
	if !mx.empty() {
		lo, hi = mx.lo, mx.hi
	}
	if !mo.empty() {
		lo, hi = min(lo, mo.lo-1), max(hi, mo.hi+1)
	}
	if !ie.empty() {
		lo, hi = min(lo, ie.lo-1), max(hi, ie.hi-1)
	}
	if !de.empty() {
		lo, hi = min(lo, de.lo+1), max(hi, de.hi+1)
	}
	lo, hi = max(lo, -w.pattern.n), min(hi, w.text.n)
	if lo > hi {
		w.skip()
		return
	}
	n := w.vectors(hi - lo + 1)
	w.needNone(n)
	a := &w.args
	a.mx, a.mo = t.source(0, mx, lo, n), t.source(1, mo, lo, n)
	a.ins, a.del = t.source(2, ie, lo, n), t.source(3, de, lo, n)
	w.compute(s, lo, hi)
	t.trim(lo, hi)
}

// source returns the address of diagonal k in row r, of which n diagonals from k on and one on
// either side are read.
func (t *trimmed) source(i int, r *row, k, n int) *int32 {
	if r.empty() {
		return &t.none[1]
	}
	return r.around(t.left, k, n, &t.copies[i])
}

// trim takes off cells of the newest rows, which cover the diagonals lo..hi.
func (t *trimmed) trim(lo, hi int) {
	w := t.wavefronts
	m, ins, del := w.row(compM, w.s), w.rings[compIns].at(w.s), w.rings[compDel].at(w.s)
	from, to := lo, hi
	for from <= to && t.useless(m.buf, ins.buf, del.buf, from, w.left+from-lo) {
		from++
	}
	for to > from && t.useless(m.buf, ins.buf, del.buf, to, w.left+to-lo) {
		to--
	}
	if from > to {
		m.clear()
		ins.clear()
		del.clear()
		return
	}
	m.cut(w.left, from, to)
	ins.cut(w.left, from, to)
	del.cut(w.left, from, to)
}

// useless reports whether no alignment of score bound or less goes through the cells of diagonal k,
// element i of the newest rows. The letters to come after the furthest of the cells are the
// fewest.
func (t *trimmed) useless(m, ins, del []int32, k, i int) bool {
	if h := int(m[i]); h >= 0 {
		return t.seeds.least(k, h) > t.bound-t.wavefronts.s
	}
	return ins[i] < 0 && del[i] < 0
}

// cut leaves the diagonals from..to of r, which begins after left elements.
func (r *row) cut(left, from, to int) {
	if n := from - r.lo; n > 0 {
		copy(r.buf[left:], r.buf[left+n:])
		r.buf = r.buf[:len(r.buf)-n]
	}
	r.lo, r.hi = from, to
}
