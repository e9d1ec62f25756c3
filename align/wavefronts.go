package align

import (
	"math/bits"

	"wfagpu/cigar"
)

// wavefronts computes the wavefronts of one pair in the order of scores. With keep it stores
// every M row for the traceback. Otherwise it stores the rows that the recurrence reads, which
// takes O(s) memory.
type wavefronts struct {
	waveRows
	pen Penalties // divided by their gcd

	pattern, text *sequence
	end           int // diagonal of the end cell: len(text) - len(pattern)

	keep  bool
	depth int     // rows of each ring
	rings [3]ring // by component; compM only when !keep
	kept  []row   // M rows from score first on, when keep
	first int
	arena arena // storage of kept
	cells mRows // those that the traceback reads

	s      int  // score of the last wavefront
	lo, hi int  // widest range so far, cells outside the cone included
	within cone // no other cells are computed
	args   computeArgs
}

// ring holds the last rows of one component, by score modulo its length, a power
// of two. Element 0 of a row is diagonal lo - waveRows.left.
type ring []row

func (r ring) at(s int) *row { return &r[s&(len(r)-1)] }

// newWavefronts returns wavefronts whose rings hold the rows that the recurrence reads.
func newWavefronts(k *kernels, pen Penalties) *wavefronts {
	w := &wavefronts{waveRows: waveRows{kern: k}, pen: pen}
	reach := pen.LongestStep()
	w.depth = reach + 1
	w.spread(reach, pen.GapExtend)
	size := 1 << bits.Len(uint(w.depth-1))
	for c := range w.rings {
		w.rings[c] = make(ring, size)
	}
	return w
}

// start computes wavefront 0, the empty alignment.
func (w *wavefronts) start(pattern, text *sequence, keep bool) {
	w.load(pattern, text)
	w.keep, w.first, w.within = keep, 0, everywhere
	w.s, w.lo, w.hi = 0, 0, 0
	w.kept = w.kept[:0]
	w.arena.reset()
	for c := range w.rings {
		for i := range w.rings[c] {
			w.rings[c][i].clear()
		}
	}
	m := w.newM(0, 0, 0)
	w.single(m)
	extend(m.buf[w.left:w.left+1], 0, pattern.first(), text.first())
}

// load sets the pair.
func (w *wavefronts) load(pattern, text *sequence) {
	w.pattern, w.text = pattern, text
	w.end = text.n - pattern.n
	w.args.patternLen, w.args.textLen = int32(pattern.n), int32(text.n)
	w.args.pattern, w.args.text = (*byte)(pattern.first()), (*byte)(text.first())
}

// newM returns the M row of score s with room for the diagonals lo..hi.
func (w *wavefronts) newM(s, lo, hi int) *row {
	if !w.keep {
		return w.reuse(compM, s, lo, hi)
	}
	w.kept = append(w.kept, row{lo: lo, hi: hi, buf: w.arena.take(w.size(lo, hi))})
	return &w.kept[len(w.kept)-1]
}

// reuse returns the ring's row for score s with room for the diagonals lo..hi.
func (w *wavefronts) reuse(c component, s, lo, hi int) *row {
	return w.fit(w.rings[c].at(s), lo, hi)
}

// row returns the row of component c at score s, empty when s is negative. s must
// be among the last depth scores; any s will do for M when all rows are kept.
func (w *wavefronts) row(c component, s int) *row {
	switch {
	case s < 0:
		return &emptyRow
	case c == compM && w.keep:
		return &w.kept[s-w.first]
	}
	return w.rings[c].at(s)
}

// step computes and extends the wavefronts of the next score.
func (w *wavefronts) step() {
	w.s++
	s, p := w.s, &w.pen
	mx := w.row(compM, s-p.Mismatch)
	mo := w.row(compM, s-p.GapOpen-p.GapExtend)
	ie := w.row(compIns, s-p.GapExtend)
	de := w.row(compDel, s-p.GapExtend)
	lo, hi := w.lo, w.hi
	if !mo.empty() {
		lo, hi = min(lo, mo.lo-1), max(hi, mo.hi+1)
	}
	if !ie.empty() {
		lo = min(lo, ie.lo-1)
	}
	if !de.empty() {
		hi = max(hi, de.hi+1)
	}
	lo, hi = max(lo, -w.pattern.n), min(hi, w.text.n)
	if mx.empty() && mo.empty() && ie.empty() && de.empty() {
		w.skip()
		return
	}
	w.lo, w.hi = lo, hi
	if a, b := w.within.at(s); a > lo || b < hi {
		lo, hi = max(lo, a), min(hi, b)
		if lo > hi {
			w.skip()
			return
		}
	}

	a := &w.args
	w.needNone(w.vectors(hi - lo + 1))
	a.mx, a.mo = w.source(mx, lo), w.source(mo, lo)
	a.ins, a.del = w.source(ie, lo), w.source(de, lo)
	w.compute(s, lo, hi)
}

// compute fills the rows of score s, for the diagonals lo..hi, from the sources in args.
func (w *wavefronts) compute(s, lo, hi int) {
	a := &w.args
	m := w.newM(s, lo, hi)
	oi, od := w.reuse(compIns, s, lo, hi), w.reuse(compDel, s, lo, hi)
	a.outM, a.outIns, a.outDel = &m.buf[w.left], &oi.buf[w.left], &od.buf[w.left]
	a.n, a.k0 = w.vectors(hi-lo+1), int32(lo)
	a.left, a.right = int32(w.left), int32(w.right)
	w.kern.compute(a)
}

// skip records that no cell has the current score.
func (w *wavefronts) skip() {
	if w.keep {
		w.kept = append(w.kept, emptyRow)
	} else {
		w.rings[compM].at(w.s).clear()
	}
	w.rings[compIns].at(w.s).clear()
	w.rings[compDel].at(w.s).clear()
}

// reached reports whether the end cell has been reached.
func (w *wavefronts) reached() bool {
	return w.at(w.row(compM, w.s), w.end) >= w.text.n
}

// furthest returns the largest antidiagonal of the newest M row.
func (w *wavefronts) furthest() int {
	m := w.row(compM, w.s)
	if m.empty() {
		return null
	}
	return furthest(m.buf[w.left:w.left+m.hi-m.lo+1], m.lo)
}

// traceback writes the alignment that the wavefronts, which kept their M rows, have found to
// dst.
func (w *wavefronts) traceback(dst cigar.CIGAR) (cigar.CIGAR, error) {
	t := traceback{pattern: w.pattern, text: w.text, pen: w.pen, score: w.s}
	w.cells = mRows{rows: w.kept, left: w.left}
	return t.run(dst, &w.cells)
}
