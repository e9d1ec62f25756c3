package align

import (
	"sort"
	"sync/atomic"
)

// adaptiveHistory has the M rows of an adaptive band for the traceback: all of them as
// long as they fit, else those of two segments of scores. A segment is recomputed from a
// checkpoint when one of its rows is read. Two, since most steps lead only a few scores
// back.
type adaptiveHistory struct {
	f        *adaptiveWavefronts
	memory   int // the bound, in bytes
	on       bool
	segments [2]segment
	recent   int // the segment read last
	score    int // of the last row of all
	stop     *atomic.Bool

	checks []checkpoint // those beyond used are storage for later ones
	used   int
	every  int // scores from one to the next
}

// segment has the M rows of the scores from first on.
type segment struct {
	first int
	rows  []row
	arena arena
}

func (g *segment) reset(first int) {
	g.first, g.rows = first, g.rows[:0]
	g.arena.reset()
}

// store makes b, which is yet to be filled, the next M row.
func (g *segment) store(b []int32, w, band int) {
	g.rows = append(g.rows, row{lo: w, hi: w + band - 1, buf: b})
}

// checkpoint is the state after the row of score s and the adjustment of the band.
type checkpoint struct {
	s, w, nextAdjust int
	ring             []int32
}

// Of 16 parts of the memory, all rows together may take 11. If they do not fit, those 11
// are room for one of the two segments, of one part each, and checkpoints may take three.
// Where that is too little for the score, both grow as its square root. A part is left for the
// copies of rows between blocks.
const historyParts, rowsParts, checksParts = 16, 11, 3

// start prepares for a pair, whose band has been loaded. on is whether to store anything. stop,
// when not nil, ends the computing of rows.
func (k *adaptiveHistory) start(on bool, stop *atomic.Bool) {
	k.stop = stop
	k.on, k.f.into, k.recent, k.used = on, nil, 0, 0
	for i := range k.segments {
		k.segments[i].reset(0)
	}
	if on {
		k.f.into = &k.segments[0]
		// Segments are not smaller than checkpoints.
		k.every = max(k.memory/historyParts/(4*k.f.rows.width), k.f.ringRows())
	}
}

// trim is called before rows of the first pass are computed, up to score to at most. It keeps the
// storage to its bound, saves checkpoints, and returns the score up to which the next one lets
// rows be computed.
func (k *adaptiveHistory) trim(to int) int {
	if !k.on {
		return to
	}
	f := k.f
	if g := &k.segments[0]; f.into != nil && 4*(g.arena.taken+f.rows.width*(f.ringM()+blockScores)) > k.memory/historyParts*rowsParts {
		f.into = nil
		f.room(blockScores)
		g.reset(0)
	}
	if f.s == (k.used+1)*k.every {
		k.save()
	}
	return min(to, (k.used+1)*k.every)
}

// save saves a checkpoint. If that is too much, every other checkpoint is dropped, unless
// checkpoints are smaller than the segments between them, which would grow.
func (k *adaptiveHistory) save() {
	f := k.f
	width := f.rows.width
	if k.used == len(k.checks) {
		k.checks = append(k.checks, checkpoint{})
	}
	c := &k.checks[k.used]
	k.used++
	c.s, c.w, c.nextAdjust = f.s, f.w, f.nextAdjust
	if need := f.ringRows() * width; cap(c.ring) < need {
		c.ring = make([]int32, 0, need)
	}
	c.ring = c.ring[:0]
	for r := range f.ring {
		c.ring = append(c.ring, r...)
	}
	if k.used*len(c.ring) > max(k.memory/4/historyParts*checksParts, 2*k.every*width) {
		k.used /= 2
		for i := range k.used {
			k.checks[i], k.checks[2*i+1] = k.checks[2*i+1], k.checks[i]
		}
		k.every *= 2
	}
}

// row returns the M row of score s, which is not negative, or an empty row when stopped.
func (k *adaptiveHistory) row(s int) *row {
	for i := range k.segments {
		if g := &k.segments[i]; s >= g.first && s-g.first < len(g.rows) {
			k.recent = i
			return &g.rows[s-g.first]
		}
	}
	if k.stopped() {
		return &emptyRow
	}
	k.recent = 1 - k.recent
	k.recompute(&k.segments[k.recent], s)
	return k.row(s)
}

func (k *adaptiveHistory) stopped() bool { return stopped(k.stop) }

// recompute computes the rows from the last checkpoint before score s to the next one.
func (k *adaptiveHistory) recompute(g *segment, s int) {
	f := k.f
	i := sort.Search(k.used, func(i int) bool { return k.checks[i].s >= s })
	end := k.score
	if i < k.used {
		end = k.checks[i].s
	}
	f.into = g
	if i == 0 {
		g.reset(0)
		f.begin()
	} else {
		g.reset(k.checks[i-1].s + 1)
		k.restore(&k.checks[i-1])
	}
	for f.s < end {
		if f.s == f.nextAdjust {
			f.adjust()
		}
		f.advance(min(end, f.nextAdjust))
	}
	f.into = nil
}

// restore goes back to a checkpoint.
func (k *adaptiveHistory) restore(c *checkpoint) {
	f := k.f
	f.s, f.nextAdjust = c.s, c.nextAdjust
	f.place(c.w)
	clear(f.rows.ahead)
	f.edge = true // cells may be on an edge
	ring := c.ring
	before := f.ringM()
	f.rows.m = f.block(f.s+1-before, before+blockScores)
	for r := range f.ring {
		ring = ring[copy(r, ring):]
	}
}

// arrives looks for the offset that the row holds, for an alignment is at M[s,k] exactly. Offsets
// beyond the end of the diagonal count as that. Rows are as they were computed; outside the band of
// that time they are null.
func (k *adaptiveHistory) arrives(s, diagonal, dk, dh, first, h int) (int, bool) {
	if s < 0 {
		return 0, false
	}
	r := k.row(s)
	from := diagonal + dk
	if from < r.lo || from > r.hi {
		return 0, false
	}
	before := int(r.buf[from-r.lo])
	at := before + dh
	return at, before >= 0 && at >= first && min(at, k.f.last(diagonal)) <= h
}
