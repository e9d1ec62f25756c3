package align

import (
	"sort"
	"sync/atomic"
)

// spanHistory has the M rows of a spanBand for the traceback: all of them as long as they fit, else
// those of two segments of scores, as adaptiveHistory. A segment is computed again from a saved state
// when one of its rows is read.
type spanHistory struct {
	band     *spanBand
	memory   int // the bound, in bytes
	on       bool
	into     *segment // where rows are stored; nil for nowhere
	segments [2]segment
	recent   int // the segment read last
	score    int // of the last row of all
	stop     *atomic.Bool

	states []spanState // those beyond used are storage for later ones
	used   int
	every  int // scores from one to the next
}

// spanState is what later wavefronts of a spanBand are computed from: every row of its rings, by ring
// and age, without nulls beside it.
type spanState struct {
	s, lowest, nextAdjust int
	rows                  []row
	offsets               int
}

// start prepares for a pair, whose wavefront 0 has been computed. on is whether to store anything.
func (k *spanHistory) start(on bool, stop *atomic.Bool) {
	k.stop, k.on, k.into, k.recent, k.used = stop, on, nil, 0, 0
	for i := range k.segments {
		k.segments[i].reset(0)
	}
	if on {
		k.into = &k.segments[0]
		// Segments are not smaller than states.
		k.every = max(k.memory/historyParts/(4*k.band.band.Band), k.stateRows())
	}
}

// stateRows is the number of rows in a state.
func (k *spanHistory) stateRows() int { return len(k.band.rings) * len(k.band.rings[0]) }

// note stores the newest row, which has been computed in the first pass. It keeps the storage to its
// bound and saves states.
func (k *spanHistory) note() {
	if !k.on {
		return
	}
	k.score = k.band.s
	k.store()
	if g := &k.segments[0]; k.into != nil && g.arena.taken > k.memory/4/historyParts*rowsParts {
		k.into = nil
		g.reset(0)
	}
	if k.band.s == (k.used+1)*k.every {
		k.save()
	}
}

// store stores the newest row.
func (k *spanHistory) store() {
	if k.into == nil {
		return
	}
	b := k.band
	r := b.rowAt(waveM, b.s)
	stored := row{lo: r.lo, hi: r.hi}
	if !r.empty() {
		n := r.hi - r.lo + 1
		stored.buf = k.into.arena.take(n)
		copy(stored.buf, r.buf[b.left:][:n])
	}
	k.into.rows = append(k.into.rows, stored)
}

// save saves the state after the newest row. If that is too much, every other state is dropped, unless
// states are smaller than the segments between them, which would grow.
func (k *spanHistory) save() {
	if k.used == len(k.states) {
		k.states = append(k.states, spanState{})
	}
	c := &k.states[k.used]
	k.used++
	c.save(k.band)
	if k.used*c.offsets > max(k.memory/4/historyParts*checksParts, 2*k.every*k.band.band.Band) {
		k.used /= 2
		for i := range k.used {
			k.states[i], k.states[2*i+1] = k.states[2*i+1], k.states[i]
		}
		k.every *= 2
	}
}

func (c *spanState) save(b *spanBand) {
	c.s, c.lowest, c.nextAdjust, c.offsets = b.s, b.lowest, b.nextAdjust, 0
	c.rows = c.rows[:cap(c.rows)]
	at := 0
	for ring := range b.rings {
		for age := range len(b.rings[ring]) {
			if at == len(c.rows) {
				c.rows = append(c.rows, row{})
			}
			to := &c.rows[at]
			at++
			r := b.rowAt(ring, b.s-age)
			to.lo, to.hi, to.buf = r.lo, r.hi, to.buf[:0]
			if !r.empty() {
				to.buf = append(to.buf, r.buf[b.left:][:r.hi-r.lo+1]...)
			}
			c.offsets += len(to.buf)
		}
	}
	c.rows = c.rows[:at]
}

// restore goes back to the state.
func (c *spanState) restore(b *spanBand) {
	b.lowest, b.nextAdjust = c.lowest, c.nextAdjust
	at := 0
	for ring := range b.rings {
		for age := range len(b.rings[ring]) {
			from := &c.rows[at]
			at++
			if b.s = c.s - age; b.s < 0 {
				continue
			}
			if from.empty() {
				b.rings[ring].at(b.s).clear()
				continue
			}
			r := b.reuse(ring, from.lo, from.hi)
			fillNull(r.buf)
			copy(r.buf[b.left:], from.buf)
		}
	}
	b.s = c.s
}

// row returns the M row of score s, which is not negative, or an empty row when stopped.
func (k *spanHistory) row(s int) *row {
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
func (k *spanHistory) again(g *segment, s int) {
	b := k.band
	i := sort.Search(k.used, func(i int) bool { return k.states[i].s >= s })
	end := k.score
	if i < k.used {
		end = k.states[i].s
	}
	k.into = g
	if i == 0 {
		g.reset(0)
		b.again()
		k.store()
	} else {
		g.reset(k.states[i-1].s + 1)
		k.states[i-1].restore(b)
	}
	for b.s < end {
		if b.s == b.nextAdjust {
			b.adjust()
		}
		b.step()
		k.store()
	}
	k.into = nil
}
