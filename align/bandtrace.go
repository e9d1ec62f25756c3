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
	if !b.loaded.holds(a, k) {
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
	if near < longest && near >= 0 {
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
	if a < 0 || b.lane(k) < 0 {
		return bandInf
	}
	w := &b.loaded
	// The two antidiagonals before a block are among its saved states.
	if a > w.first || a < w.first-1 {
		if !w.holds(a, k) {
			b.loadBlock(a, k)
		}
	}
	if a <= w.first {
		return b.savedAt(w.block, savedEven+w.first-a, k) + (a-w.first)*b.pen.GapExtend
	}
	i := b.lane(k) - w.lo*b.kern.lanes
	n := (w.hi - w.lo + 1) * b.kern.lanes
	if i < 0 || i >= n {
		return bandInf
	}
	return int(b.history[(a-w.first-1)*n+i]) + (a-w.first)*b.pen.GapExtend
}

// holds reports whether the window has a usable cost for diagonal k of
// antidiagonal a.
func (w *bandWindow) holds(a, k int) bool {
	return a > w.first && a <= w.first+w.rows && abs(k-w.centre) <= w.exact-(a-w.first)
}

// loadBlock computes the costs of the block that holds antidiagonal a again,
// around diagonal k.
func (b *banded) loadBlock(a, k int) {
	w := &b.loaded
	w.block = max(0, (a-1)/blockRows)
	w.first = w.block * blockRows
	w.rows = min(blockRows, (b.total-w.first+1)&^1)
	w.centre, w.exact = k, 2*blockRows
	s := &b.blocks[w.block]
	w.lo = max(s.lo, b.vectorOf(max(k-2*blockRows, b.base)))
	w.hi = min(s.hi, b.vectorOf(k+2*blockRows))
	if w.lo > w.hi { // k lies outside: any vector will do
		w.lo, w.hi = s.lo, s.lo
	}
	l := b.kern.lanes
	n := (s.hi - s.lo + 1) * l
	b.window = b.window[:0]
	var at [4]int
	for i := range at {
		at[i] = len(b.window)
		from := s.at + i*n
		b.window = append(b.window, b.saved[from+(w.lo-s.lo)*l:from+(w.hi-s.lo+1)*l]...)
	}
	h := b.room(w.rows * (w.hi - w.lo + 1) * l)
	b.advance(w.first, w.rows, w.lo, w.hi, b.window[at[0]:], b.window[at[1]:], b.window[at[2]:], b.window[at[3]:], h)
}
