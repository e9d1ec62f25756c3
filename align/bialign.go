package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// bialigner aligns in O(s) memory by bidirectional WFA (Marco-Sola et al. 2023, BiWFA):
// wavefronts run from both ends until they meet on an optimal path, which splits the pair
// into two parts. Parts that fit the memory bound are aligned by waves, with stored rows.
type bialigner struct {
	waves   *wavefronts
	memory  int
	scratch cigar.CIGAR

	forward, reverse    *wavefronts
	pattern, text       sequence // of the current part
	patternRev, textRev sequence

	// Furthest offsets so far by diagonal of each direction, from -len(pattern) on, once the
	// two are near each other.
	farForward, farReverse []int32

	stop *atomic.Bool // see Aligner

	slack int // see meet
	paid  int // added to the reverse scores, see meet
}

// breakpoint is a cell, and a state in it, through which an optimal alignment
// passes.
type breakpoint struct {
	score         int // of the whole alignment
	before, after int // of the parts; before includes the opening of an open gap
	k, h          int
	state         component
}

func newBialigner(k *kernels, pen Penalties, waves *wavefronts, memory int) bialigner {
	slack := pen.LongestStep() + pen.GapOpen
	return bialigner{
		waves:   waves,
		memory:  memory,
		forward: newWavefronts(k, pen, slack),
		reverse: newWavefronts(k, pen, slack),
		slack:   slack,
	}
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
		// part, so the reverse wavefronts must take at least one step of it.
		b.paid = f.pen.GapOpen
		r.stayOpen()
	}
	best := breakpoint{score: -1}
	total := b.pattern.n + b.text.n
	farF, farR := f.furthest(), r.furthest()
	near := false
	// approach records the newest wavefront of x and tests it against those of the other
	// direction. Overlaps need the two to reach across each other, which is cheap to rule
	// out for all but the last scores.
	approach := func(x *wavefronts) {
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
	// LongestStep from one cell to the next. So as soon as the two scores sum
	// to S + LongestStep, and GapOpen more for a meeting inside a gap, which
	// both sides have paid for, some cell of it has been reached from both.
	// The rings are deep enough to still hold the older of the two rows.
	open := func() bool { return best.score < 0 || f.s+r.s+b.paid < best.score+b.slack }
	for open() {
		if b.stopped() {
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

// gather fills far with the furthest offset of every diagonal among the rows of
// the rings.
func (w *wavefronts) gather(far []int32) []int32 {
	n := w.pattern.n + w.text.n + 1
	if cap(far) < n {
		far = nulls(n + n/4)
	}
	far = far[:n]
	for i := range far {
		far[i] = null
	}
	for s := max(0, w.s-w.depth+1); s <= w.s; s++ {
		w.note(far, s)
	}
	return far
}

// note raises far to all three rows of score s. A gap state may be valid where M
// is null, and some are outside the matrix; overlapState tells those apart.
func (w *wavefronts) note(far []int32, s int) {
	for c := compM; c <= compDel; c++ {
		r := w.row(c, s)
		if r.empty() {
			continue
		}
		at := far[w.pattern.n+r.lo:]
		for i, h := range r.buf[w.left : w.left+r.hi-r.lo+1] {
			at[i] = max(at[i], h)
		}
	}
}

// overlap tests the newest wavefront of x against the last ones of y, whose
// furthest offsets are far.
func (b *bialigner) overlap(best *breakpoint, x, y *wavefronts, far []int32) {
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
// wavefront meets those of the other direction, empty if there are none.
func (w *wavefronts) meeting(far []int32) (lo, hi int) {
	lo, hi = 1, 0
	m, ins, del := w.row(compM, w.s), w.row(compIns, w.s), w.row(compDel, w.s)
	for k := w.lo; k <= w.hi; k++ {
		h := max(w.at(m, k), w.at(ins, k), w.at(del, k))
		// The other direction counts diagonals from its own start; both patterns
		// have the same length.
		if h >= 0 && h+int(far[w.pattern.n+w.end-k]) >= w.text.n {
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
func (b *bialigner) overlapState(best *breakpoint, x, y *wavefronts, ys int, c component, score, lo, hi int) {
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

// align appends the optimal alignment of pattern and text to dst and returns its score.
func (b *bialigner) align(dst cigar.CIGAR, pattern, text []byte, begin, end component) (cigar.CIGAR, int, error) {
	b.load(pattern, text)
	bp, err := b.meet(begin, end)
	if err != nil {
		return dst, 0, err
	}
	v, h := bp.h-bp.k, bp.h
	dst, err = b.part(dst, pattern[:v], text[:h], begin, bp.state, bp.before)
	if err == nil {
		dst, err = b.part(dst, pattern[v:], text[h:], bp.state, end, bp.after)
	}
	return dst, bp.score, err
}

// part appends the alignment of one part, whose score is known.
func (b *bialigner) part(dst cigar.CIGAR, pattern, text []byte, begin, end component, score int) (cigar.CIGAR, error) {
	switch {
	case len(pattern) == 0 && len(text) == 0:
		return dst, nil
	case begin == compM && end == compM && len(pattern) == 0:
		return dst.Append(cigar.Del, len(text)), nil
	case begin == compM && end == compM && len(text) == 0:
		return dst.Append(cigar.Ins, len(pattern)), nil
	}
	if b.keepBytes(score) > b.memory && score > b.minSplit() {
		dst, found, err := b.align(dst, pattern, text, begin, end)
		if err == nil && found != score {
			err = errTraceback
		}
		return dst, err
	}
	w := b.waves
	b.pattern.copyOf(pattern, patternPad)
	b.text.copyOf(text, textPad)
	w.start(&b.pattern, &b.text, begin, true)
	for !w.reached(end) {
		if w.s > score {
			return dst, errTraceback
		}
		if b.stopped() {
			return dst, errStopped
		}
		w.step()
	}
	c, err := w.traceback(b.scratch, begin, end)
	b.scratch = c
	for _, run := range c {
		dst = dst.AppendElem(run, run.Len())
	}
	return dst, err
}

// keepBytes estimates the storage of all M rows up to a score: each has two diagonals more for
// every GapExtend scores, and nulls at both ends.
func (b *bialigner) keepBytes(score int) int {
	w := b.waves
	width := score/w.pen.GapExtend + 1
	return 4 * score * (width + w.left + w.right + w.kern.computeLanes)
}

// minSplit is the score up to which a part is never split: splitting must make parts smaller.
func (b *bialigner) minSplit() int { return 4 * b.waves.depth }

func (b *bialigner) stopped() bool { return stopped(b.stop) }
