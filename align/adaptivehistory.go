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
	segments [2]bandSegment
	recent   int // the segment read last
	score    int // of the last row of all
	stop     *atomic.Bool

	checks []checkpoint // those beyond used are storage for later ones
	used   int
	every  int // scores from one to the next
}

// bandSegment has the M rows of the scores from first up to end, not included.
type bandSegment struct {
	first, end int
	blocks     []segmentBlock
	recent     int // the block read last
	arena      arena
}

// segmentBlock has the M rows of the scores from first on, up to those of the next block, of a band
// that begins at diagonal w.
type segmentBlock struct {
	first, w int
	m        mBlock
}

func (g *bandSegment) reset(first int) {
	g.first, g.end, g.recent = first, first, 0
	g.blocks = g.blocks[:0]
	g.arena.reset()
}

// store makes the rows of m from score end up to s the next ones.
func (g *bandSegment) store(m *mBlock, s, w int) {
	if n := len(g.blocks); n == 0 || &g.blocks[n-1].m.buf[0] != &m.buf[0] {
		g.blocks = append(g.blocks, segmentBlock{g.end, w, *m})
	}
	g.end = s + 1
}

// block returns the block that has the row of score s.
func (g *bandSegment) block(s int) *segmentBlock {
	i := min(g.recent, len(g.blocks)-1)
	for s < g.blocks[i].first {
		i--
	}
	for i+1 < len(g.blocks) && s >= g.blocks[i+1].first {
		i++
	}
	g.recent = i
	return &g.blocks[i]
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

// block returns the block with the M row of score s, which is not negative, or nil when stopped.
func (k *adaptiveHistory) block(s int) *segmentBlock {
	for i := range k.segments {
		if g := &k.segments[i]; s >= g.first && s < g.end {
			k.recent = i
			return g.block(s)
		}
	}
	if k.stopped() {
		return nil
	}
	k.recent = 1 - k.recent
	k.recompute(&k.segments[k.recent], s)
	return k.block(s)
}

func (k *adaptiveHistory) stopped() bool { return stopped(k.stop) }

// recompute computes the rows from the last checkpoint before score s to the next one.
func (k *adaptiveHistory) recompute(g *bandSegment, s int) {
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
	b, from := k.block(s), diagonal+dk
	if b == nil || from < b.w || from >= b.w+k.f.Band {
		return 0, false
	}
	before := int(b.m.buf[(s-b.m.first)*b.m.width+from-b.w])
	at := before + dh
	return at, before >= 0 && at >= first && min(at, k.f.last(diagonal)) <= h
}
