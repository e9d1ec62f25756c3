package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// banded aligns by dynamic programming over antidiagonals within a band of
// diagonals. A cell costs a small part of what a wavefront's offset does, so it is
// quicker where the score is a large share of the length.
//
// It is exact. A score that certified allows for the band's width is optimal. Once
// the score of some alignment is known, a cell whose cost plus the cheapest way to
// the end exceeds it can be pruned.
type banded struct {
	bandState
	costs bandCosts
	stop  *atomic.Bool // see Aligner
}

// seedVectors is the width of bands from which on broken seeds are counted.
const seedVectors = 4

// maxBandScore leaves room below bandInf for one more gap of any penalties.
const maxBandScore = bandInf - 1024

// bandTakes reports whether costs within a block, which are relative, fit their type.
func bandTakes(pen Penalties) bool {
	return max(pen.Mismatch, pen.GapOpen, pen.GapExtend) <= MaxPenalty
}

func newBanded(k *bandKernels, pen Penalties) *banded {
	b := &banded{bandState: bandState{kern: k, bandShape: bandShape{
		pen: pen, lanes: k.lanes, width: 2 * k.lanes, registers: len(k.registers),
	}}}
	b.costs.band = &b.bandState
	b.args.mismatch = int16(pen.Mismatch)
	b.args.open = int16(pen.GapOpen)
	b.args.match = int16(-2 * pen.GapExtend)
	return b
}

// margin is by how many vectors a path can leave the vectors in use within a block.
func (b *banded) margin() int { return (blockRows + b.width - 1) / b.width }

// allow prepares a band that covers r diagonals beyond 0 and end on both sides, in
// whole vectors, and returns the r it really covers.
func (b *banded) allow(r int) int {
	b.costs.reset()
	return b.bandState.allow(r)
}

// fixed runs the whole allowed band and returns the end cell's cost. With keep every
// H row is stored for the traceback.
func (b *banded) fixed(keep bool) int {
	b.begin(0, b.vectors-1)
	rows := (b.total + 1) &^ 1
	var h []int16
	if keep {
		h = b.costs.whole(rows)
	}
	if rows > 0 {
		b.advance(0, rows, 0, b.vectors-1, b.even, b.odd, b.ins, b.del, h)
	}
	return b.score()
}

// prepare sets up a band of one vector for rows antidiagonals in one call, with all
// H rows stored, and returns the arguments of that call.
func (b *banded) prepare(rows int) *bandArgs {
	b.allow(b.oneVector(b.end))
	b.begin(0, 0)
	b.arguments(0, rows, 0, 0, b.even, b.odd, b.ins, b.del, b.costs.whole(rows))
	return &b.args
}

// estimate follows the vector of least cost with a few vectors around it and returns
// the score of the alignment it ends with, an upper bound of the optimum, or bandInf
// when it misses the end.
func (b *banded) estimate() int {
	around := b.margin()
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

// pruned runs the allowed band and returns the end cell's cost, which is optimal if
// it is at most bound. At every block it drops the outer vectors that no alignment
// of score bound or less can use. With keep the states are saved for the traceback,
// as often as costs.plan has decided.
func (b *banded) pruned(bound int, keep bool) int {
	around := b.margin()
	v := b.vectorOf(0)
	b.begin(v, v)
	for a := 0; a < b.total; a += blockRows {
		if b.stopped() {
			return bandInf
		}
		lo, hi := b.lo, b.hi
		for lo < hi && b.prunable(lo, a, bound) {
			lo++
		}
		for lo < hi && b.prunable(hi, a, bound) {
			hi--
		}
		b.use(max(0, lo-around), min(b.vectors-1, hi+around))
		if keep && a%b.costs.span == 0 {
			b.costs.save()
		}
		b.advanceUsed(a, min(blockRows, (b.total-a+1)&^1))
	}
	return b.score()
}

// within runs a band for scores of up to bound, with costs for the traceback if keep is set, and
// reports whether there is such a band. Its score is optimal if it is at most bound, else that of
// some alignment or bandInf.
func (b *banded) within(bound int, keep bool, memory int) (s int, ok bool) {
	r := b.reach(bound)
	if bound > maxBandScore || r < 0 {
		return 0, false
	}
	b.allow(r)
	if b.fixedFits(b.vectors) {
		return b.fixed(keep), true
	}
	if b.broken.unit == 0 && b.vectors >= seedVectors {
		b.broken.load(b.pen, b.pattern.letters(), b.text.letters())
	}
	if keep && !b.costs.plan(memory) {
		return 0, false
	}
	return b.pruned(bound, keep), true
}

// around runs the whole band of so many diagonals, a number of vectors of any level, around 0 and
// the end diagonal. Its score is that of the best alignment within the band if it is at most
// maxBandScore. With keep states are saved for the traceback in about memory bytes, or as few as
// possible.
func (b *banded) around(diagonals int, keep bool, memory int) int {
	b.costs.reset()
	b.base, b.vectors = baseAround(b.end, diagonals), diagonals/b.width
	b.room()
	if keep && !b.costs.plan(memory) {
		b.costs.span = maxSpan
	}
	return b.pruned(maxBandScore, keep)
}

// baseAround returns the first of so many diagonals around 0 and end.
func baseAround(end, diagonals int) int { return (end/2 - diagonals/2) &^ 1 }

func (b *banded) stopped() bool { return stopped(b.stop) }

// traceback writes the alignment of the pair, whose optimal score is s, to dst.
func (b *banded) traceback(dst cigar.CIGAR, s int) (cigar.CIGAR, error) {
	t := traceback{pattern: b.pattern, text: b.text, pen: b.pen, score: s}
	if b.costs.isWhole {
		return t.run(dst, &b.costs.all)
	}
	t.blocks = &b.costs
	return t.run(dst, &b.costs)
}
