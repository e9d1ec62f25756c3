package align

import "sync/atomic"

// approxFront computes the wavefronts of the approximate mode. The rule, which
// every engine follows to the letter, so that all give the same scores (n and m
// are the lengths of pattern and text, k = h - v, kEnd = m - n, penalties are
// divided by their gcd):
//
//   - Rows exist for scores 0, 1, 2, … and hold M, I and D of the diagonals in a
//     window [w, w+β), at first w = -floor(β/2). Diagonals outside -n..m are
//     always null.
//   - A row is computed from the cells that are still held as computeGo does,
//     except that offsets are limited to the last cell of their diagonal,
//     last(k) = min(m, n+k). Row 0 is M[0,0] = 0, extended.
//   - It ends at the first score s with kEnd in the window and M[s,kEnd] = m. s
//     is the score.
//   - Otherwise, when s > 0 is a multiple of λ, it looks where it stands:
//     a. If kEnd is outside the window, cells that are the last one of their
//     diagonal are dropped (become null).
//     b. Of the cells of M[s] that are not null the closest to the end is
//     taken, which has the least max(n-v, m-h); of several the one on the
//     diagonal nearest to kEnd, then on the smaller diagonal. It becomes the
//     window's middle: w = k - floor(β/2). Without one the window stays.
//     c. Cells outside the window are dropped; those that enter it are null.
//     d. a. again, with the new window.
//     Dropped are cells of all rows that later scores read: M of the last
//     max(x, o+e) scores, I and D of the last e.
//   - It fails when such rows hold no cell, or when s exceeds limit. Either is
//     for good, so it does not matter how often it is tested.
//
// The score is an upper bound on the optimum. A cell (k,h) of M[s] claims that
// the prefixes up to it can be aligned at a cost of s or less (I and D: with a
// gap at the end that is paid for). Each step of the recurrence appends
// columns that are paid for, and dropping cells takes claims away only. Limiting
// keeps them true: a mismatch beyond the last cell claims for that cell what it
// has at a lower cost already. A deletion beyond the text's end goes from
// (v+1,m) to (v,m) for e or more; that one costs no more than e above the
// former's cost with a deletion at the end, and o+e without: drop the letter v
// from an alignment of v+1 letters, and with it an insertion, or put its partner
// into a gap, which lengthens the deletion behind it if there is one.
// Insertions beyond the pattern's end likewise.
//
// Step a. is about cells that have come to an edge of the matrix. Only one gap
// is left to go from there. Where the window has cut that gap off, cells
// would wait on the edge, at a rising cost, for the window to come.
type approxFront struct {
	pen   Penalties // divided by their gcd
	reach int       // M rows that are read

	pattern, text *sequence
	end           int // kEnd
	band, lambda  int
	limit         int  // the optimum is no more
	keep          bool // keep M rows for the traceback

	s     int // score of the last row
	w     int // first diagonal of the window
	m     [][]int32
	ins   [][]int32
	del   [][]int32
	lastM int // last score whose M row, as far as known, holds a cell
	lastG int // likewise, I or D
	kept  []row
	arena arena
}

// Rows have one null on either side, so diagonal k is element k-w+1.
const approxGuard = 1

func newApproxFront(pen Penalties) *approxFront {
	f := &approxFront{pen: pen, reach: pen.longestStep()}
	f.m = make([][]int32, f.reach+1)
	f.ins = make([][]int32, pen.GapExtend+1)
	f.del = make([][]int32, pen.GapExtend+1)
	return f
}

// run aligns a pair and returns its score. It fails, with ok false, where it
// loses its way or stop says so.
func (f *approxFront) run(pattern, text *sequence, a Approx, keep bool, stop *atomic.Bool) (s int, ok bool) {
	f.start(pattern, text, a, keep)
	for !f.reached() {
		if f.s > 0 && f.s%f.lambda == 0 {
			f.look()
		}
		if f.lost() || f.s >= f.limit || stop != nil && stop.Load() {
			return 0, false
		}
		f.step()
	}
	return f.s, true
}

func (f *approxFront) start(pattern, text *sequence, a Approx, keep bool) {
	n, m, p := pattern.n, text.n, f.pen
	a = a.resolve(n, m)
	f.pattern, f.text, f.keep = pattern, text, keep
	f.end, f.band, f.lambda = m-n, a.Band, a.Lambda
	// Two gaps over everything, or mismatches and one gap.
	f.limit = min(p.Gap(n)+p.Gap(m), p.Mismatch*min(n, m)+p.Gap(abs(f.end)))
	f.s, f.w, f.lastM, f.lastG = 0, -(f.band / 2), 0, -1-p.GapExtend
	f.kept = f.kept[:0]
	f.arena.reset()
	for _, ring := range [3][][]int32{f.m, f.ins, f.del} {
		for i := range ring {
			ring[i] = resized(ring[i], f.band+2*approxGuard)
			fillNull(ring[i])
		}
	}
	r := f.m[0]
	at := approxGuard - f.w
	r[at] = 0
	extend(r[at:at+1], 0, pattern.first(), text.first())
	f.store(r)
}

// store keeps a copy of an M row: later moves of the window do not concern it.
func (f *approxFront) store(r []int32) {
	if !f.keep {
		return
	}
	b := f.arena.take(f.band)
	copy(b, r[approxGuard:])
	f.kept = append(f.kept, row{lo: f.w, hi: f.w + f.band - 1, buf: b})
}

// last returns the offset of the last cell of diagonal k.
func (f *approxFront) last(k int) int { return min(f.text.n, f.pattern.n+k) }

func (f *approxFront) inWindow(k int) bool { return k >= f.w && k < f.w+f.band }

func (f *approxFront) reached() bool {
	return f.inWindow(f.end) && int(f.m[f.s%len(f.m)][f.end-f.w+approxGuard]) >= f.text.n
}

// lost reports whether no row that later scores read holds a cell.
func (f *approxFront) lost() bool {
	return f.s-f.lastM >= f.reach && f.s-f.lastG >= f.pen.GapExtend
}

// from returns the row of score s in a ring; negative scores have the slots of
// rows that are still null.
func from(ring [][]int32, s int) []int32 {
	n := len(ring)
	return ring[((s%n)+n)%n]
}

// step computes the next row. The slots it reads for scores below 0 have not
// been written yet, since a ring is one longer than the furthest look back.
func (f *approxFront) step() {
	f.s++
	s, p := f.s, f.pen
	m, ins, del := from(f.m, s), from(f.ins, s), from(f.del, s)
	mx, mo := from(f.m, s-p.Mismatch), from(f.m, s-p.GapOpen-p.GapExtend)
	ie, de := from(f.ins, s-p.GapExtend), from(f.del, s-p.GapExtend)
	fillNull(m)
	fillNull(ins)
	fillNull(del)
	first, end := max(f.w, -f.pattern.n), min(f.w+f.band-1, f.text.n)
	var anyM, anyGap bool
	for k := first; k <= end; k++ {
		i := k - f.w + approxGuard
		last := int32(f.last(k))
		in := min(max(mo[i+1], ie[i+1]), last)
		de := min(max(mo[i-1], de[i-1])+1, last)
		c := min(max(mx[i]+1, in, de), last)
		if c < 0 {
			continue
		}
		m[i], anyM = c, true
		if in >= 0 {
			ins[i], anyGap = in, true
		}
		if de >= 0 {
			del[i], anyGap = de, true
		}
	}
	extend(m[approxGuard:approxGuard+f.band], f.w, f.pattern.first(), f.text.first())
	if anyM {
		f.lastM = s
	}
	if anyGap {
		f.lastG = s
	}
	f.store(m)
}

// look moves the window to where the row stands closest to the end.
func (f *approxFront) look() {
	f.dropEdge()
	if k, ok := f.closest(); ok && k-f.band/2 != f.w {
		f.move(k - f.band/2)
		f.dropEdge()
	}
	f.lastM = lastHolding(f.s, f.reach, f.m)
	f.lastG = lastHolding(f.s, f.pen.GapExtend, f.ins, f.del)
}

// dropEdge drops cells on the matrix's edge if the end cell's diagonal is
// outside the window.
func (f *approxFront) dropEdge() {
	if f.inWindow(f.end) {
		return
	}
	for _, ring := range [3][][]int32{f.m, f.ins, f.del} {
		for _, r := range ring {
			for i := range r {
				if int(r[i]) >= f.last(f.w+i-approxGuard) {
					r[i] = null
				}
			}
		}
	}
}

// closest returns the diagonal of the cell of the last row closest to the end.
func (f *approxFront) closest() (k int, ok bool) {
	best := 0
	for i, h := range f.m[f.s%len(f.m)] {
		if h < 0 {
			continue
		}
		kk := f.w + i - approxGuard
		v := int(h) - kk
		d := max(f.pattern.n-v, f.text.n-int(h))
		if !ok || d < best || d == best && abs(kk-f.end) < abs(k-f.end) {
			k, best, ok = kk, d, true
		}
	}
	return k, ok
}

// move makes w the window's first diagonal.
func (f *approxFront) move(w int) {
	by := w - f.w
	for _, ring := range [3][][]int32{f.m, f.ins, f.del} {
		for _, r := range ring {
			shift(r[approxGuard:approxGuard+f.band], by)
		}
	}
	f.w = w
}

// shift moves element i+by to i and fills up with nulls.
func shift(r []int32, by int) {
	switch {
	case abs(by) >= len(r):
		fillNull(r)
	case by > 0:
		copy(r, r[by:])
		fillNull(r[len(r)-by:])
	default:
		copy(r[-by:], r)
		fillNull(r[:-by])
	}
}

// lastHolding returns the last of the count scores up to s at which a row of
// any of the rings holds a cell, s-count if none does.
func lastHolding(s, count int, rings ...[][]int32) int {
	for t := s; t > s-count; t-- {
		for _, ring := range rings {
			for _, h := range from(ring, t) {
				if h >= 0 {
					return t
				}
			}
		}
	}
	return s - count
}

func fillNull(r []int32) {
	for i := range r {
		r[i] = null
	}
}

// resized returns a slice of n elements, in b's storage if it is large enough.
func resized(b []int32, n int) []int32 {
	if cap(b) < n {
		return make([]int32, n)
	}
	return b[:n]
}

// before counts the equal letters that end just before cell h of diagonal k.
func (f *approxFront) before(k, h int) int {
	return matchesBefore(f.pattern.first(), f.text.first(), h-k, h)
}
