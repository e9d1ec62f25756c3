package align

import "math/bits"

// freeRows are the rows of freeWaves: those that later ones are computed from, and every M row if
// they are to be kept.
type freeRows struct {
	waveRows
	model *Model
	keep  bool    // every M row
	rings [5]ring // M only when !keep
	kept  []row   // M rows from score 0 on, when keep
	arena arena   // storage of kept
	s     int     // score of the last wavefront
	args  computeArgs
}

// The rings.
const (
	waveM = iota
	waveIns
	waveDel
	waveInsLong
	waveDelLong
)

// prepare makes room for the wavefronts of a model.
func (w *freeRows) prepare(k *kernels, m *Model) {
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

func (w *freeRows) two() bool { return w.model.Long != Gap{} }

// clear drops all rows. keep is whether to keep those that come.
func (w *freeRows) clear(keep bool) {
	w.keep, w.kept, w.s = keep, w.kept[:0], 0
	w.arena.reset()
	for _, r := range w.rings {
		for i := range r {
			r[i].clear()
		}
	}
}

// release gives the storage of kept rows back that is more than so many offsets.
func (w *freeRows) release(most int) {
	if w.arena.release(most) {
		w.kept = nil
	}
}

// rowAt returns the row of a ring at a score, empty for a negative one.
func (w *freeRows) rowAt(ring, s int) *row {
	switch {
	case s < 0:
		return &emptyRow
	case ring == waveM && w.keep:
		return &w.kept[s]
	}
	return w.rings[ring].at(s)
}

// waveSources is the number of rows that a wavefront is computed from.
const waveSources = 7

// sources returns the rows that the current score is computed from, of two costs of gaps in this
// order: M[s-x], M[s-o-e], Ins[s-e], Del[s-e], and the last three of the second cost. All but the
// first lead to neighbouring diagonals.
func (w *freeRows) sources() [waveSources]*row {
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
func (w *freeRows) from(p [waveSources]*int32) {
	a := &w.args
	a.mx, a.mo, a.ins, a.del = p[0], p[1], p[2], p[3]
	a.moLong, a.insLong, a.delLong = p[4], p[5], p[6]
}

// compute fills the rows of the current score, for the diagonals lo..hi, from the sources in args.
func (w *freeRows) compute(lo, hi int) {
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
func (w *freeRows) reuse(ring, lo, hi int) *row {
	return w.fit(w.rings[ring].at(w.s), lo, hi)
}

// skip records that no cell has the current score.
func (w *freeRows) skip() {
	if w.keep {
		w.kept = append(w.kept, emptyRow)
	}
	for _, r := range w.rings {
		r.at(w.s).clear()
	}
}

// costs reports whether cell (i,j) costs at most c, as costCells.
func (w *freeRows) costs(i, j, c int) bool {
	r := &w.kept[c]
	k := j - i
	return k >= r.lo && k <= r.hi && int(r.buf[w.left+k-r.lo]) >= j
}
