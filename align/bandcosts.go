package align

import (
	"math"

	"wfagpu/cigar"
)

// wholeCosts are the costs of a band of which all H rows are stored, from one call.
type wholeCosts struct {
	bandRows
	rows      []int16 // from antidiagonal 1 on; relative to antidiagonal 0
	gapExtend int
}

// at returns H of diagonal k on antidiagonal a, bandInf outside the band.
func (c *wholeCosts) at(a, k int) int {
	if a == 0 && k == 0 {
		return 0
	}
	i := c.index(a, k)
	if i < 0 {
		return bandInf
	}
	return int(c.rows[i]) + a*c.gapExtend
}

// arrives looks for the first offset: on an optimal alignment the cell before a step
// has the cost s and no less.
func (c *wholeCosts) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	a, k, ok := bandCell(k, dk, dh, first)
	return first, ok && s >= 0 && c.at(a, k) == s
}

// bandCosts are the costs of a band's cells for the traceback: all H rows where they
// fit the cache, else the states at regular antidiagonals, from which blocks of rows
// are recomputed, the last one first, just wide enough for any path from the cell at
// which the traceback enters them.
type bandCosts struct {
	band    *bandState
	isWhole bool
	all     wholeCosts
	history []int16 // H rows, of all antidiagonals or of the loaded block
	blocks  []bandBlock
	saved   []int16 // states at the start of each block
	span    int     // antidiagonals from one saved block to the next
	loaded  loadedBlock
	states  []int16 // states of the block while it is recomputed
}

// bandBlock locates the state of the band before a run of antidiagonals.
type bandBlock struct {
	lo, hi int // vectors
	at     int // in saved: even, odd, ins, del
	shift  int // less than the costs the states are
}

// loadedBlock says which costs the history holds: antidiagonals first+1 ..
// first+rows of one block, in vectors lo..hi. A cost counts only where cells outside
// those vectors have no influence on it: see holds.
type loadedBlock struct {
	block, first, rows int
	lo, hi             int
	centre, exact      int // exact where |k-centre| <= exact - (a-first)
}

// maxHistory is how many bytes of costs a band may store at once for the traceback:
// more than that leaves the cache, and recomputing is faster.
const maxHistory = 1 << 20

// maxSpan bounds the antidiagonals between saved states: a path moves at most one
// diagonal per antidiagonal, so the traceback recomputes as many rows of twice as
// many diagonals.
const maxSpan = 16 * blockRows

// The states saved at the start of a block, in their order.
const (
	savedEven = iota
	savedOdd  // of the antidiagonal before
	savedIns
	savedDel
)

// reset drops all costs.
func (c *bandCosts) reset() {
	c.blocks, c.saved = c.blocks[:0], c.saved[:0]
	c.isWhole, c.loaded = false, loadedBlock{block: -1}
}

// whole returns storage for all of the band's H rows.
func (c *bandCosts) whole(rows int) []int16 {
	b := c.band
	lanes := b.vectors * b.lanes
	h := c.room(rows * lanes)
	c.isWhole = true
	c.all = wholeCosts{bandRows: bandRows{b.base, lanes}, rows: h, gapExtend: b.pen.GapExtend}
	return h
}

// room returns history storage for n costs.
func (c *bandCosts) room(n int) []int16 {
	if cap(c.history) < n {
		c.history = make([]int16, n+n/4)
	}
	c.history = c.history[:cap(c.history)]
	return c.history
}

// plan chooses how often states are saved so that they fit in about memory bytes,
// and reports whether that is possible.
func (c *bandCosts) plan(memory int) bool {
	// On average half of the allowed band is in use.
	each := 4 * 2 * c.band.vectors * c.band.lanes / 2
	for c.span = blockRows; c.span <= maxSpan; c.span *= 2 {
		if (c.band.total/c.span+1)*each <= memory {
			return true
		}
	}
	return false
}

// save records the states of the vectors in use as a block's start.
func (c *bandCosts) save() {
	b := c.band
	c.blocks = append(c.blocks, bandBlock{lo: b.lo, hi: b.hi, at: len(c.saved), shift: b.shift})
	from, to := b.lo*b.lanes, (b.hi+1)*b.lanes
	for _, s := range [4][]int16{b.even, b.odd, b.ins, b.del} {
		c.saved = append(c.saved, s[from:to]...)
	}
}

// noCost is above all costs.
const noCost = math.MaxInt32

// savedAt returns one saved state of diagonal k at the start of a block, noCost outside the band.
func (c *bandCosts) savedAt(block, which, k int) int {
	s := &c.blocks[block]
	i := c.band.lane(k) - s.lo*c.band.lanes
	n := (s.hi - s.lo + 1) * c.band.lanes
	if i < 0 || i >= n {
		return noCost
	}
	return int(c.saved[s.at+which*n+i]) + s.shift
}

// at returns H of diagonal k on antidiagonal a, noCost outside the band. It loads the block.
func (c *bandCosts) at(a, k int) int {
	b := c.band
	lane := b.lane(k)
	switch {
	case a == 0 && k == 0:
		return 0
	case a <= 0 || lane < 0 || lane >= b.vectors*b.lanes:
		return noCost
	}
	w := &c.loaded
	// The two antidiagonals before a block are among its saved states.
	if a > w.first || a < w.first-1 {
		if !w.holds(a, k) {
			c.load(a, k)
		}
	}
	if a <= w.first {
		return c.savedAt(w.block, savedEven+w.first-a, k) + (a-w.first)*b.pen.GapExtend
	}
	i := lane - w.lo*b.lanes
	n := (w.hi - w.lo + 1) * b.lanes
	if i < 0 || i >= n {
		return noCost
	}
	row := a - w.first - 1
	return int(c.history[row*n+i]) + (row%blockRows+1)*b.pen.GapExtend + c.blocks[w.block].shift
}

// arrives is as for wholeCosts.
func (c *bandCosts) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	a, k, ok := bandCell(k, dk, dh, first)
	return first, ok && s >= 0 && c.at(a, k) == s
}

// holds reports whether the loaded block has the cost of diagonal k on antidiagonal a.
func (w *loadedBlock) holds(a, k int) bool {
	return a > w.first && a <= w.first+w.rows && abs(k-w.centre) <= w.exact-(a-w.first)
}

// near returns up to which length gaps that end in cell h of diagonal k begin in one
// block, which it loads.
func (c *bandCosts) near(k, h int) int {
	a := 2*h - k
	if !c.loaded.holds(a, k) {
		c.load(a, k)
	}
	return a - c.loaded.first
}

// longGap returns the shortest gap longer than near that ends in cell h of diagonal
// k on an optimal alignment of score s. It looks for an insertion first and then for
// a deletion: the two run apart, so that looking for both at once would load blocks
// again and again. The saved gap states tell which of them is possible.
func (c *bandCosts) longGap(s, k, h, near int) (cigar.Elem, int) {
	pen := &c.band.pen
	if c.loaded.first == 0 {
		return 0, 0
	}
	a, longest := 2*h-k, pen.longest(s)
	block := c.loaded.block
	var ins, del int
	if c.savedAt(block, savedIns, k+near) == s-pen.GapExtend*near {
		ins = c.opening(a, k, near+1, min(longest, h-k), 1, s)
	}
	if c.savedAt(block, savedDel, k-near) == s-pen.GapExtend*near {
		del = c.opening(a, k, near+1, min(longest, h), -1, s)
	}
	switch {
	case ins > 0 && (del == 0 || ins <= del):
		return runIns, ins
	case del > 0:
		return runDel, del
	}
	return 0, 0
}

// opening returns the smallest l in [from, to] at which a gap that runs along
// antidiagonals towards diagonal k + side·l can have been opened, or 0.
func (c *bandCosts) opening(a, k, from, to, side, s int) int {
	for l := from; l <= to; l++ {
		if c.at(a-l, k+side*l) == s-c.band.pen.Gap(l) {
			return l
		}
	}
	return 0
}

// load recomputes the costs of the block that holds antidiagonal a, around diagonal
// k. Vectors that were not in use at the block's start begin at bandInf, as they did
// when they came into use.
func (c *bandCosts) load(a, k int) {
	b, w := c.band, &c.loaded
	w.block = max(0, (a-1)/c.span)
	w.first = w.block * c.span
	w.rows = min(c.span, (b.total-w.first+1)&^1)
	w.centre, w.exact = k, c.span
	w.lo = min(b.vectors-1, b.vectorOf(max(k-c.span, b.base)))
	w.hi = max(w.lo, min(b.vectors-1, b.vectorOf(k+c.span)))
	l := b.lanes
	n := (w.hi - w.lo + 1) * l
	c.states = roomFor(c.states, 4*n)
	var state [4][]int16
	s := &c.blocks[w.block]
	lo, hi := max(w.lo, s.lo), min(w.hi, s.hi)
	for i := range state {
		state[i] = c.states[i*n : (i+1)*n]
		for v := w.lo; v <= w.hi; v++ {
			copy(state[i][(v-w.lo)*l:(v-w.lo+1)*l], infVector[:])
		}
		if lo <= hi {
			from := s.at + i*(s.hi-s.lo+1)*l
			copy(state[i][(lo-w.lo)*l:], c.saved[from+(lo-s.lo)*l:from+(hi-s.lo+1)*l])
		}
	}
	h := c.room(w.rows * n)
	for r := 0; r < w.rows; r += blockRows {
		b.advance(w.first+r, min(blockRows, w.rows-r), w.lo, w.hi, state[0], state[1], state[2], state[3], h[r*n:])
	}
}
