package align

import "sync/atomic"

// waveHistory has the M rows of freeWaves for the traceback.
type waveHistory struct {
	rowHistory
	waves    *freeWaves
	run      waveRun
	into     *segment // where rows are stored; nil for nowhere
	segments [2]segment
}

// waveRun is a way to compute wavefronts, which can be repeated.
type waveRun interface {
	// again computes wavefront 0 of the pair, and next the one after the newest one.
	again()
	next()
	// place returns where the newest wavefront lies, and moveTo goes back there.
	place() wavePlace
	moveTo(p wavePlace)
}

// wavePlace is the widest range of diagonals so far, and of a band the first diagonal and the score of
// its next adjustment.
type wavePlace struct{ lo, hi, lowest, nextAdjust int }

// start prepares for a pair, whose wavefront 0 has been computed. on is whether to store anything.
func (k *waveHistory) start(on bool, stop *atomic.Bool) {
	rows := len(k.waves.rings) * len(k.waves.rings[0])
	// Segments are not smaller than checkpoints.
	k.prepare(k, on, 4*rows, rows, stop)
}

// noteRow stores the newest row, which has been computed in the first pass.
func (k *waveHistory) noteRow() {
	if !k.on {
		return
	}
	k.score = k.waves.s
	k.store()
	k.note(k.waves.s, k.segments[0].arena.taken)
}

// store stores the newest row.
func (k *waveHistory) store() {
	if k.into == nil {
		return
	}
	w := k.waves
	r := w.rowAt(waveM, w.s)
	stored := row{lo: r.lo, hi: r.hi}
	if !r.empty() {
		n := r.hi - r.lo + 1
		stored.buf = k.into.arena.take(n)
		copy(stored.buf, r.buf[w.left:][:n])
	}
	k.into.rows = append(k.into.rows, stored)
}

// row returns the M row of score s, which is not negative, or an empty row when stopped.
func (k *waveHistory) row(s int) *row {
	i := k.segment(s)
	if i == noSegment {
		return &emptyRow
	}
	g := &k.segments[i]
	return &g.rows[s-g.first]
}

// costs reports whether cell (i,j) costs at most c, as costCells.
func (k *waveHistory) costs(i, j, c int) bool {
	return c <= k.score && k.row(c).at(j-i) >= j
}

// The methods of historyRows.

func (k *waveHistory) begin() {
	k.run.again()
	k.store()
}

func (k *waveHistory) advance(to int) {
	for k.waves.s < to {
		k.run.next()
		k.store()
	}
}

// save saves every row of the rings, by ring and age, without nulls beside it.
func (k *waveHistory) save(c *checkpoint) {
	w := k.waves
	c.s, c.place = w.s, k.run.place()
	for ring := range w.rings {
		for age := range len(w.rings[ring]) {
			r := w.rowAt(ring, w.s-age)
			c.rows = append(c.rows, diagonals{r.lo, r.hi})
			if !r.empty() {
				c.offsets = append(c.offsets, r.buf[w.left:][:r.hi-r.lo+1]...)
			}
		}
	}
}

func (k *waveHistory) restore(c *checkpoint) {
	w, rows, offsets := k.waves, c.rows, c.offsets
	for ring := range w.rings {
		for age := range len(w.rings[ring]) {
			lo, hi := rows[0].first, rows[0].last
			rows = rows[1:]
			if w.s = c.s - age; w.s < 0 {
				continue
			}
			if lo > hi {
				w.rings[ring].at(w.s).clear()
				continue
			}
			r := w.reuse(ring, lo, hi)
			fillNull(r.buf)
			offsets = offsets[copy(r.buf[w.left:][:hi-lo+1], offsets):]
		}
	}
	w.s = c.s
	k.run.moveTo(c.place)
}

// release gives back rows and checkpoints that have more than so many offsets.
func (k *waveHistory) release(most int) {
	for i := range k.segments {
		if g := &k.segments[i]; g.arena.release(most) {
			g.rows = nil
		}
	}
	k.rowHistory.release(most)
}

func (k *waveHistory) empty(segment, first int) { k.segments[segment].reset(first) }

func (k *waveHistory) storeIn(segment int) {
	k.into = nil
	if segment != noSegment {
		k.into = &k.segments[segment]
	}
}
