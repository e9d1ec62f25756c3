// Package bandrule computes scores of the approximate mode in plain Go, by the
// rule of package align and by that of the WFA-GPU paper (Aguado-Puig et al.
// 2023, section 2.3.5), to compare the two. The rules differ only in how far the
// adaptive band moves.
package bandrule

import (
	"wfagpu/align"
	"wfagpu/cigar"
)

// Rule is how the band follows the cell nearest to the end.
type Rule int

const (
	// ByDegrees is this program's rule. The band moves by ceil(4λd / 3β), at most
	// d, where d is the distance from its middle to the diagonal of that cell.
	ByDegrees Rule = iota
	// AtOnce is the rule of the paper. The band moves by d.
	AtOnce
)

func (r Rule) String() string {
	return [...]string{"by degrees", "at once"}[r]
}

// AdaptiveBand is a band of Band diagonals (β) that moves every Lambda scores (λ).
type AdaptiveBand struct{ Band, Lambda int }

// Score aligns a pair within a band. It reports false for a pair that the band
// loses: all cells are null, or no score up to the worst possible reaches the end.
func Score(pattern, text []byte, p align.Penalties, band AdaptiveBand, rule Rule) (score int, ok bool) {
	w := newWavefronts(pattern, text, p, band, rule)
	for w.m.at(w.s)[w.index(w.end)] != w.textLen {
		if w.s > 0 && w.s%w.Lambda == 0 {
			w.follow()
		}
		if w.s == w.bound || w.empty() {
			return 0, false
		}
		w.step()
	}
	return w.s * w.scale, true
}

// null is the offset of a cell that no alignment reaches.
const null = -1

// wavefronts are those that later scores read, each component in a ring: M of the
// last scores, and the offsets that gaps of the next scores extend or open from.
// Cells outside the band are null.
type wavefronts struct {
	AdaptiveBand
	rule         Rule
	pattern      []byte
	text         []byte
	patternLen   int
	textLen      int
	end          int // the diagonal of the end cell
	p            align.Penalties
	scale, bound int

	s            int // the last score computed
	lo           int // the first diagonal of the band
	m            rows
	fromI, fromD rows
}

func newWavefronts(pattern, text []byte, p align.Penalties, band AdaptiveBand, rule Rule) *wavefronts {
	n, m := len(pattern), len(text)
	w := &wavefronts{
		AdaptiveBand: band, rule: rule, pattern: pattern, text: text, patternLen: n, textLen: m, end: m - n, lo: -(band.Band / 2),
	}
	w.p, w.scale = p.Reduced()
	p = w.p
	w.bound = p.Worst(n, m)
	width := n + m + 3 // the diagonals -n-1 to m+1
	w.m = newRows(max(p.Mismatch, p.GapOpen)+1, width)
	w.fromI = newRows(p.GapExtend+1, width)
	w.fromD = newRows(p.GapExtend+1, width)
	w.m.at(0)[w.index(0)] = w.extended(0, 0)
	w.openGaps()
	return w
}

// index is the position of a diagonal in a row.
func (w *wavefronts) index(k int) int { return k + w.patternLen + 1 }

// last is the offset of the last cell of a diagonal.
func (w *wavefronts) last(k int) int { return min(w.textLen, w.patternLen+k) }

// inside returns the range of diagonals in the band and in the matrix.
func (w *wavefronts) inside() (first, last int) {
	return max(w.lo, -w.patternLen), min(w.lo+w.Band-1, w.textLen)
}

// step computes the next score.
func (w *wavefronts) step() {
	w.s++
	m, mx := w.m.at(w.s), w.m.at(w.s-w.p.Mismatch)
	i, d := w.fromI.at(w.s), w.fromD.at(w.s)
	nextI, nextD := w.fromI.at(w.s+w.p.GapExtend), w.fromD.at(w.s+w.p.GapExtend)
	first, last := w.inside()
	for k := first; k <= last; k++ {
		at, end := w.index(k), w.last(k)
		ins := min(i[at+1], end)
		del, sub := null, null
		if d[at-1] != null {
			del = min(d[at-1]+1, end)
		}
		if mx[at] != null {
			sub = min(mx[at]+1, end)
		}
		nextI[at], nextD[at] = ins, del
		m[at] = max(ins, del, sub)
		if m[at] != null {
			m[at] = w.extended(k, m[at])
		}
	}
	w.openGaps()
}

// openGaps adds the gaps that open at the current score.
func (w *wavefronts) openGaps() {
	m := w.m.at(w.s - w.p.GapOpen)
	nextI, nextD := w.fromI.at(w.s+w.p.GapExtend), w.fromD.at(w.s+w.p.GapExtend)
	first, last := w.inside()
	for at := w.index(first); at <= w.index(last); at++ {
		nextI[at], nextD[at] = max(nextI[at], m[at]), max(nextD[at], m[at])
	}
}

// extended is the offset after the run of matches at offset h.
func (w *wavefronts) extended(k, h int) int {
	for h < w.textLen && h-k < w.patternLen && cigar.Canonical[w.pattern[h-k]] == cigar.Canonical[w.text[h]] {
		h++
	}
	return h
}

// follow moves the band.
func (w *wavefronts) follow() {
	w.dropEdge()
	k, found := w.nearest()
	if !found {
		return
	}
	off := k - (w.lo + w.Band/2)
	size := max(off, -off)
	by := size
	if w.rule == ByDegrees {
		share := 3 * w.Band
		by = min(size, (4*w.Lambda*size+share-1)/share)
	}
	if off < 0 {
		by = -by
	}
	w.move(by)
	w.dropEdge()
}

// nearest is the diagonal of the cell nearest to the end in the wavefront of the
// current score. Of several it is the nearest to the diagonal of the end, then the
// smaller one.
func (w *wavefronts) nearest() (k int, found bool) {
	type rank struct{ far, off int }
	var best rank
	first, last := w.inside()
	for kk := first; kk <= last; kk++ {
		h := w.m.at(w.s)[w.index(kk)]
		if h == null {
			continue
		}
		r := rank{max(w.patternLen-(h-kk), w.textLen-h), max(kk-w.end, w.end-kk)}
		if !found || r.far < best.far || r.far == best.far && r.off < best.off {
			k, best, found = kk, r, true
		}
	}
	return k, found
}

// move shifts the band and makes the cells outside null.
func (w *wavefronts) move(by int) {
	first, last := w.inside()
	w.lo += by
	newFirst, newLast := w.inside()
	w.each(func(row []int) {
		for k := first; k <= last; k++ {
			if k < newFirst || k > newLast {
				row[w.index(k)] = null
			}
		}
	})
}

// dropEdge makes the last cells of diagonals null while the diagonal of the end is
// outside the band.
func (w *wavefronts) dropEdge() {
	first, last := w.inside()
	if w.end >= first && w.end <= last {
		return
	}
	w.each(func(row []int) {
		for k := first; k <= last; k++ {
			if row[w.index(k)] == w.last(k) {
				row[w.index(k)] = null
			}
		}
	})
}

// empty reports whether all cells are null. It looks every 64 scores.
func (w *wavefronts) empty() bool {
	if w.s%64 != 0 {
		return false
	}
	none := true
	first, last := w.inside()
	w.each(func(row []int) {
		for k := first; k <= last && none; k++ {
			none = row[w.index(k)] == null
		}
	})
	return none
}

func (w *wavefronts) each(do func(row []int)) {
	for _, r := range []rows{w.m, w.fromI, w.fromD} {
		for _, row := range r {
			do(row)
		}
	}
}

// rows is a ring of the wavefronts of consecutive scores.
type rows [][]int

func newRows(n, width int) rows {
	r := make(rows, n)
	for i := range r {
		r[i] = make([]int, width)
		for k := range r[i] {
			r[i][k] = null
		}
	}
	return r
}

// at is the row of a score. Rows of negative scores are null.
func (r rows) at(s int) []int { return r[(s%len(r)+len(r))%len(r)] }
