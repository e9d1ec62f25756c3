package align

import "math/bits"

// component is one of the three states of a gap-affine alignment.
type component uint8

const (
	compM component = iota
	compIns
	compDel
)

// row holds the offsets of one component at one score for the diagonals
// lo..hi, with nulls on both sides. An empty row has lo > hi.
type row struct {
	lo, hi int
	buf    []int32 // element 0 is diagonal lo - front.left
}

var emptyRow = row{lo: 1, hi: 0}

func (r *row) empty() bool { return r.lo > r.hi }

// front computes wavefronts of growing score from one end of a pair. With
// keep it holds every M row, so that the alignment can be traced back;
// otherwise only as many as the recurrence reads, which is O(s) memory.
type front struct {
	kern *kernels
	pen  Penalties // divided by their gcd

	pattern, text *sequence
	end           int // diagonal of the end cell: len(text) - len(pattern)

	keep        bool
	depth       int     // rows of each ring
	left, right int     // nulls beside a row
	rings       [3]ring // by component; compM only when !keep
	kept        []row   // M rows by score, when keep
	arena       arena   // storage of kept
	none        []int32 // nulls that stand for an empty row

	s      int // score of the last wavefront
	lo, hi int // widest range so far
	args   computeArgs
}

// ring holds the last rows of one component, by score modulo its length, a
// power of two.
type ring []row

func (r ring) at(s int) *row { return &r[s&(len(r)-1)] }

// newFront returns a front whose rings hold the rows that the recurrence reads
// and extra older ones.
func newFront(k *kernels, pen Penalties, extra int) *front {
	f := &front{kern: k, pen: pen}
	reach := pen.LongestStep()
	f.depth = reach + 1 + extra
	// Ranges never shrink and grow by at most one diagonal a side within
	// GapExtend scores, so a source row ends at most grow diagonals before
	// the row computed from it; one more is read for the shift, and the last
	// vector may be partly filled.
	grow := (reach+pen.GapExtend-1)/pen.GapExtend + 1
	f.left = f.vectors(grow + 1)
	f.right = f.vectors(grow + k.computeLanes)
	// A power of two, so that a score finds its row by a mask.
	size := 1 << bits.Len(uint(f.depth-1))
	for c := range f.rings {
		f.rings[c] = make(ring, size)
	}
	return f
}

// vectors rounds a number of elements up to whole vectors, whose length is a
// power of two.
func (f *front) vectors(n int) int {
	l := f.kern.computeLanes
	return (n + l - 1) &^ (l - 1)
}

// start makes wavefront 0: the alignment of nothing, in state begin (an open
// gap whose opening is paid already, unless compM). It may be closed at once.
func (f *front) start(pattern, text *sequence, begin component, keep bool) {
	f.pattern, f.text, f.keep = pattern, text, keep
	f.end = text.n - pattern.n
	f.s, f.lo, f.hi = 0, 0, 0
	f.args.patternLen, f.args.textLen = int32(pattern.n), int32(text.n)
	f.args.pattern, f.args.text = (*byte)(pattern.first()), (*byte)(text.first())
	f.kept = f.kept[:0]
	f.arena.reset()
	for c := range f.rings {
		for i := range f.rings[c] {
			r := &f.rings[c][i]
			r.lo, r.hi = emptyRow.lo, emptyRow.hi
		}
	}
	m := f.newM(0, 0, 0)
	f.single(m)
	if begin != compM {
		r := f.reuse(begin, 0, 0, 0)
		f.single(r)
	}
	extend(m.buf[f.left:f.left+1], 0, pattern.first(), text.first())
}

// stayOpen forbids, at score 0, to close the gap that the front started in.
func (f *front) stayOpen() { f.rings[compM][0].lo, f.rings[compM][0].hi = emptyRow.lo, emptyRow.hi }

// single makes r hold offset 0 on diagonal 0 and nulls beside it.
func (f *front) single(r *row) {
	for i := range r.buf {
		r.buf[i] = null
	}
	r.buf[f.left] = 0
}

// newM returns the M row of score s with room for diagonals lo..hi.
func (f *front) newM(s, lo, hi int) *row {
	if !f.keep {
		return f.reuse(compM, s, lo, hi)
	}
	f.kept = append(f.kept, row{lo: lo, hi: hi, buf: f.arena.take(f.size(lo, hi))})
	return &f.kept[len(f.kept)-1]
}

func (f *front) size(lo, hi int) int {
	return f.left + f.vectors(hi-lo+1) + f.right
}

// reuse returns the ring's row for score s with room for diagonals lo..hi.
func (f *front) reuse(c component, s, lo, hi int) *row {
	r := f.rings[c].at(s)
	n := f.size(lo, hi)
	if cap(r.buf) < n {
		r.buf = make([]int32, n+n/2+64)
	}
	r.buf, r.lo, r.hi = r.buf[:n], lo, hi
	return r
}

// row returns the row of component c at score s, empty when s is negative. s
// must be among the last depth scores, or any for M when all rows are kept.
func (f *front) row(c component, s int) *row {
	switch {
	case s < 0:
		return &emptyRow
	case c == compM && f.keep:
		return &f.kept[s]
	}
	return f.rings[c].at(s)
}

// at returns the offset of diagonal k, null outside the row.
func (f *front) at(r *row, k int) int {
	if k < r.lo || k > r.hi {
		return null
	}
	return int(r.buf[f.left+k-r.lo])
}

// step computes and extends the wavefronts of the next score.
func (f *front) step() {
	f.s++
	s, p := f.s, &f.pen
	mx := f.row(compM, s-p.Mismatch)
	mo := f.row(compM, s-p.GapOpen-p.GapExtend)
	ie := f.row(compIns, s-p.GapExtend)
	de := f.row(compDel, s-p.GapExtend)
	lo, hi := f.lo, f.hi
	if !mo.empty() {
		lo, hi = min(lo, mo.lo-1), max(hi, mo.hi+1)
	}
	if !ie.empty() {
		lo = min(lo, ie.lo-1)
	}
	if !de.empty() {
		hi = max(hi, de.hi+1)
	}
	lo, hi = max(lo, -f.pattern.n), min(hi, f.text.n)
	if mx.empty() && mo.empty() && ie.empty() && de.empty() {
		f.skip()
		return
	}
	f.lo, f.hi = lo, hi

	a := &f.args
	n := f.vectors(hi - lo + 1)
	// Growing none moves nothing that is pointed at yet.
	if need := n + 2; len(f.none) < need+f.kern.computeLanes {
		f.none = nulls(2*need + 2*f.kern.computeLanes)
	}
	a.mx, a.mo = f.source(mx, lo), f.source(mo, lo)
	a.ins, a.del = f.source(ie, lo), f.source(de, lo)
	m := f.newM(s, lo, hi)
	oi, od := f.reuse(compIns, s, lo, hi), f.reuse(compDel, s, lo, hi)
	a.outM, a.outIns, a.outDel = &m.buf[f.left], &oi.buf[f.left], &od.buf[f.left]
	a.n, a.k0 = n, int32(lo)
	a.left, a.right = int32(f.left), int32(f.right)
	f.kern.compute(a)
}

// skip records that no alignment has the current score.
func (f *front) skip() {
	if f.keep {
		f.kept = append(f.kept, emptyRow)
	} else {
		r := f.rings[compM].at(f.s)
		r.lo, r.hi = emptyRow.lo, emptyRow.hi
	}
	for _, c := range [2]component{compIns, compDel} {
		r := f.rings[c].at(f.s)
		r.lo, r.hi = emptyRow.lo, emptyRow.hi
	}
}

// source returns the address of diagonal k in row r, or of nulls.
func (f *front) source(r *row, k int) *int32 {
	if r.empty() {
		return &f.none[1]
	}
	return &r.buf[f.left+k-r.lo]
}

// reached reports whether the end cell has been reached in state c.
func (f *front) reached(c component) bool {
	return f.at(f.row(c, f.s), f.end) >= f.text.n
}

func nulls(n int) []int32 {
	b := make([]int32, n)
	for i := range b {
		b[i] = null
	}
	return b
}
