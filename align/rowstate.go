package align

// component is one of the three states of a gap-affine alignment.
type component uint8

const (
	compM component = iota
	compIns
	compDel
)

// stateRows is the number of rows of a component in a state: those that later scores read.
func (w *wavefronts) stateRows(c component) int {
	if c == compM {
		return w.depth - 1
	}
	return w.pen.GapExtend
}

// save appends the state of the wavefronts to dst: the range of diagonals and the rows of the
// last scores, each after its range.
func (w *wavefronts) save(dst []int32) []int32 {
	dst = append(dst, int32(w.lo), int32(w.hi))
	for c := range w.rings {
		for i := range w.stateRows(component(c)) {
			r := w.row(component(c), w.s-i)
			dst = append(dst, int32(r.lo), int32(r.hi))
			if !r.empty() {
				dst = append(dst, r.buf[w.left:][:r.hi-r.lo+1]...)
			}
		}
	}
	return dst
}

// stateSize is the number of elements that save appends.
func (w *wavefronts) stateSize() int {
	n := 2
	for c := range w.rings {
		for i := range w.stateRows(component(c)) {
			r := w.row(component(c), w.s-i)
			n += 2 + max(0, r.hi-r.lo+1)
		}
	}
	return n
}

// eachRow calls do for the rows of the state after score at, which save has written. h are the
// offsets of the diagonals lo..hi of component c at score s, which may be negative.
func (w *wavefronts) eachRow(state []int32, at int, do func(c component, s, lo, hi int, h []int32)) {
	state = state[2:]
	for c := range w.rings {
		for i := range w.stateRows(component(c)) {
			lo, hi := int(state[0]), int(state[1])
			n := max(0, hi-lo+1)
			do(component(c), at-i, lo, hi, state[2:][:n])
			state = state[2+n:]
		}
	}
}

// stateHas reports whether row s of component c, in the state after score at, has reached
// offset h of diagonal k.
func (w *wavefronts) stateHas(state []int32, at int, c component, s, k, h int) (has bool) {
	w.eachRow(state, at, func(rc component, rs, lo, hi int, row []int32) {
		if rc == c && rs == s && k >= lo && k <= hi {
			has = int(row[k-lo]) >= h
		}
	})
	return has
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

// limit makes w go on with the cells that can lie on an alignment of score bound.
func (w *wavefronts) limit(bound int) {
	w.within = cone{k: w.end, s: bound, extend: w.pen.GapExtend}
}
