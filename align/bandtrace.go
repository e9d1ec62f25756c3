package align

import "wfagpu/cigar"

// backtrace writes the alignment of the pair, whose optimal score is s, to dst,
// first column first. It follows the rule of front.backtrace, with the costs
// of cells in place of M rows.
//
// When not all costs were kept, blocks of antidiagonals are computed again
// from their saved starts, last one first, in a window just wide enough for
// any path from the cell at which the walk enters them.
func (b *banded) backtrace(dst cigar.CIGAR, s int) (cigar.CIGAR, error) {
	dst = dst[:0]
	pattern, text := b.pattern.first(), b.text.first()
	x, o, e := b.pen.Mismatch, b.pen.GapOpen, b.pen.GapExtend
	k, h := b.end, b.text.n
	for {
		v := h - k
		n := matchesBefore(pattern, text, v, h)
		dst = dst.AppendElem(runMatch, n)
		h, v = h-n, v-n
		if s == 0 {
			dst.Reverse()
			return dst, nil
		}
		a := h + v
		if h > 0 && v > 0 && b.cost(a-2, k) == s-x {
			dst = dst.AppendElem(runMismatch, 1)
			h, s = h-1, s-x
			continue
		}
		op, l := b.gap(a, k, v, h, s)
		if l == 0 {
			return dst, errBacktrace
		}
		dst = dst.AppendElem(op, l)
		s -= o + e*l
		if op == runIns {
			k += l
		} else {
			k -= l
			h -= l
		}
	}
}

// gap finds the shortest gap that ends in cell (v, h) of antidiagonal a on an
// optimal alignment of score s, and 0 if there is none. Insertions come first.
func (b *banded) gap(a, k, v, h, s int) (cigar.Elem, int) {
	o, e := b.pen.GapOpen, b.pen.GapExtend
	longest := (s - o) / e
	if !b.loaded.whole && !b.loaded.holds(a, k) {
		b.loadBlock(a, k)
	}
	// Within the loaded block look for both kinds at once.
	near := min(longest, a-b.loaded.first)
	for l := 1; l <= near; l++ {
		if l <= v && b.cost(a-l, k+l) == s-o-e*l {
			return runIns, l
		}
		if l <= h && b.cost(a-l, k-l) == s-o-e*l {
			return runDel, l
		}
	}
	// Beyond it, one after the other: the two run apart, and blocks would be
	// computed again and again. The saved gap states tell which is possible.
	if near < longest && near >= 0 && b.loaded.first > 0 {
		block := b.loaded.block
		var ins, del int
		if b.savedAt(block, savedIns, k+near) == s-e*near {
			ins = b.open(a, k, near+1, min(longest, v), 1, s)
		}
		if b.savedAt(block, savedDel, k-near) == s-e*near {
			del = b.open(a, k, near+1, min(longest, h), -1, s)
		}
		switch {
		case ins > 0 && (del == 0 || ins <= del):
			return runIns, ins
		case del > 0:
			return runDel, del
		}
	}
	return runIns, 0
}

// open returns the smallest l in [from, to] at which a gap that runs along
// antidiagonals towards diagonal k + side·l can have been opened.
func (b *banded) open(a, k, from, to, side, s int) int {
	for l := from; l <= to; l++ {
		if b.cost(a-l, k+side*l) == s-b.pen.GapOpen-b.pen.GapExtend*l {
			return l
		}
	}
	return 0
}

// The states saved at the start of a block, in their order.
const (
	savedEven = iota
	savedOdd  // of the antidiagonal before
	savedIns
	savedDel
)

// savedAt returns one saved state of diagonal k at the start of a block.
func (b *banded) savedAt(block, which, k int) int {
	s := &b.blocks[block]
	i := b.lane(k) - s.lo*b.kern.lanes
	n := (s.hi - s.lo + 1) * b.kern.lanes
	if i < 0 || i >= n {
		return bandInf
	}
	return int(b.saved[s.at+which*n+i])
}

// cost returns H of diagonal k on antidiagonal a, bandInf outside the band.
func (b *banded) cost(a, k int) int {
	lane := b.lane(k)
	switch {
	case a == 0 && k == 0:
		return 0
	case a <= 0 || lane < 0 || lane >= b.vectors*b.kern.lanes:
		return bandInf
	}
	w := &b.loaded
	if w.whole {
		n := b.vectors * b.kern.lanes
		return int(b.history[(a-1)*n+lane]) + a*b.pen.GapExtend
	}
	// The two antidiagonals before a block are among its saved states.
	if a > w.first || a < w.first-1 {
		if !w.holds(a, k) {
			b.loadBlock(a, k)
		}
	}
	if a <= w.first {
		return b.savedAt(w.block, savedEven+w.first-a, k) + (a-w.first)*b.pen.GapExtend
	}
	i := lane - w.lo*b.kern.lanes
	n := (w.hi - w.lo + 1) * b.kern.lanes
	if i < 0 || i >= n {
		return bandInf
	}
	row := a - w.first - 1
	return int(b.history[row*n+i]) + (row%blockRows+1)*b.pen.GapExtend
}

// holds reports whether the window has a usable cost for diagonal k of
// antidiagonal a.
func (w *bandWindow) holds(a, k int) bool {
	return a > w.first && a <= w.first+w.rows && abs(k-w.centre) <= w.exact-(a-w.first)
}

// loadBlock computes the costs of the block that holds antidiagonal a again,
// around diagonal k. Vectors that were not in use at the block's start begin
// unreached, as they did when they came into use.
func (b *banded) loadBlock(a, k int) {
	w := &b.loaded
	w.block = max(0, (a-1)/b.span)
	w.first = w.block * b.span
	w.rows = min(b.span, (b.total-w.first+1)&^1)
	w.centre, w.exact = k, b.span
	w.lo = min(b.vectors-1, b.vectorOf(max(k-b.span, b.base)))
	w.hi = max(w.lo, min(b.vectors-1, b.vectorOf(k+b.span)))
	l := b.kern.lanes
	n := (w.hi - w.lo + 1) * l
	if cap(b.window) < 4*n {
		b.window = make([]int16, 4*n)
	}
	var state [4][]int16
	s := &b.blocks[w.block]
	lo, hi := max(w.lo, s.lo), min(w.hi, s.hi)
	for i := range state {
		state[i] = b.window[i*n : (i+1)*n]
		for v := w.lo; v <= w.hi; v++ {
			copy(state[i][(v-w.lo)*l:(v-w.lo+1)*l], unreached[:])
		}
		if lo <= hi {
			from := s.at + i*(s.hi-s.lo+1)*l
			copy(state[i][(lo-w.lo)*l:], b.saved[from+(lo-s.lo)*l:from+(hi-s.lo+1)*l])
		}
	}
	h := b.room(w.rows * n)
	for r := 0; r < w.rows; r += blockRows {
		b.advance(w.first+r, min(blockRows, w.rows-r), w.lo, w.hi, state[0], state[1], state[2], state[3], h[r*n:])
	}
}
