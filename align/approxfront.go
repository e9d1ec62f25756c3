package align

import (
	"slices"
	"sync/atomic"
)

// approxFront computes the wavefronts of the approximate mode. The rule, which
// every engine follows to the letter, so that all give the same scores (n and m
// are the lengths of pattern and text, k = h - v, kEnd = m - n, penalties are
// divided by their gcd):
//
//   - Rows exist for scores 0, 1, 2, … and hold M, I and D of the diagonals in a
//     window [w, w+β), at first w = -floor(β/2). Diagonals outside -n..m are
//     always null.
//   - What later scores read of those up to s is held: M of the last max(x, o)
//     scores, and for t = s+1 … s+e what gaps come from,
//     fromI[t,k] = max(M[t-o-e,k], I[t-e,k]) and fromD likewise.
//     Then I[t,k] = fromI[t,k+1], D[t,k] = fromD[t,k-1] + 1, and
//     M[t,k] = max(M[t-x,k] + 1, I[t,k], D[t,k]), each limited to the last cell
//     of the diagonal, last(k) = min(m, n+k); M is then extended along matches.
//     Row 0 is M[0,0] = 0, extended.
//   - It ends at the first score s with kEnd in the window and M[s,kEnd] = m. s
//     is the score.
//   - Otherwise, when s > 0 is a multiple of λ, it looks where it stands:
//     a. If kEnd is outside the window, what is held and is the last cell of its
//     diagonal is dropped (becomes null).
//     b. Of the cells of M[s] that are not null the closest to the end is
//     taken, which has the least max(n-v, m-h); of several the one on the
//     diagonal nearest to kEnd, then on the smaller diagonal. It is
//     d = k - (w + floor(β/2)) diagonals from the window's middle, which moves
//     towards it by min(|d|, ceil(4λ|d| / 3β)). Without one the window stays.
//     If |d| exceeds Stray, the pair has strayed from this window.
//     c. What lies outside the window is dropped; what enters it is null.
//     d. a. again, with the new window.
//   - It fails when nothing that is held is a cell, or when s exceeds limit.
//     Either is for good, so it does not matter how often it is tested.
//
// The paper moves the middle to the closest cell at once. On noisy reads that cell
// is often a chance: wavefronts of wrong diagonals get ahead for a while. Going
// there by degrees, all the way in about 3β/4 scores, averages over such chances.
// It needs half the diagonals for the same recall (scripts/RESULTS-approx.md).
// And a pair that was led astray shows by how far its closest cells are off.
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
	pen Penalties // divided by their gcd

	pattern, text *sequence
	end           int // kEnd
	Window
	limit int  // the optimum is no more
	keep  bool // keep M rows for the traceback

	s            int // score of the last row
	w            int // first diagonal of the window
	m            heldRows
	fromI, fromD heldRows
	kept         []row
	arena        arena
}

// heldRows are the rows of some scores, of which the furthest apart differ by
// less than there are rows. has tells which may hold a cell.
type heldRows struct {
	rows [][]int32
	has  []bool
}

func newHeldRows(n int) heldRows { return heldRows{make([][]int32, n), make([]bool, n)} }

// clear makes all rows null, of width elements.
func (r *heldRows) clear(width int) {
	for i := range r.rows {
		r.rows[i] = resized(r.rows[i], width)
		fillNull(r.rows[i])
		r.has[i] = false
	}
}

// slot is where the row of score s is; negative scores have rows that are still
// null.
func (r *heldRows) slot(s int) int {
	n := len(r.rows)
	return ((s % n) + n) % n
}

func (r *heldRows) at(s int) []int32 { return r.rows[r.slot(s)] }

// any reports whether a row of scores first to last may hold a cell.
func (r *heldRows) any(first, last int) bool {
	for s := first; s <= last; s++ {
		if r.has[r.slot(s)] {
			return true
		}
	}
	return false
}

// Rows have one null on either side, so diagonal k is element k-w+1.
const approxGuard = 1

func newApproxFront(pen Penalties) *approxFront {
	return &approxFront{
		pen:   pen,
		m:     newHeldRows(max(pen.Mismatch, pen.GapOpen) + 1),
		fromI: newHeldRows(pen.GapExtend + 1),
		fromD: newHeldRows(pen.GapExtend + 1),
	}
}

// held are all rows.
func (f *approxFront) held() [3]*heldRows { return [3]*heldRows{&f.m, &f.fromI, &f.fromD} }

// approxEnd is how the approximate mode has ended.
type approxEnd uint8

const (
	approxReached approxEnd = iota // the end cell, with score s
	approxLost                     // or the limit exceeded, or stopped
	approxStrayed
)

// run aligns a pair within a window. stop, when not nil, makes it give up.
func (f *approxFront) run(pattern, text *sequence, w Window, keep bool, stop *atomic.Bool) approxEnd {
	f.start(pattern, text, w, keep)
	for !f.reached() {
		if f.s > 0 && f.s%f.Lambda == 0 && !f.look() {
			return approxStrayed
		}
		if f.lost() || f.s >= f.limit || stop != nil && stop.Load() {
			return approxLost
		}
		f.step()
	}
	return approxReached
}

func (f *approxFront) start(pattern, text *sequence, w Window, keep bool) {
	n, m := pattern.n, text.n
	f.pattern, f.text, f.keep = pattern, text, keep
	f.end, f.Window = m-n, w
	f.limit = f.pen.Worst(n, m)
	f.s, f.w = 0, -(f.Band / 2)
	f.kept = f.kept[:0]
	f.arena.reset()
	for _, r := range f.held() {
		r.clear(f.Band + 2*approxGuard)
	}
	r := f.m.at(0)
	at := approxGuard - f.w
	r[at] = 0
	extend(r[at:at+1], 0, pattern.first(), text.first())
	f.m.has[0] = true
	f.openGaps(0)
	f.store(r)
}

// store keeps a copy of an M row: later moves of the window do not concern it.
func (f *approxFront) store(r []int32) {
	if !f.keep {
		return
	}
	b := f.arena.take(f.Band)
	copy(b, r[approxGuard:])
	f.kept = append(f.kept, row{lo: f.w, hi: f.w + f.Band - 1, buf: b})
}

// last returns the offset of the last cell of diagonal k.
func (f *approxFront) last(k int) int { return min(f.text.n, f.pattern.n+k) }

func (f *approxFront) inWindow(k int) bool { return k >= f.w && k < f.w+f.Band }

func (f *approxFront) reached() bool {
	return f.inWindow(f.end) && int(f.m.at(f.s)[f.end-f.w+approxGuard]) >= f.text.n
}

// lost reports whether nothing that later scores read is a cell.
func (f *approxFront) lost() bool {
	p := f.pen
	return !f.m.any(f.s+1-max(p.Mismatch, p.GapOpen), f.s) &&
		!f.fromI.any(f.s+1, f.s+p.GapExtend) && !f.fromD.any(f.s+1, f.s+p.GapExtend)
}

// step computes the next row.
func (f *approxFront) step() {
	f.s++
	s, p := f.s, f.pen
	m, mx := f.m.at(s), f.m.at(s-p.Mismatch)
	ins, del := f.fromI.at(s), f.fromD.at(s)
	nextI, nextD := f.fromI.at(s+p.GapExtend), f.fromD.at(s+p.GapExtend)
	fillNull(m)
	fillNull(nextI)
	fillNull(nextD)
	first, end := max(f.w, -f.pattern.n), min(f.w+f.Band-1, f.text.n)
	var anyM, anyI, anyD bool
	for k := first; k <= end; k++ {
		i := k - f.w + approxGuard
		last := int32(f.last(k))
		in := min(ins[i+1], last)
		de := min(del[i-1]+1, last)
		if in >= 0 {
			nextI[i], anyI = in, true
		}
		if de >= 0 {
			nextD[i], anyD = de, true
		}
		if c := min(max(mx[i]+1, in, de), last); c >= 0 {
			m[i], anyM = c, true
		}
	}
	extend(m[approxGuard:approxGuard+f.Band], f.w, f.pattern.first(), f.text.first())
	f.m.has[f.m.slot(s)] = anyM
	f.fromI.has[f.fromI.slot(s+p.GapExtend)] = anyI
	f.fromD.has[f.fromD.slot(s+p.GapExtend)] = anyD
	f.openGaps(s)
	f.store(m)
}

// openGaps adds to what the gaps of score s+e come from, which is those of score
// s so far, the gaps that open there.
func (f *approxFront) openGaps(s int) {
	from := s - f.pen.GapOpen
	if !f.m.has[f.m.slot(from)] {
		return
	}
	m := f.m.at(from)
	for _, r := range [2]*heldRows{&f.fromI, &f.fromD} {
		to := r.at(s + f.pen.GapExtend)
		for i, h := range m {
			to[i] = max(to[i], h)
		}
		r.has[r.slot(s+f.pen.GapExtend)] = true
	}
}

// look moves the window towards where the row stands closest to the end. It
// reports false when that is too far off.
func (f *approxFront) look() bool {
	f.dropEdge()
	if k, ok := f.closest(); ok {
		off := k - (f.w + f.Band/2)
		if abs(off) > f.Stray {
			return false
		}
		share := 3 * f.Band
		by := min(abs(off), (4*f.Lambda*abs(off)+share-1)/share)
		if off < 0 {
			by = -by
		}
		if by != 0 {
			f.move(by)
			f.dropEdge()
		}
	}
	for _, r := range f.held() {
		for i, row := range r.rows {
			r.has[i] = slices.ContainsFunc(row, func(h int32) bool { return h >= 0 })
		}
	}
	return true
}

// dropEdge drops cells on the matrix's edge if the end cell's diagonal is
// outside the window.
func (f *approxFront) dropEdge() {
	if f.inWindow(f.end) {
		return
	}
	for _, r := range f.held() {
		for _, row := range r.rows {
			for i := range row {
				if int(row[i]) >= f.last(f.w+i-approxGuard) {
					row[i] = null
				}
			}
		}
	}
}

// closest returns the diagonal of the cell of the last row closest to the end.
func (f *approxFront) closest() (k int, ok bool) {
	best := 0
	for i, h := range f.m.at(f.s) {
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

// move shifts the window by some diagonals.
func (f *approxFront) move(by int) {
	for _, r := range f.held() {
		for _, row := range r.rows {
			shift(row[approxGuard:approxGuard+f.Band], by)
		}
	}
	f.w += by
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
