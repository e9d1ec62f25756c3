package align

import (
	"math"
	"math/bits"
)

// freeWaves computes the wavefronts of one pair under models of any begin cells, and of gaps with
// one or two costs: wavefront s is the furthest-reaching offset on every diagonal of the
// alignments of cost s, from whichever begin cell. All begins at no cost are in wavefront 0. One
// that leaves out d letters is the first cell of diagonal d or -d and comes in at score
// d·FreeLetter: no alignment reaches that diagonal at less, for every letter of a gap costs more.
type freeWaves struct {
	waveRows
	model         *Model
	pattern, text *sequence
	keep          bool    // store every M row
	rings         [5]ring // M only when !keep
	kept          []row   // M rows from score 0 on, when keep
	arena         arena   // storage of kept
	s             int     // score of the last wavefront
	lo, hi        int     // widest range so far
	// The diagonals of begins that are looked at: first..last.
	first, last int
	args        computeArgs
}

// The rings of freeWaves.
const (
	waveM = iota
	waveIns
	waveDel
	waveInsLong
	waveDelLong
)

// prepare makes w compute wavefronts for a model.
func (w *freeWaves) prepare(k *kernels, m *Model) {
	w.kern, w.model = k, m
	last := m.last()
	reach := max(m.Mismatch, m.Gap.Open+m.Gap.Extend, last.Open+last.Extend)
	grow := min(m.Gap.Extend, last.Extend)
	if m.FreeLetter > 0 {
		grow = min(grow, m.FreeLetter)
	}
	w.spread(reach, grow)
	size := 1 << bits.Len(uint(reach))
	for i := range w.rings {
		w.rings[i] = make(ring, size)
	}
}

func (w *freeWaves) two() bool { return w.model.Long != Gap{} }

// load prepares for a pair, and for begins on the diagonals first..last.
func (w *freeWaves) load(pattern, text *sequence, first, last int, keep bool) {
	w.pattern, w.text, w.keep = pattern, text, keep
	w.first, w.last = first, last
	a := &w.args
	a.patternLen, a.textLen = int32(pattern.n), int32(text.n)
	a.pattern, a.text = (*byte)(pattern.first()), (*byte)(text.first())
	w.kept = w.kept[:0]
	w.arena.reset()
	for _, r := range w.rings {
		for i := range r {
			r[i].clear()
		}
	}
	w.s = 0
	w.lo, w.hi = 0, 0
}

// start computes wavefront 0, of begins on the diagonals first..last.
func (w *freeWaves) start(pattern, text *sequence, first, last int, keep bool) {
	w.load(pattern, text, first, last, keep)
	switch free := w.model.FreeLetter > 0; {
	case first > last, free && (first > 0 || last < 0): // no begin at score 0
		w.skip()
	case free:
		w.beginOn(0, 0)
	default:
		w.beginOn(first, last)
	}
}

// again computes wavefront 0 of the same pair and begins.
func (w *freeWaves) again() { w.start(w.pattern, w.text, w.first, w.last, w.keep) }

func (w *freeWaves) next() { w.step() }

func (w *freeWaves) place() wavePlace { return wavePlace{lo: w.lo, hi: w.hi} }

func (w *freeWaves) moveTo(p wavePlace) { w.lo, w.hi = p.lo, p.hi }

// beginOn computes wavefront 0 of begins on the diagonals lo..hi, of which there is one at least.
func (w *freeWaves) beginOn(lo, hi int) {
	w.lo, w.hi = lo, hi
	a := &w.args
	n := w.vectors(w.hi - w.lo + 1)
	w.needNone(2*n + 2)
	// One before the first cells of the diagonals, in the place of rows that lead there.
	begins := w.none[n+4:][:n]
	for i := range begins {
		begins[i] = int32(max(0, w.lo+i) - 1)
	}
	for i := w.hi - w.lo + 1; i < n; i++ {
		begins[i] = null
	}
	a.mx, a.mo, a.ins, a.del = &begins[0], &w.none[1], &w.none[1], &w.none[1]
	a.moLong, a.insLong, a.delLong = a.mo, a.ins, a.del
	w.compute(w.lo, w.hi)
	fillNull(begins)
}

// rowAt returns the row of a ring at a score, empty for a negative one.
func (w *freeWaves) rowAt(ring, s int) *row {
	switch {
	case s < 0:
		return &emptyRow
	case ring == waveM && w.keep:
		return &w.kept[s]
	}
	return w.rings[ring].at(s)
}

// step computes and extends the wavefront of the next score.
func (w *freeWaves) step() {
	w.s++
	sources := w.sources()
	empty := true
	for i, r := range sources {
		if r.empty() {
			continue
		}
		empty = false
		if i > 0 {
			w.lo, w.hi = min(w.lo, r.lo-1), max(w.hi, r.hi+1)
		}
	}
	d := w.beginsAt(w.s)
	if d > 0 {
		if -d >= w.first {
			w.lo, empty = min(w.lo, -d), false
		}
		if d <= w.last {
			w.hi, empty = max(w.hi, d), false
		}
	}
	w.lo, w.hi = max(w.lo, -w.pattern.n), min(w.hi, w.text.n)
	if empty {
		w.skip()
		return
	}
	lo, hi := w.lo, w.hi
	w.needNone(w.vectors(hi - lo + 1))
	var from [waveSources]*int32
	for i, r := range sources {
		from[i] = w.source(r, lo)
	}
	w.from(from)
	w.compute(lo, hi)
	if d > 0 {
		w.begin(-d)
		w.begin(d)
	}
}

// waveSources is the number of rows that a wavefront is computed from.
const waveSources = 7

// sources returns the rows that the current score is computed from, of two costs of gaps in this
// order: M[s-x], M[s-o-e], Ins[s-e], Del[s-e], and the last three of the second cost. All but the
// first lead to neighbouring diagonals.
func (w *freeWaves) sources() [waveSources]*row {
	s, m := w.s, w.model
	rows := [waveSources]*row{
		w.rowAt(waveM, s-m.Mismatch), w.rowAt(waveM, s-m.Gap.Open-m.Gap.Extend),
		w.rowAt(waveIns, s-m.Gap.Extend), w.rowAt(waveDel, s-m.Gap.Extend),
		&emptyRow, &emptyRow, &emptyRow,
	}
	if w.two() {
		rows[4] = w.rowAt(waveM, s-m.Long.Open-m.Long.Extend)
		rows[5], rows[6] = w.rowAt(waveInsLong, s-m.Long.Extend), w.rowAt(waveDelLong, s-m.Long.Extend)
	}
	return rows
}

// from sets the addresses of the sources, in their order.
func (w *freeWaves) from(p [waveSources]*int32) {
	a := &w.args
	a.mx, a.mo, a.ins, a.del = p[0], p[1], p[2], p[3]
	a.moLong, a.insLong, a.delLong = p[4], p[5], p[6]
}

// beginsAt returns how many letters the begins leave out that come in at score s; 0 if there are
// none.
func (w *freeWaves) beginsAt(s int) int {
	f := w.model.FreeLetter
	if f == 0 || s%f != 0 || w.model.Span != EndsFree {
		return 0
	}
	return s / f
}

// begin puts the first cell of diagonal k into the newest M row, extended, if begins on it are
// looked at.
func (w *freeWaves) begin(k int) {
	if k < w.first || k > w.last || k < -w.pattern.n || k > w.text.n {
		return
	}
	h := max(0, k)
	h += matchesFrom(w.pattern.first(), w.text.first(), h-k, h)
	r := w.rowAt(waveM, w.s)
	at := &r.buf[w.left+k-r.lo]
	*at = max(*at, int32(h))
}

// compute fills the rows of the current score, for the diagonals lo..hi, from the sources in args.
func (w *freeWaves) compute(lo, hi int) {
	a := &w.args
	var m *row
	if w.keep {
		w.kept = append(w.kept, row{lo: lo, hi: hi, buf: w.arena.take(w.size(lo, hi))})
		m = &w.kept[w.s]
	} else {
		m = w.reuse(waveM, lo, hi)
	}
	out := func(r *row) *int32 { return &r.buf[w.left] }
	a.outM, a.outIns, a.outDel = out(m), out(w.reuse(waveIns, lo, hi)), out(w.reuse(waveDel, lo, hi))
	a.n, a.k0 = w.vectors(hi-lo+1), int32(lo)
	a.left, a.right = int32(w.left), int32(w.right)
	if !w.two() {
		w.kern.compute(a)
		return
	}
	a.outInsLong, a.outDelLong = out(w.reuse(waveInsLong, lo, hi)), out(w.reuse(waveDelLong, lo, hi))
	w.kern.computeLong(a)
}

// reuse returns a ring's row for the current score with room for the diagonals lo..hi.
func (w *freeWaves) reuse(ring, lo, hi int) *row {
	return w.fit(w.rings[ring].at(w.s), lo, hi)
}

// skip records that no cell has the current score.
func (w *freeWaves) skip() {
	if w.keep {
		w.kept = append(w.kept, emptyRow)
	}
	for _, r := range w.rings {
		r.at(w.s).clear()
	}
}

// eachEnd calls do for those of the diagonals of ends on which the newest row has come to the end.
func (w *freeWaves) eachEnd(ends diagonals, do func(k int)) {
	r := w.rowAt(waveM, w.s)
	if r.empty() {
		return
	}
	first, last := max(ends.first, r.lo), min(ends.last, r.hi)
	n, m := w.pattern.n, w.text.n
	for k := first; k <= last; k++ {
		k += w.kern.ends(&r.buf[w.left+k-r.lo], last-k+1, k, n, m)
		for stop := min(k+7, last); k <= stop; k++ {
			if int(r.buf[w.left+k-r.lo]) >= min(k+n, m) {
				do(k)
			}
		}
		k--
	}
}

// bestEnd returns the better of end and the ends of the newest row on the diagonals of ends, where
// cells of that row cost so much.
func (w *freeWaves) bestEnd(end spanCell, ends diagonals, cost int) spanCell {
	n, l := w.pattern.n, w.text.n
	w.eachEnd(ends, func(k int) { end = w.better(end, min(n, l-k), min(k+n, l), cost) })
	return end
}

// better returns the better of end and an alignment that ends in cell (v,h), of so much cost.
func (w *freeWaves) better(end spanCell, v, h, cost int) spanCell {
	e := spanCell{v: v, h: h, cost: cost + w.model.FreeLetter*(w.pattern.n-v+w.text.n-h)}
	if e.before(end) {
		return e
	}
	return end
}

// furthest returns the largest number of letters of the pattern that the newest row has come to.
func (w *freeWaves) furthest() int {
	best := math.MinInt
	if r := w.rowAt(waveM, w.s); !r.empty() {
		for i, h := range r.buf[w.left:][:r.hi-r.lo+1] {
			best = max(best, int(h)-i-r.lo)
		}
	}
	return best
}

// costs reports whether cell (i,j) costs at most c, as costCells.
func (w *freeWaves) costs(i, j, c int) bool {
	r := &w.kept[c]
	k := j - i
	return k >= r.lo && k <= r.hi && int(r.buf[w.left+k-r.lo]) >= j
}
