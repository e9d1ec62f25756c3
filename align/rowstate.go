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
