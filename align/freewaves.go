package align

import "math"

// freeWaves computes the wavefronts of one pair under models of any begin cells, and of gaps with
// one or two costs: wavefront s is the furthest-reaching offset on every diagonal of the
// alignments of cost s, from whichever begin cell. All begins at no cost are in wavefront 0. One
// that leaves out d letters is the first cell of diagonal d or -d and comes in at score
// d·FreeLetter: no alignment reaches that diagonal at less, for every letter of a gap costs more.
type freeWaves struct {
	freeRows
	pattern, text *sequence
	lo, hi        int // widest range so far
	// The diagonals of begins that are looked at: first..last.
	first, last int
}

// load prepares for a pair, and for begins on the diagonals first..last.
func (w *freeWaves) load(pattern, text *sequence, first, last int, keep bool) {
	w.pattern, w.text = pattern, text
	w.first, w.last = first, last
	a := &w.args
	a.patternLen, a.textLen = int32(pattern.n), int32(text.n)
	a.pattern, a.text = (*byte)(pattern.first()), (*byte)(text.first())
	w.clear(keep)
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
