package align

// bandShape is the geometry of a band for one pair: which diagonals it covers, in
// whole vectors, and which scores they certify. It rests on one fact: an alignment
// that leaves the diagonals lo..hi costs at least two gaps, one out and one back.
type bandShape struct {
	pen       Penalties
	lanes     int // 16-bit lanes in a vector
	width     int // diagonals in a vector: two to a lane
	registers int // widest band, in vectors, that stays in registers

	end     int // diagonal of the end cell
	total   int // antidiagonals
	base    int // first diagonal of vector 0
	vectors int // width of the allowed band
}

// reach returns how many diagonals an alignment of score u can go below min(0, end)
// and above max(0, end), or -1 when it cannot even reach end.
func (b *bandShape) reach(u int) int {
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

// certified returns the largest score of which every optimal alignment lies in a
// band of r diagonals beyond 0 and end on both sides.
func (b *bandShape) certified(r int) int { return b.pen.leave(b.end, r) - 1 }

// cover places a band of r diagonals beyond 0 and end on both sides, in whole
// vectors, and returns the r it really covers.
func (b *bandShape) cover(r int) int {
	r = max(r, 0)
	// Lanes hold an even diagonal and the one above it.
	lo, hi := (min(0, b.end)-r)&^1, max(0, b.end)+r
	b.vectors = (hi - lo + b.width) / b.width
	spare := b.vectors*b.width - (hi - lo + 1)
	b.base = lo - spare/2&^1
	return min(min(0, b.end)-b.base, b.base+b.vectors*b.width-1-max(0, b.end))
}

// oneVector returns how many diagonals beyond 0 and end a band of one vector covers
// on both sides.
func (b *bandShape) oneVector(end int) int { return (b.width - abs(end) - 2) / 2 }

// firstVectors returns the width of the first band for a pair whose expected score
// is guess: enough for a score somewhat higher, as far as registers last. Two
// vectors take no longer than one, but twice the memory.
func (b *bandShape) firstVectors(guess int) int {
	r := max(0, b.reach(guess+guess/8))
	return min((2*r+abs(b.end)+2)/b.width+1, b.registers)
}

// historyBytes is the size of all H rows of a band of n vectors.
func (b *bandShape) historyBytes(total, n int) int { return 2 * total * n * b.lanes }

// fits reports whether a band of n vectors over total antidiagonals may run in one
// call with all rows stored: costs relative to the first antidiagonal must not
// become too small, and the rows must stay in cache.
func (b *bandShape) fits(total, n int) bool {
	return b.historyBytes(total, n) <= maxHistory && (total+groupLag)*b.pen.GapExtend < bandInf
}

// fixedFits reports whether a band of n vectors may be run by fixed. Bands that do
// not fit the registers share the cache with the rows they store.
func (b *bandShape) fixedFits(n int) bool {
	return b.fits(b.total, n) && (n <= b.registers || b.historyBytes(b.total, n) <= maxHistory/3)
}

// vectorOf returns the vector that holds diagonal k.
func (b *bandShape) vectorOf(k int) int { return (k - b.base) / b.width }

// lane returns the lane, from the first allowed one, of diagonal k.
func (b *bandShape) lane(k int) int { return (k - b.base) >> 1 }
