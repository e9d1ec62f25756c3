package align

// bandState advances a band over antidiagonals. It holds the states of the last
// two antidiagonals for the allowed vectors, of which those in lo..hi are in use.
type bandState struct {
	bandShape
	kern *bandKernels
	args bandArgs

	pattern, text *sequence
	padText       sequence
	padReverse    sequence

	states              []int16
	even, odd, ins, del []int16 // of states
	lo, hi              int     // vectors in use
	shift               int     // less than the costs the states are
	broken              brokenSeeds
}

// blockRows is how many antidiagonals a band is advanced by at a time, a power of
// two. Its width is adapted in between.
const blockRows = 64

// load sets the pair.
func (b *bandState) load(pattern, text *sequence) {
	b.pattern, b.text = pattern, text
	b.end = text.n - pattern.n
	b.total = text.n + pattern.n
	b.broken.none()
}

// allow prepares a band that covers r diagonals beyond 0 and end on both sides, in
// whole vectors, and returns the r it really covers.
func (b *bandState) allow(r int) int {
	r = b.cover(r)
	b.room()
	return r
}

// room makes room for the band.
func (b *bandState) room() {
	// Cells outside the matrix read what lies beside the letters; no result
	// depends on it.
	pad := b.vectors*b.lanes + 2*b.lanes + seqPad
	copy(b.padText.resize(b.text.n, pad), b.text.letters())
	reverseInto(b.padReverse.resize(b.pattern.n, pad), b.pattern.letters())

	n := b.vectors * b.lanes
	apart := stateApart(n)
	b.states = roomFor(b.states, 3*apart+n)
	for i, s := range []*[]int16{&b.even, &b.odd, &b.ins, &b.del} {
		*s = b.states[i*apart:][:n:n]
	}
}

// stateApart returns how many states apart rows of n states lie: a quarter of a page of 4096 bytes beyond whole
// pages, and a line, for a load waits for a store that has the same place in another page.
func stateApart(n int) int {
	const page, quarter = 2048, 2048/4 + 32
	return (n-quarter+page-1)/page*page + quarter
}

// begin sets the state of antidiagonal 0 with vectors lo..hi in use.
func (b *bandState) begin(lo, hi int) {
	b.lo, b.hi, b.shift = lo, hi, 0
	for v := lo; v <= hi; v++ {
		b.clear(v)
	}
	b.even[-b.base/2] = 0
}

// clear sets all of vector v to bandInf.
func (b *bandState) clear(v int) {
	from, to := v*b.lanes, (v+1)*b.lanes
	for _, s := range [4][]int16{b.even, b.odd, b.ins, b.del} {
		copy(s[from:to], infVector[:])
	}
}

// use changes the vectors in use to lo..hi; new ones start at bandInf.
func (b *bandState) use(lo, hi int) {
	for v := lo; v <= hi; v++ {
		if v < b.lo || v > b.hi {
			b.clear(v)
		}
	}
	b.lo, b.hi = lo, hi
}

// advance computes rows antidiagonals, an even number, from the even antidiagonal a
// on, for vectors lo..hi of states that start at vector lo. history, if not nil,
// receives every H row.
func (b *bandState) advance(a, rows, lo, hi int, even, odd, ins, del []int16, history []int16) {
	b.arguments(a, rows, lo, hi, even, odd, ins, del, history)
	b.kern.pick(b.args.vectors, history != nil)(&b.args)
}

// arguments sets b.args for such a call.
func (b *bandState) arguments(a, rows, lo, hi int, even, odd, ins, del []int16, history []int16) {
	g := &b.args
	g.even, g.odd, g.ins, g.del = &even[0], &odd[0], &ins[0], &del[0]
	c := a / 2
	first := b.base/2 + lo*b.lanes
	g.text = &b.padText.buf[b.padText.pad+c+first]
	g.reverse = &b.padReverse.buf[b.padReverse.pad+b.pattern.n-c+first]
	g.vectors, g.steps = hi-lo+1, rows/2
	g.add = int16(rows * b.pen.GapExtend)
	g.history, g.stride = nil, 2*g.vectors*b.lanes
	if history != nil {
		g.history = &history[0]
	}
}

// advanceUsed advances the vectors in use.
func (b *bandState) advanceUsed(a, rows int) {
	at := b.lo * b.lanes
	b.advance(a, rows, b.lo, b.hi, b.even[at:], b.odd[at:], b.ins[at:], b.del[at:], nil)
}

// score returns the cost of the end cell after all antidiagonals; reached tells whether there is one.
func (b *bandState) score() int {
	row, relative := b.even, 0
	if b.total&1 == 1 {
		row, relative = b.odd, b.pen.GapExtend
	}
	if v := b.vectorOf(b.end); v < b.lo || v > b.hi {
		return bandInf + b.shift
	}
	return int(row[b.lane(b.end)]) - relative + b.shift
}

// reached reports whether a score of the band is that of an alignment.
func (b *bandState) reached(score int) bool { return score-b.shift <= maxBandScore }

// least returns the smallest H of vector v on the last two antidiagonals.
func (b *bandState) least(v int) int16 {
	l := b.lanes
	even, odd := b.even[v*l:(v+1)*l], b.odd[v*l:(v+1)*l]
	m, n := int16(bandInf), int16(bandInf)
	for i, h := range even {
		m = min(m, h)
		n = min(n, odd[i])
	}
	return min(m, n-int16(b.pen.GapExtend))
}

// prunable reports whether no cell of vector v, on antidiagonal a or the one before, can be on an
// alignment of score bound or less: even an open gap has to be extended to the end diagonal.
func (b *bandState) prunable(v, a, bound int) bool {
	first := b.base + v*b.width
	back := max(0, first-b.end, b.end-(first+b.width-1))
	least := int(b.least(v))
	return least+back*b.pen.GapExtend > bound || b.broken.above(least, back, (a-first)/2+1, bound)
}
