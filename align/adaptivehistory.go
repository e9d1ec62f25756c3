package align

import (
	"slices"
	"sync/atomic"
)

// adaptiveHistory has the M rows of an adaptive band for the traceback.
type adaptiveHistory struct {
	rowHistory
	f        *adaptiveWavefronts
	segments [2]bandSegment
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

// start prepares for a pair, whose band has been loaded. on is whether to store anything. stop,
// when not nil, ends the computing of rows.
func (k *adaptiveHistory) start(on bool, stop *atomic.Bool) {
	f := k.f
	f.into = nil // the rows of an earlier pair are no longer needed
	// Segments are not smaller than checkpoints. A block of rows begins with copies, which a part is left for
	// unless they are more than the rows from one move of the band to the next.
	row := 4 * f.rows.width * (1 + f.ringM()/f.Lambda)
	k.prepare(k, on, max(k.memory/historyParts/row, f.ringRows()), f.ringRows(), stop)
}

// trim is called before rows of the first pass are computed, up to score to at most. It returns the
// score up to which the next checkpoint lets rows be computed.
func (k *adaptiveHistory) trim(to int) int {
	if !k.on {
		return to
	}
	f := k.f
	k.note(f.s, k.segments[0].arena.taken+f.rows.width*(f.ringM()+blockScores))
	return min(to, k.nextCheck())
}

// block returns the block with the M row of score s, which is not negative, or nil when stopped.
func (k *adaptiveHistory) block(s int) *segmentBlock {
	i := k.segment(s)
	if i == noSegment {
		return nil
	}
	return k.segments[i].block(s)
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

// The methods of historyRows.

func (k *adaptiveHistory) begin() { k.f.begin() }

func (k *adaptiveHistory) advance(to int) {
	f := k.f
	for f.s < to {
		if f.s == f.nextAdjust {
			f.adjust()
		}
		f.advance(min(to, f.nextAdjust))
	}
}

// save saves the ring after the adjustment of the band.
func (k *adaptiveHistory) save(c *checkpoint) {
	f := k.f
	c.s, c.place = f.s, wavePlace{lowest: f.w, nextAdjust: f.nextAdjust}
	c.offsets = slices.Grow(c.offsets, f.ringRows()*f.rows.width)
	for r := range f.ring {
		c.offsets = append(c.offsets, r...)
	}
}

func (k *adaptiveHistory) restore(c *checkpoint) {
	f := k.f
	f.s, f.nextAdjust = c.s, c.place.nextAdjust
	f.place(c.place.lowest)
	clear(f.rows.ahead)
	f.edge = true // cells may be on an edge
	ring := c.offsets
	before := f.ringM()
	f.rows.m = f.block(f.s+1-before, before+blockScores)
	for r := range f.ring {
		ring = ring[copy(r, ring):]
	}
}

func (k *adaptiveHistory) empty(segment, first int) { k.segments[segment].reset(first) }

// storeIn makes rows go to a segment. If they go nowhere, the ring leaves the segment.
func (k *adaptiveHistory) storeIn(segment int) {
	f := k.f
	stored := f.into != nil
	f.into = nil
	if segment != noSegment {
		f.into = &k.segments[segment]
	} else if stored {
		f.room(blockScores)
	}
}
