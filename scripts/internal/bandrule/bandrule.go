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
	f := newWavefronts(pattern, text, p, band, rule)
	for f.m.at(f.s)[f.index(f.end)] != f.textLen {
		if f.s > 0 && f.s%f.Lambda == 0 {
			f.follow()
		}
		if f.s == f.bound || f.empty() {
			return 0, false
		}
		f.step()
	}
	return f.s * f.scale, true
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
	f := &wavefronts{
		AdaptiveBand: band, rule: rule, pattern: pattern, text: text, patternLen: n, textLen: m, end: m - n, lo: -(band.Band / 2),
	}
	f.p, f.scale = p.Reduced()
	p = f.p
	f.bound = p.Worst(n, m)
	width := n + m + 3 // the diagonals -n-1 to m+1
	f.m = newRows(max(p.Mismatch, p.GapOpen)+1, width)
	f.fromI = newRows(p.GapExtend+1, width)
	f.fromD = newRows(p.GapExtend+1, width)
	f.m.at(0)[f.index(0)] = f.extended(0, 0)
	f.openGaps()
	return f
}

// index is the position of a diagonal in a row.
func (f *wavefronts) index(k int) int { return k + f.patternLen + 1 }

// last is the offset of the last cell of a diagonal.
func (f *wavefronts) last(k int) int { return min(f.textLen, f.patternLen+k) }

// inside returns the range of diagonals in the band and in the matrix.
func (f *wavefronts) inside() (first, last int) {
	return max(f.lo, -f.patternLen), min(f.lo+f.Band-1, f.textLen)
}

// step computes the next score.
func (f *wavefronts) step() {
	f.s++
	m, mx := f.m.at(f.s), f.m.at(f.s-f.p.Mismatch)
	i, d := f.fromI.at(f.s), f.fromD.at(f.s)
	nextI, nextD := f.fromI.at(f.s+f.p.GapExtend), f.fromD.at(f.s+f.p.GapExtend)
	first, last := f.inside()
	for k := first; k <= last; k++ {
		at, end := f.index(k), f.last(k)
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
			m[at] = f.extended(k, m[at])
		}
	}
	f.openGaps()
}

// openGaps adds the gaps that open at the current score.
func (f *wavefronts) openGaps() {
	m := f.m.at(f.s - f.p.GapOpen)
	nextI, nextD := f.fromI.at(f.s+f.p.GapExtend), f.fromD.at(f.s+f.p.GapExtend)
	first, last := f.inside()
	for at := f.index(first); at <= f.index(last); at++ {
		nextI[at], nextD[at] = max(nextI[at], m[at]), max(nextD[at], m[at])
	}
}

// extended is the offset after the run of matches at offset h.
func (f *wavefronts) extended(k, h int) int {
	for h < f.textLen && h-k < f.patternLen && cigar.Canonical[f.pattern[h-k]] == cigar.Canonical[f.text[h]] {
		h++
	}
	return h
}

// follow moves the band.
func (f *wavefronts) follow() {
	f.dropEdge()
	k, found := f.nearest()
	if !found {
		return
	}
	off := k - (f.lo + f.Band/2)
	size := max(off, -off)
	by := size
	if f.rule == ByDegrees {
		share := 3 * f.Band
		by = min(size, (4*f.Lambda*size+share-1)/share)
	}
	if off < 0 {
		by = -by
	}
	f.move(by)
	f.dropEdge()
}

// nearest is the diagonal of the cell nearest to the end in the wavefront of the
// current score. Of several it is the nearest to the diagonal of the end, then the
// smaller one.
func (f *wavefronts) nearest() (k int, found bool) {
	type rank struct{ far, off int }
	var best rank
	first, last := f.inside()
	for kk := first; kk <= last; kk++ {
		h := f.m.at(f.s)[f.index(kk)]
		if h == null {
			continue
		}
		r := rank{max(f.patternLen-(h-kk), f.textLen-h), max(kk-f.end, f.end-kk)}
		if !found || r.far < best.far || r.far == best.far && r.off < best.off {
			k, best, found = kk, r, true
		}
	}
	return k, found
}

// move shifts the band and makes the cells outside null.
func (f *wavefronts) move(by int) {
	first, last := f.inside()
	f.lo += by
	newFirst, newLast := f.inside()
	f.each(func(row []int) {
		for k := first; k <= last; k++ {
			if k < newFirst || k > newLast {
				row[f.index(k)] = null
			}
		}
	})
}

// dropEdge makes the last cells of diagonals null while the diagonal of the end is
// outside the band.
func (f *wavefronts) dropEdge() {
	first, last := f.inside()
	if f.end >= first && f.end <= last {
		return
	}
	f.each(func(row []int) {
		for k := first; k <= last; k++ {
			if row[f.index(k)] == f.last(k) {
				row[f.index(k)] = null
			}
		}
	})
}

// empty reports whether all cells are null. It looks every 64 scores.
func (f *wavefronts) empty() bool {
	if f.s%64 != 0 {
		return false
	}
	none := true
	first, last := f.inside()
	f.each(func(row []int) {
		for k := first; k <= last && none; k++ {
			none = row[f.index(k)] == null
		}
	})
	return none
}

func (f *wavefronts) each(do func(row []int)) {
	for _, r := range []rows{f.m, f.fromI, f.fromD} {
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
