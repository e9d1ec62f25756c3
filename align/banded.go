package align

import (
	"math"
	"sync/atomic"
)

// banded aligns by dynamic programming over antidiagonals within a band of
// diagonals. A cell costs a small part of what a wavefront's offset does, so
// it wins where the score is a large share of the length.
//
// It is exact. An alignment that leaves a band of diagonals lo..hi costs at
// least the two gaps that lead out and home again, so a score that is no larger
// is optimal; and once some alignment's score bound is known, a cell whose cost
// plus the cheapest way home exceeds it can be dropped.
type banded struct {
	kern  *bandKernels
	pen   Penalties
	args  bandArgs
	width int // diagonals in a vector
	grow  int // vectors by which a path can leave the band during a block

	pattern, text *sequence
	end           int // end diagonal
	total         int // antidiagonals
	padText       sequence
	padReverse    sequence

	// The states of all allowed vectors; vector 0 starts at diagonal base.
	base, vectors       int
	even, odd, ins, del []int16
	lo, hi              int // vectors in use

	history []int16 // H rows of the block that can be traced
	blocks  []bandBlock
	saved   []int16 // states at the start of each block
	span    int     // antidiagonals from one saved block to the next
	loaded  bandWindow
	window  []int16 // states of the loaded window

	stop *atomic.Bool // see Aligner
}

// bandBlock is the state of the band before a run of antidiagonals.
type bandBlock struct {
	lo, hi int // vectors
	at     int // in saved: even, odd, ins, del
}

// bandWindow says which costs the history holds: antidiagonals first+1 ..
// first+rows of one block, in vectors lo..hi. Cells so far from the centre
// that costs outside the window matter are not to be used.
type bandWindow struct {
	block, first, rows int
	lo, hi             int
	centre, exact      int  // exact where |k-centre| <= exact - (a-first)
	whole              bool // one call computed all antidiagonals of the band
}

// blockRows is how many antidiagonals a band is advanced by at a time, a power
// of two. Between, its width is adapted.
const blockRows = 64

// maxSpan bounds the antidiagonals between saved states: a path moves at most
// one diagonal per antidiagonal, so tracing recomputes as many rows of twice as
// many diagonals.
const maxSpan = 16 * blockRows

// maxBandScore leaves room below bandInf for one more gap of any penalties.
const maxBandScore = bandInf - 1024

func newBanded(k *bandKernels, pen Penalties) *banded {
	b := &banded{kern: k, pen: pen, width: 2 * k.lanes}
	b.grow = (blockRows + b.width - 1) / b.width
	b.args.mismatch = int16(pen.Mismatch)
	b.args.open = int16(pen.GapOpen)
	b.args.match = int16(-2 * pen.GapExtend)
	return b
}

// fixedFits reports whether a band of n vectors may be run by fixed. Bands that
// do not fit the registers share the cache with the rows they keep.
func (b *banded) fixedFits(n int) bool {
	return b.fits(b.total, n) && (n <= len(b.kern.held) || b.historyBytes(b.total, n) <= maxHistory/3)
}

// historyBytes is the size of all H rows of a band of n vectors.
func (b *banded) historyBytes(total, n int) int { return 2 * total * n * b.kern.lanes }

// fits reports whether a band of n vectors over total antidiagonals may run in
// one call with all rows kept: costs relative to the first antidiagonal must
// not become too small, and the rows stay in cache.
func (b *banded) fits(total, n int) bool {
	return b.historyBytes(total, n) <= maxHistory && (total+groupLag)*b.pen.GapExtend < bandInf
}

// firstVectors returns the width of the first band for a pair whose expected
// score is guess: enough for a score somewhat higher, as far as registers last.
// Two vectors take no longer than one, but twice the memory.
func (b *banded) firstVectors(guess int) int {
	r := max(0, b.reach(guess+guess/8))
	return min((2*r+abs(b.end)+2)/b.width+1, len(b.kern.held))
}

// load sets the pair.
func (b *banded) load(pattern, text *sequence) {
	b.pattern, b.text = pattern, text
	b.end = text.n - pattern.n
	b.total = text.n + pattern.n
}

// reach returns how many diagonals an alignment of score u can go below
// min(0, end) and above max(0, end), or -1 when it cannot even reach end.
func (b *banded) reach(u int) int {
	direct := b.pen.Gap(abs(b.end))
	if u < direct {
		return -1
	}
	// One of the two gaps is longer by |end| than the other.
	if b.end == 0 {
		return max(0, (u-2*b.pen.GapOpen)/(2*b.pen.GapExtend))
	}
	return max(0, (u-2*b.pen.GapOpen-abs(b.end)*b.pen.GapExtend)/(2*b.pen.GapExtend))
}

// certified returns the largest score of which every optimal alignment lies in
// a band of r diagonals beyond 0 and end on both sides.
func (b *banded) certified(r int) int {
	return b.pen.leave(b.end, r) - 1
}

// allow prepares a band that covers r diagonals beyond 0 and end on both
// sides, in whole vectors, and returns the r it really covers.
func (b *banded) allow(r int) int {
	r = max(r, 0)
	// Lanes hold an even diagonal and the one above it.
	lo, hi := (min(0, b.end)-r)&^1, max(0, b.end)+r
	b.vectors = (hi - lo + b.width) / b.width
	spare := b.vectors*b.width - (hi - lo + 1)
	b.base = lo - spare/2&^1
	// Cells outside the matrix read what lies beside the letters; it does not
	// matter what that is.
	pad := b.vectors*b.kern.lanes + 2*b.kern.lanes + seqPad
	copy(b.padText.resize(b.text.n, pad), b.text.letters())
	reverseInto(b.padReverse.resize(b.pattern.n, pad), b.pattern.letters())

	n := b.vectors * b.kern.lanes
	for _, s := range []*[]int16{&b.even, &b.odd, &b.ins, &b.del} {
		if cap(*s) < n {
			*s = make([]int16, n+n/2)
		}
		*s = (*s)[:n]
	}
	b.blocks, b.saved = b.blocks[:0], b.saved[:0]
	b.loaded = bandWindow{block: -1}
	return min(min(0, b.end)-b.base, b.base+b.vectors*b.width-1-max(0, b.end))
}

// begin sets the state of antidiagonal 0 with vectors lo..hi in use.
func (b *banded) begin(lo, hi int) {
	b.lo, b.hi = lo, hi
	for v := lo; v <= hi; v++ {
		b.clear(v)
	}
	b.even[-b.base/2] = 0
}

// clear makes all of vector v unreached.
func (b *banded) clear(v int) {
	l := b.kern.lanes
	from, to := v*l, (v+1)*l
	for _, s := range [4][]int16{b.even, b.odd, b.ins, b.del} {
		copy(s[from:to], unreached[:])
	}
}

// unreached is one vector of bandInf, of the widest kind.
var unreached = func() (u [32]int16) {
	for i := range u {
		u[i] = bandInf
	}
	return u
}()

// vectorOf returns the vector that holds diagonal k.
func (b *banded) vectorOf(k int) int { return (k - b.base) / b.width }

// lane returns the lane, from the first allowed one, of diagonal k.
func (b *banded) lane(k int) int { return (k - b.base) >> 1 }

// advance computes rows antidiagonals, an even number, from the even
// antidiagonal a on, for vectors lo..hi of states that start at vector lo.
// history, if not nil, receives every H row.
func (b *banded) advance(a, rows, lo, hi int, even, odd, ins, del []int16, history []int16) {
	b.arguments(a, rows, lo, hi, even, odd, ins, del, history)
	b.kern.pick(b.args.vectors, history != nil)(&b.args)
}

// arguments sets b.args for such a call.
func (b *banded) arguments(a, rows, lo, hi int, even, odd, ins, del []int16, history []int16) {
	g := &b.args
	g.even, g.odd, g.ins, g.del = &even[0], &odd[0], &ins[0], &del[0]
	c := a / 2
	first := b.base/2 + lo*b.kern.lanes
	g.text = &b.padText.buf[b.padText.pad+c+first]
	g.reverse = &b.padReverse.buf[b.padReverse.pad+b.pattern.n-c+first]
	g.vectors, g.steps = hi-lo+1, rows/2
	g.add = int16(rows * b.pen.GapExtend)
	g.history, g.stride = nil, 2*g.vectors*b.kern.lanes
	if history != nil {
		g.history = &history[0]
	}
}

// score returns the cost of the end cell after all antidiagonals.
func (b *banded) score() int {
	row, relative := b.even, 0
	if b.total&1 == 1 {
		row, relative = b.odd, b.pen.GapExtend
	}
	if v := b.vectorOf(b.end); v < b.lo || v > b.hi {
		return bandInf
	}
	return int(row[b.lane(b.end)]) - relative
}

// fixed runs the whole allowed band and returns the end cell's cost. With keep
// every H row is stored at once and can be traced.
func (b *banded) fixed(keep bool) int {
	b.begin(0, b.vectors-1)
	rows := (b.total + 1) &^ 1
	var h []int16
	n := b.vectors * b.kern.lanes
	if keep {
		h = b.room(rows * n)
		b.loaded = bandWindow{rows: rows, whole: true}
	}
	if rows > 0 {
		b.advance(0, rows, 0, b.vectors-1, b.even, b.odd, b.ins, b.del, h)
	}
	return b.score()
}

// room returns history storage for n costs.
func (b *banded) room(n int) []int16 {
	if cap(b.history) < n {
		b.history = make([]int16, n+n/4)
	}
	b.history = b.history[:cap(b.history)]
	return b.history
}

// narrow follows the most advanced alignment with a few vectors around it and
// returns the score of the alignment it ends with, an upper bound of the
// optimum, or bandInf when it got lost.
func (b *banded) narrow() int {
	around := b.grow
	v := b.vectorOf(0)
	b.begin(max(0, v-around), min(b.vectors-1, v+around))
	for a := 0; a < b.total; a += blockRows {
		if b.stopped() {
			return bandInf
		}
		rows := min(blockRows, (b.total-a+1)&^1)
		b.advanceUsed(a, rows)
		best, at := math.MaxInt, b.lo
		for v := b.lo; v <= b.hi; v++ {
			if m := int(b.least(v)); m < best {
				best, at = m, v
			}
		}
		if a+rows < b.total {
			b.use(max(0, at-around), min(b.vectors-1, at+around))
		}
	}
	return b.score()
}

// plan chooses how often states are saved so that they fit in about memory
// bytes, and reports whether that is possible.
func (b *banded) plan(memory int) bool {
	// On average half of the allowed band is in use.
	each := 4 * 2 * b.vectors * b.kern.lanes / 2
	for b.span = blockRows; b.span <= maxSpan; b.span *= 2 {
		if (b.total/b.span+1)*each <= memory {
			return true
		}
	}
	return false
}

// pruned runs the allowed band, dropping at every block the outer vectors that
// no alignment of score bound or less can use, and returns the end cell's
// cost, which is optimal if it is at most bound. With keep the states are saved for
// tracing, as often as plan has decided.
func (b *banded) pruned(bound int, keep bool) int {
	v := b.vectorOf(0)
	b.begin(v, v)
	for a := 0; a < b.total; a += blockRows {
		if b.stopped() {
			return bandInf
		}
		lo, hi := b.lo, b.hi
		for lo < hi && b.dead(lo, bound) {
			lo++
		}
		for lo < hi && b.dead(hi, bound) {
			hi--
		}
		b.use(max(0, lo-b.grow), min(b.vectors-1, hi+b.grow))
		if keep && a%b.span == 0 {
			b.save()
		}
		b.advanceUsed(a, min(blockRows, (b.total-a+1)&^1))
	}
	return b.score()
}

func (b *banded) stopped() bool { return b.stop != nil && b.stop.Load() }

// dead reports whether no cell of vector v can be on an alignment of score
// bound or less: even a gap that is open already must run home.
func (b *banded) dead(v, bound int) bool {
	first := b.base + v*b.width
	home := max(0, first-b.end, b.end-(first+b.width-1))
	return int(b.least(v))+home*b.pen.GapExtend > bound
}

// least returns the smallest H of vector v on the last two antidiagonals.
func (b *banded) least(v int) int16 {
	l := b.kern.lanes
	even, odd := b.even[v*l:(v+1)*l], b.odd[v*l:(v+1)*l]
	m, n := int16(bandInf), int16(bandInf)
	for i, h := range even {
		m = min(m, h)
		n = min(n, odd[i])
	}
	return min(m, n-int16(b.pen.GapExtend))
}

// use changes the vectors in use to lo..hi; new ones start unreached.
func (b *banded) use(lo, hi int) {
	for v := lo; v <= hi; v++ {
		if v < b.lo || v > b.hi {
			b.clear(v)
		}
	}
	b.lo, b.hi = lo, hi
}

func (b *banded) advanceUsed(a, rows int) {
	at := b.lo * b.kern.lanes
	b.advance(a, rows, b.lo, b.hi, b.even[at:], b.odd[at:], b.ins[at:], b.del[at:], nil)
}

// save records the states of the vectors in use as a block's start.
func (b *banded) save() {
	l := b.kern.lanes
	b.blocks = append(b.blocks, bandBlock{lo: b.lo, hi: b.hi, at: len(b.saved)})
	from, to := b.lo*l, (b.hi+1)*l
	for _, s := range [4][]int16{b.even, b.odd, b.ins, b.del} {
		b.saved = append(b.saved, s[from:to]...)
	}
}
