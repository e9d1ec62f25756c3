// Package windowrule computes scores of the approximate mode in plain Go, by
// this program's rule (align/adaptive.go) and by that of the WFA-GPU paper,
// to compare the two. They differ in how far the window moves and in nothing
// else.
package windowrule

import (
	"wfagpu/align"
	"wfagpu/cigar"
)

// Rule is how the window follows the cell that is closest to the end.
type Rule int

const (
	// ByDegrees is this program's rule: of the distance d between that cell's
	// diagonal and the window's middle, the window goes ceil(4λd / 3β).
	ByDegrees Rule = iota
	// AtOnce is the paper's: the middle jumps to that diagonal.
	AtOnce
)

func (r Rule) String() string {
	return [...]string{"by degrees", "at once"}[r]
}

// Window is a width β and a number of scores λ between two moves.
type Window struct{ Band, Lambda int }

// Score aligns a pair within a window. It reports false for a pair that has
// lost its way: no cell is left, or no score up to the worst possible has the
// end.
func Score(pattern, text []byte, p align.Penalties, window Window, rule Rule) (score int, ok bool) {
	f := newFront(pattern, text, p, window, rule)
	for f.m.at(f.s)[f.index(f.end)] != f.textLen {
		if f.s > 0 && f.s%f.Lambda == 0 {
			f.look()
		}
		if f.s == f.limit || f.empty() {
			return 0, false
		}
		f.step()
	}
	return f.s * f.scale, true
}

// null stands where there is no cell.
const null = -1

// front has the wavefronts that later scores read: M of the last scores, and
// what the gaps of the next ones come from. Cells outside the window are null.
type front struct {
	Window
	rule         Rule
	pattern      []byte
	text         []byte
	patternLen   int
	textLen      int
	end          int // the end cell's diagonal
	p            align.Penalties
	scale, limit int

	s            int // the last score computed
	w            int // the window's first diagonal
	m            rows
	fromI, fromD rows
}

func newFront(pattern, text []byte, p align.Penalties, window Window, rule Rule) *front {
	n, m := len(pattern), len(text)
	f := &front{
		Window: window, rule: rule, pattern: pattern, text: text, patternLen: n, textLen: m, end: m - n, w: -(window.Band / 2),
	}
	f.p, f.scale = p.Reduced()
	p = f.p
	f.limit = p.Worst(n, m)
	width := n + m + 3 // the diagonals -n-1 to m+1
	f.m = newRows(max(p.Mismatch, p.GapOpen)+1, width)
	f.fromI = newRows(p.GapExtend+1, width)
	f.fromD = newRows(p.GapExtend+1, width)
	f.m.at(0)[f.index(0)] = f.extended(0, 0)
	f.openGaps()
	return f
}

// index is where a diagonal is in a row.
func (f *front) index(k int) int { return k + f.patternLen + 1 }

// last is the offset of a diagonal's last cell.
func (f *front) last(k int) int { return min(f.textLen, f.patternLen+k) }

// inside are the diagonals that are in the window and in the matrix.
func (f *front) inside() (first, last int) {
	return max(f.w, -f.patternLen), min(f.w+f.Band-1, f.textLen)
}

// step computes the next score.
func (f *front) step() {
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

// openGaps adds the gaps that open at the last score.
func (f *front) openGaps() {
	m := f.m.at(f.s - f.p.GapOpen)
	nextI, nextD := f.fromI.at(f.s+f.p.GapExtend), f.fromD.at(f.s+f.p.GapExtend)
	first, last := f.inside()
	for at := f.index(first); at <= f.index(last); at++ {
		nextI[at], nextD[at] = max(nextI[at], m[at]), max(nextD[at], m[at])
	}
}

// extended is the offset after the matches that begin at offset h.
func (f *front) extended(k, h int) int {
	for h < f.textLen && h-k < f.patternLen && cigar.Canonical[f.pattern[h-k]] == cigar.Canonical[f.text[h]] {
		h++
	}
	return h
}

// look moves the window.
func (f *front) look() {
	f.dropEdge()
	k, found := f.closest()
	if !found {
		return
	}
	off := k - (f.w + f.Band/2)
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

// closest is the diagonal of the last score's cell that is closest to the end;
// of several the nearest to the end's diagonal, then the smaller one.
func (f *front) closest() (k int, found bool) {
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

// move shifts the window and drops what is outside then.
func (f *front) move(by int) {
	first, last := f.inside()
	f.w += by
	newFirst, newLast := f.inside()
	f.each(func(row []int) {
		for k := first; k <= last; k++ {
			if k < newFirst || k > newLast {
				row[f.index(k)] = null
			}
		}
	})
}

// dropEdge drops the last cells of their diagonals where the end's diagonal is
// outside the window.
func (f *front) dropEdge() {
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

// empty reports whether there is no cell to go on from. It looks now and then.
func (f *front) empty() bool {
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

func (f *front) each(do func(row []int)) {
	for _, r := range []rows{f.m, f.fromI, f.fromD} {
		for _, row := range r {
			do(row)
		}
	}
}

// rows are those of scores that follow each other, in a ring.
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

// at is the row of a score; those before 0 are null.
func (r rows) at(s int) []int { return r[(s%len(r)+len(r))%len(r)] }
