package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// bialigner aligns in O(s) memory by bidirectional WFA (Marco-Sola et al.
// 2023, BiWFA): wavefronts run from both ends until they meet on an optimal
// path, which splits the pair into two that are aligned by themselves.
type bialigner struct {
	forward, reverse    *front
	pattern, text       sequence // of the current part
	patternRev, textRev sequence

	// Furthest offsets so far by diagonal of each front, from -len(pattern)
	// on, once the fronts are near each other.
	farForward, farReverse []int32

	stop *atomic.Bool // see Aligner

	slack int // see meet
	paid  int // added to the reverse front's scores, see meet
}

// breakpoint is a cell, and a state in it, through which an optimal alignment
// passes.
type breakpoint struct {
	score         int // of the whole alignment
	before, after int // of the parts; an open gap is paid for in before
	k, h          int
	state         component
}

func newBialigner(k *kernels, pen Penalties) bialigner {
	slack := pen.LongestStep() + pen.GapOpen
	return bialigner{forward: newFront(k, pen, slack), reverse: newFront(k, pen, slack), slack: slack}
}

// load sets the part to align, of canonical letters.
func (b *bialigner) load(pattern, text []byte) {
	b.pattern.copyOf(pattern, patternPad)
	b.text.copyOf(text, textPad)
	b.patternRev.loadReverse(pattern, patternPad)
	b.textRev.loadReverse(text, textPad)
}

// meet finds a breakpoint of the loaded pair's optimal alignment from state
// begin to state end. The pair must be a whole one, or a part whose optimal
// alignment is part of one: only then does it truly end in that state.
func (b *bialigner) meet(begin, end component) (breakpoint, error) {
	f, r := b.forward, b.reverse
	f.start(&b.pattern, &b.text, begin, false)
	r.start(&b.patternRev, &b.textRev, end, false)
	b.paid = 0
	if end != compM {
		// The gap that is open at the end is opened, and paid for, in this
		// part, so the reverse front must take at least one step of it.
		b.paid = f.pen.GapOpen
		r.stayOpen()
	}
	best := breakpoint{score: -1}
	total := b.pattern.n + b.text.n
	farF, farR := f.furthest(), r.furthest()
	near := false
	// approach notes the newest wavefront of x and tests it against the other
	// front's. Overlaps need the two to reach across each other, which is
	// cheap to rule out for all but the last scores.
	approach := func(x *front) {
		if farF+farR < total {
			return
		}
		if !near {
			near = true
			b.farForward = f.gather(b.farForward)
			b.farReverse = r.gather(b.farReverse)
		}
		if x == f {
			f.note(b.farForward, f.s)
			b.overlap(&best, f, r, b.farReverse)
		} else {
			r.note(b.farReverse, r.s)
			b.overlap(&best, r, f, b.farForward)
		}
	}
	approach(f)
	// On an optimal path of score S the cost of the prefix grows by at most
	// LongestStep from one cell to the next, so as soon as the two scores sum
	// to S + LongestStep, and GapOpen more for a meeting inside a gap, which
	// both sides have paid for, some cell of it has been reached from both.
	// The rings are deep enough to still hold the older of the two rows.
	open := func() bool { return best.score < 0 || f.s+r.s+b.paid < best.score+b.slack }
	for open() {
		if b.stop != nil && b.stop.Load() {
			return best, errStopped
		}
		f.step()
		farF = max(farF, f.furthest())
		approach(f)
		if !open() {
			break
		}
		r.step()
		farR = max(farR, r.furthest())
		approach(r)
	}
	return best, nil
}

// gather fills far with the furthest offset of every diagonal among the rows
// that the rings hold.
func (f *front) gather(far []int32) []int32 {
	n := f.pattern.n + f.text.n + 1
	if cap(far) < n {
		far = nulls(n + n/4)
	}
	far = far[:n]
	for i := range far {
		far[i] = null
	}
	for s := max(0, f.s-f.depth+1); s <= f.s; s++ {
		f.note(far, s)
	}
	return far
}

// note raises far to all three rows of score s. A gap state may be valid where M
// is null, and some are outside the matrix; overlapState tells those apart.
func (f *front) note(far []int32, s int) {
	for c := compM; c <= compDel; c++ {
		r := f.row(c, s)
		if r.empty() {
			continue
		}
		at := far[f.pattern.n+r.lo:]
		for i, h := range r.buf[f.left : f.left+r.hi-r.lo+1] {
			at[i] = max(at[i], h)
		}
	}
}

// overlap tests the newest wavefront of x against the last ones of y, whose
// furthest offsets are far.
func (b *bialigner) overlap(best *breakpoint, x, y *front, far []int32) {
	lo, hi := x.meeting(far)
	if lo > hi {
		return
	}
	open := x.pen.GapOpen
	for i := 0; i < y.depth && y.s-i >= 0; i++ {
		s := x.s + y.s - i + b.paid
		if best.score < 0 || s < best.score {
			b.overlapState(best, x, y, y.s-i, compM, s, lo, hi)
		}
		for _, c := range [2]component{compIns, compDel} {
			if best.score < 0 || s-open < best.score {
				b.overlapState(best, x, y, y.s-i, c, s-open, lo, hi)
			}
		}
	}
}

// meeting returns a range of diagonals that holds all on which the newest
// wavefront meets the other front, empty if there are none.
func (f *front) meeting(far []int32) (lo, hi int) {
	lo, hi = 1, 0
	m, ins, del := f.row(compM, f.s), f.row(compIns, f.s), f.row(compDel, f.s)
	for k := f.lo; k <= f.hi; k++ {
		h := max(f.at(m, k), f.at(ins, k), f.at(del, k))
		// The other front counts diagonals from its own start; both patterns
		// have the same length.
		if h >= 0 && h+int(far[f.pattern.n+f.end-k]) >= f.text.n {
			if lo > hi {
				lo = k
			}
			hi = k
		}
	}
	return lo, hi
}

// overlapState looks for a diagonal in lo..hi on which state c of x's newest
// row and of y's row ys meet; score is that of the alignment through it.
func (b *bialigner) overlapState(best *breakpoint, x, y *front, ys int, c component, score, lo, hi int) {
	rx, ry := x.row(c, x.s), y.row(c, ys)
	if rx.empty() || ry.empty() {
		return
	}
	plen, tlen := b.pattern.n, b.text.n
	lo, hi = max(lo, rx.lo, x.end-ry.hi), min(hi, rx.hi, x.end-ry.lo)
	for k := lo; k <= hi; k++ {
		hx, hy := x.at(rx, k), y.at(ry, x.end-k)
		// Gap states may lie outside the matrix.
		if hx < 0 || hy < 0 || hx+hy < tlen || hx > tlen || hx-k > plen || hy > tlen || hy-(x.end-k) > plen {
			continue
		}
		*best = breakpoint{score: score, before: x.s, k: k, h: hx, state: c}
		if x == b.reverse {
			best.before, best.k, best.h = ys, x.end-k, hy
		}
		best.after = score - best.before
		return
	}
}

// furthest returns the largest antidiagonal of the newest M row.
func (f *front) furthest() int {
	m := f.row(compM, f.s)
	if m.empty() {
		return null
	}
	return furthest(m.buf[f.left:f.left+m.hi-m.lo+1], m.lo)
}

// bidirectional appends the optimal alignment of pattern and text to dst. The
// parts that fit a's memory bound are aligned with stored wavefronts.
func (a *Aligner) bidirectional(dst cigar.CIGAR, pattern, text []byte, begin, end component) (cigar.CIGAR, int, error) {
	a.bi.load(pattern, text)
	bp, err := a.bi.meet(begin, end)
	if err != nil {
		return dst, 0, err
	}
	v, h := bp.h-bp.k, bp.h
	dst, err = a.part(dst, pattern[:v], text[:h], begin, bp.state, bp.before)
	if err == nil {
		dst, err = a.part(dst, pattern[v:], text[h:], bp.state, end, bp.after)
	}
	return dst, bp.score, err
}

// part appends the alignment of one part, whose score is known.
func (a *Aligner) part(dst cigar.CIGAR, pattern, text []byte, begin, end component, score int) (cigar.CIGAR, error) {
	switch {
	case len(pattern) == 0 && len(text) == 0:
		return dst, nil
	case begin == compM && end == compM && len(pattern) == 0:
		return dst.Append(cigar.Del, len(text)), nil
	case begin == compM && end == compM && len(text) == 0:
		return dst.Append(cigar.Ins, len(pattern)), nil
	}
	if a.keepBytes(score) > a.memory && score > a.minSplit() {
		dst, found, err := a.bidirectional(dst, pattern, text, begin, end)
		if err == nil && found != score {
			err = errBacktrace
		}
		return dst, err
	}
	f := a.front
	a.bi.pattern.copyOf(pattern, patternPad)
	a.bi.text.copyOf(text, textPad)
	f.start(&a.bi.pattern, &a.bi.text, begin, true)
	for !f.reached(end) {
		if f.s > score {
			return dst, errBacktrace
		}
		if a.stopped() {
			return dst, errStopped
		}
		f.step()
	}
	c, err := f.backtrace(a.scratch, begin, end)
	a.scratch = c
	for _, run := range c {
		dst = dst.AppendElem(run, run.Len())
	}
	return dst, err
}

// keepBytes estimates the storage of all M rows up to a score: each has two
// diagonals more for every GapExtend scores, and nulls at both ends.
func (a *Aligner) keepBytes(score int) int {
	f := a.front
	width := score/f.pen.GapExtend + 1
	return 4 * score * (width + f.left + f.right + f.kern.computeLanes)
}

// minSplit is the score up to which a part is never split: splitting must
// make parts smaller.
func (a *Aligner) minSplit() int { return 4 * a.front.depth }
