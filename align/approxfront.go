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
//     If |d| exceeds MaxDrift, the pair has strayed from this window. It has, too,
//     if at a StallInterval-th look its distance has become smaller since the last such
//     look (at first since the start, from max(n, m)) by less than half of the
//     most that it did so before, or by less than 5/2x for each score since then.
//     c. What lies outside the window is dropped; what enters it is null.
//     d. a. again, with the new window.
//   - It fails when nothing that is held is a cell, or when s exceeds limit.
//     Either is for good, so it does not matter how often it is tested.
//
// The paper moves the middle to the closest cell at once. On noisy reads that cell
// is often a chance: wavefronts of wrong diagonals get ahead for a while. Going
// there by degrees, all the way in about 3β/4 scores, averages over such chances.
// It finds more optima on the noisiest reads, for a few more diagonals where gaps
// are longer than a window (scripts/RESULTS-approx.md). And a pair that was led
// astray shows by how far its closest cells are off.
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
	kern *kernels
	pen  Penalties // divided by their gcd

	pattern, text *sequence
	end           int // kEnd
	AdaptiveBand
	limit int // the optimum is no more
	stop  *atomic.Bool

	s        int // score of the last row
	w        int // first diagonal of the window
	nextLook int // the score at which to look next
	pace     pace
	edge     bool
	args     approxArgs

	rows         approxRows
	m            heldRows
	fromI, fromD heldRows
	kept         approxKept
}

// approxEnd is how the approximate mode has ended.
type approxEnd uint8

const (
	approxReached approxEnd = iota // the end cell, with score s
	approxLost                     // or the limit exceeded, or stopped
	approxStrayed
)

// newApproxFront returns one whose traceback takes about memory bytes.
func newApproxFront(k *kernels, pen Penalties, memory int) *approxFront {
	return &approxFront{
		kern:  k,
		pen:   pen,
		m:     newHeldRows(max(pen.Mismatch, pen.GapOpen) + 1),
		fromI: newHeldRows(pen.GapExtend + 1),
		fromD: newHeldRows(pen.GapExtend + 1),
		kept:  approxKept{memory: memory},
	}
}

// run aligns a pair within a window. keep is for a traceback. stop, when not nil,
// makes it give up.
func (f *approxFront) run(pattern, text *sequence, w AdaptiveBand, keep bool, stop *atomic.Bool) approxEnd {
	f.start(pattern, text, w, keep)
	f.stop = stop
	for !f.reached() {
		if f.s == f.nextLook && (!f.look() || f.dawdles()) {
			return approxStrayed
		}
		if f.lost() || f.s >= f.limit || f.stopped() {
			return approxLost
		}
		f.bound()
		f.step()
	}
	f.kept.score = f.s
	return approxReached
}

func (f *approxFront) stopped() bool { return f.stop != nil && f.stop.Load() }

func (f *approxFront) start(pattern, text *sequence, w AdaptiveBand, keep bool) {
	n, m := pattern.n, text.n
	f.pattern, f.text = pattern, text
	f.end, f.AdaptiveBand = m-n, w
	f.limit = f.pen.Worst(n, m)
	f.args.pattern, f.args.text = (*byte)(pattern.first()), (*byte)(text.first())
	f.pace = pace{mark: max(n, m)}
	f.layout()
	f.startKeeping(keep)
	f.begin()
}

// begin computes row 0.
func (f *approxFront) begin() {
	f.s, f.nextLook, f.edge = 0, f.Lambda, false
	f.clear()
	f.place(-(f.Band / 2))
	r := f.newM()
	fillNull(r)
	r[-f.w] = 0
	extend(r[-f.w:][:1], 0, f.pattern.first(), f.text.first())
	f.noteFurthest(r[-f.w])
	// What the gaps of score e come from is null so far.
	f.openGaps(0)
}

// newM returns the M row of score s, with undefined contents.
func (f *approxFront) newM() []int32 {
	g := f.kept.into
	if g == nil {
		return f.m.reuse(f.s)
	}
	b := g.arena.take(f.rows.width)
	g.store(b, f.w, f.Band)
	f.m.put(f.s, b)
	return b
}

// place makes w the first diagonal of the window.
func (f *approxFront) place(w int) {
	f.w = w
	f.args.k0 = int32(w)
	last := f.rows.last[:f.Band]
	from := min(max(0, -f.pattern.n-w), f.Band)
	to := max(from, min(f.Band, f.text.n-w+1))
	fillNull(last[:from])
	for i := from; i < to; i++ {
		last[i] = int32(f.last(w + i))
	}
	fillNull(last[to:])
}

// last returns the offset of the last cell of diagonal k.
func (f *approxFront) last(k int) int { return min(f.text.n, f.pattern.n+k) }

func (f *approxFront) inWindow(k int) bool { return k >= f.w && k < f.w+f.Band }

func (f *approxFront) reached() bool {
	return f.inWindow(f.end) && int(f.m.at(f.s)[f.end-f.w]) >= f.text.n
}

// lost reports whether nothing that later scores read is a cell. It takes its
// time, so it does not look at each score.
func (f *approxFront) lost() bool {
	if f.args.furthest >= 0 || f.s%16 != 0 {
		return false
	}
	for r := range f.held {
		if slices.ContainsFunc(r, func(h int32) bool { return h >= 0 }) {
			return false
		}
	}
	return true
}

// held yields the rows of which later scores read.
func (f *approxFront) held(yield func(r []int32) bool) {
	for i := range f.heldM() {
		if !yield(f.m.at(f.s - i)) {
			return
		}
	}
	for s := f.s + 1; s <= f.s+f.pen.GapExtend; s++ {
		if !yield(f.fromI.at(s)) || !yield(f.fromD.at(s)) {
			return
		}
	}
}

// heldM is the number of M rows among them.
func (f *approxFront) heldM() int { return max(f.pen.Mismatch, f.pen.GapOpen) }

// step computes the next row.
func (f *approxFront) step() {
	f.s++
	s, p, a := f.s, &f.pen, &f.args
	open := f.rows.none
	if p.GapOpen > 0 {
		open = f.m.at(s - p.GapOpen)
	}
	a.mx, a.mo = &f.m.at(s - p.Mismatch)[0], &open[0]
	a.ins, a.del = &f.fromI.at(s)[0], &f.fromD.at(s)[0]
	a.outM = &f.newM()[0]
	a.outIns, a.outDel = &f.fromI.at(s + p.GapExtend)[0], &f.fromD.at(s + p.GapExtend)[0]
	f.kern.approx(a)
	f.noteFurthest(a.furthest)
	if p.GapOpen == 0 { // they open from the row itself
		f.openGaps(s)
	}
}

// noteFurthest is told the largest offset of each M row. As long as none is
// that of any diagonal's last cell, no cell is: gap states are no further than
// the M of their score.
func (f *approxFront) noteFurthest(h int32) {
	f.args.furthest = h
	f.edge = f.edge || int(h) >= f.last(max(f.w, -f.pattern.n))
}

// openGaps adds to what the gaps of score s+e come from, which is those of score
// s so far, the gaps that open there.
func (f *approxFront) openGaps(s int) {
	m := f.m.at(s - f.pen.GapOpen)
	for _, r := range [2]*heldRows{&f.fromI, &f.fromD} {
		to := r.at(s + f.pen.GapExtend)
		for i, h := range m {
			to[i] = max(to[i], h)
		}
	}
}
