package align

import (
	"sort"
	"sync/atomic"
)

// waveHistory has the M rows of freeWaves for the traceback: all of them as long as they fit, else
// those of two segments of scores, as adaptiveHistory. A segment is computed again from a saved state
// when one of its rows is read.
type waveHistory struct {
	waves    *freeWaves
	run      waveRun
	memory   int // the bound, in bytes
	on       bool
	into     *segment // where rows are stored; nil for nowhere
	segments [2]segment
	recent   int // the segment read last
	score    int // of the last row of all
	stop     *atomic.Bool

	states []waveState // those beyond used are storage for later ones
	used   int
	every  int // scores from one to the next
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

// waveState is what later wavefronts are computed from: every row of the rings, by ring and age,
// without nulls beside it.
type waveState struct {
	s       int
	place   wavePlace
	rows    []row
	offsets int
}

// start prepares for a pair, whose wavefront 0 has been computed. on is whether to store anything.
func (k *waveHistory) start(on bool, stop *atomic.Bool) {
	k.stop, k.on, k.into, k.recent, k.used = stop, on, nil, 0, 0
	for i := range k.segments {
		k.segments[i].reset(0)
	}
	if on {
		k.into = &k.segments[0]
		// Segments are not smaller than states.
		k.every = 4 * k.stateRows()
	}
}

// stateRows is the number of rows in a state.
func (k *waveHistory) stateRows() int { return len(k.waves.rings) * len(k.waves.rings[0]) }

// note stores the newest row, which has been computed in the first pass. It keeps the storage to its
// bound and saves states.
func (k *waveHistory) note() {
	if !k.on {
		return
	}
	k.score = k.waves.s
	k.store()
	if g := &k.segments[0]; k.into != nil && g.arena.taken > k.memory/4/historyParts*rowsParts {
		k.into = nil
		g.reset(0)
	}
	if k.waves.s == (k.used+1)*k.every {
		k.save()
	}
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

// save saves the state after the newest row. If that is too much, every other state is dropped.
func (k *waveHistory) save() {
	if k.used == len(k.states) {
		k.states = append(k.states, waveState{})
	}
	c := &k.states[k.used]
	k.used++
	c.save(k.waves)
	c.place = k.run.place()
	// Less often where states take more than their part, or more than the segments between them.
	if k.used*c.offsets > max(k.memory/4/historyParts*checksParts, 2*k.every*c.offsets/k.stateRows()) {
		k.used /= 2
		for i := range k.used {
			k.states[i], k.states[2*i+1] = k.states[2*i+1], k.states[i]
		}
		k.every *= 2
	}
}

func (c *waveState) save(w *freeWaves) {
	c.s, c.offsets = w.s, 0
	c.rows = c.rows[:cap(c.rows)]
	at := 0
	for ring := range w.rings {
		for age := range len(w.rings[ring]) {
			if at == len(c.rows) {
				c.rows = append(c.rows, row{})
			}
			to := &c.rows[at]
			at++
			r := w.rowAt(ring, w.s-age)
			to.lo, to.hi, to.buf = r.lo, r.hi, to.buf[:0]
			if !r.empty() {
				to.buf = append(to.buf, r.buf[w.left:][:r.hi-r.lo+1]...)
			}
			c.offsets += len(to.buf)
		}
	}
	c.rows = c.rows[:at]
}

// restore goes back to the state.
func (c *waveState) restore(w *freeWaves) {
	at := 0
	for ring := range w.rings {
		for age := range len(w.rings[ring]) {
			from := &c.rows[at]
			at++
			if w.s = c.s - age; w.s < 0 {
				continue
			}
			if from.empty() {
				w.rings[ring].at(w.s).clear()
				continue
			}
			r := w.reuse(ring, from.lo, from.hi)
			fillNull(r.buf)
			copy(r.buf[w.left:], from.buf)
		}
	}
	w.s = c.s
}

// row returns the M row of score s, which is not negative, or an empty row when stopped.
func (k *waveHistory) row(s int) *row {
	for i := range k.segments {
		if g := &k.segments[i]; s >= g.first && s-g.first < len(g.rows) {
			k.recent = i
			return &g.rows[s-g.first]
		}
	}
	if stopped(k.stop) {
		return &emptyRow
	}
	k.recent = 1 - k.recent
	k.again(&k.segments[k.recent], s)
	return k.row(s)
}

// again computes the rows from the last state before score s to the next one.
func (k *waveHistory) again(g *segment, s int) {
	i := sort.Search(k.used, func(i int) bool { return k.states[i].s >= s })
	end := k.score
	if i < k.used {
		end = k.states[i].s
	}
	k.into = g
	if i == 0 {
		g.reset(0)
		k.run.again()
		k.store()
	} else {
		from := &k.states[i-1]
		g.reset(from.s + 1)
		from.restore(k.waves)
		k.run.moveTo(from.place)
	}
	for k.waves.s < end {
		k.run.next()
		k.store()
	}
	k.into = nil
}

// costs reports whether cell (i,j) costs at most c, as costCells.
func (k *waveHistory) costs(i, j, c int) bool {
	return c <= k.score && k.row(c).at(j-i) >= j
}
