package align

import "wfagpu/cigar"

// fenced aligns a pair in a band of a few vectors, twice. The first time the band follows the cells of least cost,
// which gives a bound on the score. The second time it follows the same cells, and what alignments beside the band
// cost at least comes back into it as the cost of an alignment (fenceArgs). If the score is the same again no
// alignment costs less, and those that cost as much are in the band, too.
type fenced struct {
	fenceBand
	seeds *fenceSeeds
	path  []fencePlace // at the end of each block of antidiagonals
	first int          // diagonals of the band, the first time
	later int          // and the second time, where nothing asks for more
}

// fencePlace is where the cells of least cost are.
type fencePlace struct {
	k    int // a diagonal near them
	cost int
}

const (
	firstDiagonals  = 128
	fencedDiagonals = 192
	fencedSpare     = 6 // more vectors where alignments beside the band cost little
)

// newFenced returns nil if the level has no routine. The band is shared.
func newFenced(k *kernels, m *Model, band *banded) *fenced {
	if k.fence == nil || band == nil {
		return nil
	}
	f := &fenced{seeds: newFenceSeeds(m), first: firstDiagonals, later: fencedDiagonals}
	f.prepare(k.fence, m, band)
	return f
}

// takes reports whether it may align the pair of the band, whose score is expected to be guess.
func (f *fenced) takes(guess int) bool {
	b := f.band
	r := b.reach(guess)
	return r >= 0 && f.seeds.mayShow(guess, b.pattern.n, diagonals{min(0, b.end) - r, max(0, b.end) + r})
}

// bound returns the score of an alignment of the pair of the band, whose score is expected to be guess, and false
// if it finds none.
func (f *fenced) bound(guess int) (score int, ok bool) {
	b := f.band
	r := b.reach(2*guess + fencedMargin)
	if r < 0 {
		return 0, false
	}
	b.allow(r)
	f.begin(f.first)
	f.path = f.path[:0]
	for a := 0; a < b.total; a += blockRows {
		if b.stopped() {
			return 0, false
		}
		if a > 0 {
			at := f.lowest()
			f.path = append(f.path, fencePlace{f.diagonal(at), f.cost(at)})
			f.lower(f.raw(at), false)
			lo, hi := f.shifted(b.lo, b.hi, at)
			b.use(lo, hi)
		}
		f.advance(a, min(blockRows, (b.total-a+1)&^1), f.kern.open)
	}
	s := b.score()
	return s, b.reached(s)
}

const fencedMargin = 64

// certify reports whether score, which bound has found last, is the optimum. With keep it keeps what the traceback
// needs in about memory bytes.
func (f *fenced) certify(score int, keep bool, memory int) bool {
	b := f.band
	r := b.reach(score)
	window := diagonals{min(0, b.end) - r, max(0, b.end) + r}
	if window.first < b.base || window.last >= b.base+b.vectors*b.width || !f.seeds.mayShow(score, b.pattern.n, window) {
		return false
	}
	f.seeds.load(b.pattern, b.text, window)
	f.begin(f.later)
	f.args.leftIn, f.args.rightIn = pairOf(int16(b.pen.GapOpen-fenceIn)), pairOf(fenceIn)
	f.args.beforeIn = pairOf(int16(f.seeds.unit.in + fenceIn))
	if keep && !f.plan(memory) {
		return false
	}
	for a := 0; a < b.total; a += blockRows {
		if b.stopped() {
			return false
		}
		left, right := true, true
		if a > 0 {
			place := f.path[a/blockRows-1]
			if !f.follow(a, place) {
				return false
			}
			left, right = f.needsSeeds(place)
			f.lower(f.raw(f.lowest()), true)
		}
		if keep && a%b.costs.span == 0 {
			b.costs.save()
		}
		rows := min(blockRows, (b.total-a+1)&^1)
		f.noEvents()
		f.seeds.set(f.events[:rows/2], a, f.edges(), left, right)
		f.advance(a, rows, f.kern.fenced)
	}
	return b.score() == score
}

// plan chooses how often states are saved.
func (f *fenced) plan(memory int) bool {
	b := f.band
	b.costs.reset()
	for span := blockRows; span <= maxSpan; span *= 2 {
		if b.costs.span = span; (b.total/span+1)*4*2*f.given*b.lanes <= memory {
			return true
		}
	}
	return false
}

// traceback writes the alignment of a pair whose score has been certified to dst.
func (f *fenced) traceback(dst cigar.CIGAR, score int) (cigar.CIGAR, error) {
	return f.band.traceback(dst, score)
}
