package align_test

import (
	"math"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
)

// set holds the offsets of cells, by score, then by diagonal from -n-1 on. Null is -1.
type set struct {
	first int
	rows  map[int][]int
	width int
}

func newSet(n, m int) set { return set{-n - 1, map[int][]int{}, n + m + 3} }

func (c set) get(s, k int) (h int, ok bool) {
	row, ok := c.rows[s]
	if !ok || row[k-c.first] < 0 {
		return 0, false
	}
	return row[k-c.first], true
}

func (c set) put(s, k, h int) {
	if c.rows[s] == nil {
		c.rows[s] = slices.Repeat([]int{-1}, c.width)
	}
	c.rows[s][k-c.first] = h
}

// each calls f for each cell, which is dropped if f says so.
func (c set) each(f func(s, k, h int) (drop bool)) {
	for s, row := range c.rows {
		for i, h := range row {
			if h >= 0 && f(s, c.first+i, h) {
				row[i] = -1
			}
		}
	}
}

// any reports whether there is a cell.
func (c set) any() bool {
	for _, row := range c.rows {
		if slices.ContainsFunc(row, func(h int) bool { return h >= 0 }) {
			return true
		}
	}
	return false
}

// slowApprox is the approximate mode, in one band after the other.
func slowApprox(pattern, text []byte, p align.Penalties, approx align.Approx) (score int, ok bool) {
	w, ok := approx.First(len(pattern), len(text))
	for ok {
		r := slowBand(pattern, text, p, w)
		if !r.drifted {
			return r.score, r.found
		}
		w, ok = approx.Wider(w)
	}
	return 0, false
}

// slowResult is how a pair ends in a band: with a score if found, which may be doubtful.
type slowResult struct {
	score                    int
	found, doubtful, drifted bool
}

// slowBand is the rule of adaptive.go word for word, with the ring in sets.
func slowBand(pattern, text []byte, p align.Penalties, b align.AdaptiveBand) (r slowResult) {
	band, lambda := b.Band, b.Lambda
	adjustments, mark, most := 0, max(len(pattern), len(text)), 0 // progress
	sixth, sixthMark := int(math.Ceil(float64(b.StallInterval)/6)), mark
	p, scale := p.Reduced()
	n, m := len(pattern), len(text)
	kEnd := m - n
	w := -(band / 2)
	M, fromI, fromD := newSet(n, m), newSet(n, m), newSet(n, m) // fromI and fromD by the score of the gap
	last := func(k int) int { return min(m, n+k) }
	inside := func(k int) bool { return k >= w && k < w+band }
	extended := func(k, h int) int {
		for h < m && h-k < n && cigar.Canonical[pattern[h-k]] == cigar.Canonical[text[h]] {
			h++
		}
		return h
	}
	dropOld := func(s int) {
		for i, c := range []set{M, fromI, fromD} {
			first := s + 1
			if i == 0 {
				first -= max(p.Mismatch, p.GapOpen)
			}
			delete(c.rows, first-1) // those before went before
		}
	}
	drop := func(s int, when func(k, h int) bool) {
		dropOld(s)
		for _, c := range []set{M, fromI, fromD} {
			c.each(func(_, k, h int) bool { return when(k, h) })
		}
	}
	dropEdge := func(s int) {
		if !inside(kEnd) {
			drop(s, func(k, h int) bool { return h == last(k) })
		}
	}
	bound := min(p.Gap(n)+p.Gap(m), p.Mismatch*min(n, m)+p.Gap(max(kEnd, -kEnd)))

	keep := func(to set, s, k, h int) {
		if old, ok := to.get(s, k); !ok || h > old {
			to.put(s, k, h)
		}
	}
	openGaps := func(s int) {
		for k := -n; k <= m; k++ {
			if h, ok := M.get(s-p.GapOpen, k); ok {
				keep(fromI, s+p.GapExtend, k, h)
				keep(fromD, s+p.GapExtend, k, h)
			}
		}
	}

	M.put(0, 0, extended(0, 0))
	openGaps(0)
	for s := 0; s <= bound; s++ {
		if s > 0 {
			for k := max(w, -n); k <= min(w+band-1, m); k++ {
				if h, ok := fromI.get(s, k+1); ok {
					keep(M, s, k, min(h, last(k)))
					keep(fromI, s+p.GapExtend, k, min(h, last(k)))
				}
				if h, ok := fromD.get(s, k-1); ok {
					keep(M, s, k, min(h+1, last(k)))
					keep(fromD, s+p.GapExtend, k, min(h+1, last(k)))
				}
				if h, ok := M.get(s-p.Mismatch, k); ok {
					keep(M, s, k, min(h+1, last(k)))
				}
				if h, ok := M.get(s, k); ok {
					M.put(s, k, extended(k, h))
				}
			}
			openGaps(s)
		}
		if h, ok := M.get(s, kEnd); ok && inside(kEnd) && h == m {
			r.score, r.found = s*scale, true
			return r
		}
		if s > 0 && s%lambda == 0 {
			dropEdge(s)
			found, to, least, near := false, 0, 0, 0
			for k := -n; k <= m; k++ {
				h, ok := M.get(s, k)
				if !ok {
					continue
				}
				far := max(n-(h-k), m-h)
				off := max(k-kEnd, kEnd-k)
				if !found || far < least || far == least && (off < near || off == near && k < to) {
					found, to, least, near = true, k, far, off
				}
			}
			adjustments++
			if found {
				slow := func(from, interval int) bool {
					return float64(from-least) < 2.5/float64(p.Mismatch)*float64(interval*lambda)
				}
				if sixth > 0 && adjustments%sixth == 0 {
					r.doubtful = r.doubtful || slow(sixthMark, sixth)
					sixthMark = least
				}
				if b.StallInterval > 0 && adjustments%b.StallInterval == 0 {
					by := mark - least
					if 2*by < most || slow(mark, b.StallInterval) {
						return slowResult{drifted: true}
					}
					mark, most = least, max(most, by)
				}
				off := to - band/2 - w
				size := max(off, -off)
				if size > b.MaxDrift {
					return slowResult{drifted: true}
				}
				step := min(size, int(math.Ceil(float64(4*lambda*size)/float64(3*band))))
				if off < 0 {
					step = -step
				}
				w += step
				drop(s, func(k, h int) bool { return !inside(k) })
				dropEdge(s)
			}
		}
		dropOld(s)
		if !M.any() && !fromI.any() && !fromD.any() {
			return slowResult{}
		}
	}
	return slowResult{}
}
