package align

// directed computes wavefronts that are directed to the end cell (A*, Hart et al. 1968, with
// the length difference as the heuristic). Where one sequence is much longer, most of the score
// pays for the difference, whatever the alignment; directed wavefronts count the rest alone.
//
// The shorter sequence is taken for the pattern, so that the end diagonal D is not negative;
// costs do not change when the two trade places. The potential of a diagonal is what a gap from
// diagonal 0 costs without its opening, and less beyond D:
//
//	p(k) = e·k           k <= D
//	p(k) = e·(2·D - k)   k >= D
//
// The reduced cost of a cell on diagonal k is its cost less p(k). A step towards D reduces the
// cost to go by e and one away raises it by as much, so a gap costs o and 0 for each letter
// towards D, o and 2e for each away from it; a mismatch costs x. No step has a negative reduced
// cost, and on one diagonal reduced costs are costs less a constant. So the wavefronts of all
// reduced costs, in their order, are wavefronts as others, exact for the same reason, and the
// score is the reduced cost of the end cell plus e·D. With S that reduced cost they hold about
// S·D + S²/2e offsets, and those of all costs (S + e·D)²/e.
//
// The recurrence is that of computeGo with 2e in the place of e, and for the gaps towards D
// running maxima over a whole row:
//
//	Del[s,k] = max { M[s-o,j] + k-j : j < k }    k <= D
//	Ins[s,k] = max { M[s-o,j] : j > k }          k >= D
//
// The kernel also opens these gaps from M[s-o-2e]. Such an offset has a cost of less than s,
// which does no harm: M[s,k] >= h means that cell h of diagonal k costs at most s, and it holds
// for every cell that costs s.
type directed struct {
	wavefronts
	swapped  bool    // the longer sequence is the pattern
	ins, del []int32 // sources of the gap states
	progress int     // pattern letters reached at score s-o
	lines    replay
	view     row // of the last M row, without its padding
}

func newDirected(k *kernels, pen Penalties) *directed {
	pen.GapExtend *= 2
	return &directed{wavefronts: *newWavefronts(k, pen)}
}

// load sets the pair and computes wavefront 0.
func (d *directed) load(pattern, text *sequence) {
	d.swapped = pattern.n > text.n
	if d.swapped {
		pattern, text = text, pattern
	}
	w := &d.wavefronts
	w.start(pattern, text, false)
	h := w.row(compM, 0).buf[w.left]
	w.hi = w.end
	m := w.reuse(compM, 0, 0, w.hi)
	w.single(m)
	m.buf[w.left] = h
	d.progress = 0
	d.gapsWithin(m)
}

// next computes and extends the wavefronts of the next reduced cost.
func (d *directed) next() {
	w := &d.wavefronts
	w.s++
	s, p := w.s, &w.pen
	mx := w.row(compM, s-p.Mismatch)
	mo := w.row(compM, s-p.GapOpen-p.GapExtend)
	ie, de := w.row(compIns, s-p.GapExtend), w.row(compDel, s-p.GapExtend)
	free := &emptyRow
	if p.GapOpen > 0 {
		free = w.row(compM, s-p.GapOpen)
	}
	if mx.empty() && mo.empty() && ie.empty() && de.empty() && free.empty() {
		w.skip()
		return
	}
	lo, hi := w.lo, w.hi
	for _, r := range [3]*row{mo, ie, de} {
		if !r.empty() {
			lo, hi = min(lo, r.lo-1), max(hi, r.hi+1)
		}
	}
	lo, hi = max(lo, -w.pattern.n), min(hi, w.text.n)
	w.lo, w.hi = lo, hi

	a := &w.args
	w.needNone(w.vectors(hi - lo + 1))
	d.sources(ie, de, free)
	a.mx, a.mo = w.source(mx, lo), w.source(mo, lo)
	a.ins, a.del = &d.ins[w.left], &d.del[w.left]
	w.compute(s, lo, hi)
	d.gapsWithin(w.row(compM, s))
}

// sources sets ins and del, in the layout of rows: away from the end diagonal the gap states
// ie and de, towards it the running maxima of the row free, from which gaps open.
func (d *directed) sources(ie, de, free *row) {
	w := &d.wavefronts
	lo, hi, end := w.lo, w.hi, w.end
	if n := w.size(lo, hi); cap(d.ins) < n {
		d.ins, d.del = nulls(n+n/2), nulls(n+n/2)
	}
	d.ins, d.del = d.ins[:w.size(lo, hi)], d.del[:w.size(lo, hi)]
	d.copyRow(d.ins, ie, lo, end)
	d.copyRow(d.del, de, end, hi)
	for _, r := range [2][]int32{d.ins, d.del} {
		fillNull(r[:w.left])
		fillNull(r[w.left+hi-lo+1:])
	}
	d.copyRow(d.del, free, lo, end-1)
	best := int32(null)
	for i, h := range d.del[w.left:][:end-lo] {
		best = max(best+1, h)
		d.del[w.left+i] = best
	}
	if best >= 0 {
		d.progress = int(best) - (end - 1)
	}
	d.copyRow(d.ins, free, end+1, hi)
	best = null
	for i := w.left + hi - lo; i > w.left+end-lo; i-- {
		best = max(best, d.ins[i])
		d.ins[i] = best
	}
}

// copyRow copies the diagonals from..to of r to dst, in the layout of a row from w.lo on.
func (d *directed) copyRow(dst []int32, r *row, from, to int) {
	w := &d.wavefronts
	if from > to {
		return
	}
	dst = dst[w.left-w.lo+from:][:to-from+1]
	a, b := max(from, r.lo), min(to, r.hi)
	if a > b {
		fillNull(dst)
		return
	}
	fillNull(dst[:a-from])
	copy(dst[a-from:], r.buf[w.left+a-r.lo:][:b-a+1])
	fillNull(dst[b-from+1:])
}

// gapsWithin adds to row m the gaps towards the end diagonal where opening them is free: they
// lead from one cell of the row to another.
func (d *directed) gapsWithin(m *row) {
	w := &d.wavefronts
	if w.pen.GapOpen > 0 {
		return
	}
	pattern, text := w.pattern.first(), w.text.first()
	r := m.buf[w.left:][:m.hi-m.lo+1]
	end := w.end - m.lo
	improve := func(i int, h int32) {
		if h >= 0 && h > r[i] {
			r[i] = h
			extend(r[i:i+1], m.lo+i, pattern, text)
		}
	}
	for i := 1; i <= end; i++ {
		improve(i, r[i-1]+1)
	}
	for i := len(r) - 2; i >= end; i-- {
		improve(i, r[i+1])
	}
	if h := r[end]; h >= 0 {
		d.progress = int(h) - w.end
	}
}

// potential is p(k).
func (d *directed) potential(k int) int {
	return d.pen.GapExtend / 2 * min(k, 2*d.end-k)
}

// score returns the score of the alignment that has reached the end cell.
func (d *directed) score() int { return d.s + d.potential(d.end) }

// guess predicts the reduced cost of the end cell from the letters of the pattern that have
// been reached.
func (d *directed) guess() int {
	return min(predict(d.s, d.progress, d.pattern.n), d.pen.Mismatch*d.pattern.n+d.pen.GapOpen)
}
