package align

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// planeLanes is the number of lanes of a word.
const planeLanes = 64

// planeBand aligns one pair in a band of planes, as banded does by vectors. It is for plain Go. The
// words in use become fewer as costs show that no alignment of a score bound comes there.
//
// On diagonals that an antidiagonal has not come to, states are those of the gap that leads to the
// diagonal, and do not change. So words come into use when their diagonals do.
type planeBand struct {
	bandShape
	letters planeLetters
	pattern *sequence
	text    *sequence
	words   []planeWord // one more on either side
	lo, hi  int         // in use
	least   int         // the first and the last one that may come into use
	most    int
	cost    int // of the first lane in use on the last even antidiagonal
	differ  []uint64
	rows    planeRows
	trace   planeTrace
	stop    *atomic.Bool
}

func newPlaneBand(pen Penalties) *planeBand {
	return &planeBand{bandShape: bandShape{pen: pen, lanes: planeLanes, width: 2 * planeLanes}}
}

// load sets the pair, of which no sequence is empty.
func (b *planeBand) load(pattern, text *sequence) {
	b.pattern, b.text = pattern, text
	b.end, b.total = text.n-pattern.n, text.n+pattern.n
}

// place sets a band for scores up to bound, around the middle of a word, for there most pairs stay.
func (b *planeBand) place(bound int) bool {
	r := b.reach(bound)
	if r < 0 {
		return false
	}
	b.around(r)
	return true
}

// around sets a band of r diagonals at least beyond 0 and end.
func (b *planeBand) around(r int) {
	lo, hi := min(0, b.end)-r, max(0, b.end)+r
	half := (hi-lo)/2 + 2
	b.vectors = 1 + 2*((max(0, half-planeLanes)+b.width-1)/b.width)
	b.base = ((lo+hi)/2 - b.vectors*planeLanes) &^ 1
}

// within runs a band for scores up to bound and stores steps if keep is set. Its score is the
// optimum if that is at most bound, and else that of some alignment, or math.MaxInt32. It reports false
// for pairs that it cannot take, with other letters or beyond the memory, and if it is stopped.
func (b *planeBand) within(bound int, keep bool, memory int) (int, bool) {
	if !b.place(bound) {
		return 0, false
	}
	return b.run(bound, keep, memory)
}

// oneWord runs a band of one word. Its score is that of the best alignment there.
func (b *planeBand) oneWord(keep bool, memory int) (int, bool) {
	if abs(b.end) > planeLanes {
		return 0, false
	}
	b.around(0)
	return b.run(bandInf, keep, memory)
}

func (b *planeBand) run(bound int, keep bool, memory int) (int, bool) {
	if !b.letters.load(b.pattern, b.text, b.vectors+2) {
		return 0, false
	}
	b.begin()
	for a := 0; a < b.total; a += blockRows {
		if stopped(b.stop) {
			return 0, false
		}
		b.use(a, bound)
		rows := min(blockRows, b.total-a)
		var steps []planeSteps
		n := b.hi - b.lo + 1
		if keep {
			if steps = b.trace.block(b.lo, n, rows); steps == nil || planeBytes*len(b.trace.steps) > memory {
				return 0, false
			}
		}
		b.advance(a, rows, keep, steps)
	}
	return b.score(), true
}

// begin sets the states of antidiagonal 0.
func (b *planeBand) begin() {
	b.words = roomFor(b.words, b.vectors+2)
	for i := range b.words {
		w := &b.words[i]
		w.low, w.high = 0, 0
		w.start(^uint64(0), b.lane(0)-planeLanes*(i-1))
	}
	b.words[1].low, b.words[b.vectors].high = 1, 1<<63
	b.least, b.most = 0, b.vectors-1
	b.lo = b.vectorOf(0)
	b.hi = b.lo
	b.cost = b.beside(b.lo)
	b.trace.begin(b.base, 6)
}

// beside returns the cost of the first lane of a word whose diagonal no antidiagonal has come to.
func (b *planeBand) beside(w int) int { return b.pen.Gap(abs(b.base + w*b.width)) }

// use sets the words in use for a block of antidiagonals after a.
func (b *planeBand) use(a, bound int) {
	for b.lo > b.least && b.base+b.lo*b.width > -a-blockRows-2 {
		b.lo--
		b.cost = b.beside(b.lo)
	}
	for b.hi < b.most && b.base+b.hi*b.width+b.width < a+blockRows+2 {
		b.hi++
	}
	// A cell on the antidiagonal before costs up to o+e less than one beside it, and a path from
	// elsewhere comes in for up to o less.
	bound += 2*b.pen.GapOpen + b.pen.GapExtend
	for b.lo < b.hi && b.useless(b.lo, b.cost, bound) {
		b.cost += b.across(b.lo)
		b.lo++
		b.least = b.lo
		b.words[b.lo+1].low = 1
	}
	cost := b.cost
	for w := b.lo; w < b.hi; w++ {
		cost += b.across(w)
	}
	for b.lo < b.hi && b.useless(b.hi, cost, bound) {
		b.hi--
		b.most = b.hi
		cost -= b.across(b.hi)
		b.words[b.hi+1].high = 1 << 63
	}
}

// useless reports whether no cell of word w, whose first lane has a cost, on an even antidiagonal can
// be on an alignment of score bound or less.
func (b *planeBand) useless(w, cost, bound int) bool {
	s := &b.words[w+1]
	k := b.base + w*b.width - b.end
	for m := range uint(planeLanes) {
		if m > 0 {
			cost += planeValue(&s.v, m)
			k += 2
		}
		if cost+abs(k)*b.pen.GapExtend <= bound {
			return false
		}
		cost -= planeValue(&s.u, m)
	}
	return true
}

// planeValue returns the number of a lane, in two's complement.
func planeValue(p *[4]uint64, lane uint) int {
	return int(p[0]>>lane&1 + p[1]>>lane&1<<1 + p[2]>>lane&1<<2 - p[3]>>lane&1<<3)
}

// planeSum returns the sum of the numbers of some lanes.
func planeSum(p *[4]uint64, lanes uint64) int {
	return bits.OnesCount64(p[0]&lanes) + 2*bits.OnesCount64(p[1]&lanes) +
		4*bits.OnesCount64(p[2]&lanes) - 8*bits.OnesCount64(p[3]&lanes)
}

// across returns the difference between the costs of the first lanes of the word after w and of w.
func (b *planeBand) across(w int) int {
	s, next := &b.words[w+1], &b.words[w+2]
	return planeSum(&s.v, ^uint64(1)) + planeSum(&next.v, 1) - planeSum(&s.u, ^uint64(0))
}

// advance computes rows antidiagonals after antidiagonal a, which is even, and stores their steps if
// keep is set.
func (b *planeBand) advance(a, rows int, keep bool, steps []planeSteps) {
	n := b.hi - b.lo + 1
	b.differ = roomFor(b.differ, (rows+1)*n)
	first := b.base/2 + planeLanes*b.lo
	b.compare(a, rows, n, first)
	if a < max(-2*first, 2*(first+planeLanes*n)) {
		inside(b.differ, a, rows, n, -first)
	}
	b.rows = planeRows{words: b.words[b.lo : b.hi+3], differ: b.differ, keep: keep, steps: steps, cost: b.cost}
	b.rows.run(rows)
	b.cost = b.rows.cost
}

// compare sets which letters of rows antidiagonals after a differ, in n words from lane first, as
// counted from diagonal 0, on.
func (b *planeBand) compare(a, rows, n, first int) {
	l := &b.letters
	for i := range n {
		text, reverse := l.textAt+a/2+first+planeLanes*i, l.reverseAt-a/2+first+planeLanes*i
		p0, p1 := planeWindow(l.reverse[0], reverse), planeWindow(l.reverse[1], reverse)
		for at := i; at < rows*n; at += 2 * n {
			t0, t1 := planeWindow(l.text[0], text), planeWindow(l.text[1], text)
			b.differ[at] = (t0 ^ p0) | (t1 ^ p1)
			reverse--
			p0, p1 = planeWindow(l.reverse[0], reverse), planeWindow(l.reverse[1], reverse)
			b.differ[at+n] = (t0 ^ p0) | (t1 ^ p1)
			text++
		}
	}
}

// inside makes letters equal on diagonals that antidiagonals have not come to, in rows after a. Lane
// centre has diagonal 0.
func inside(differ []uint64, a, rows, n, centre int) {
	for row := range rows {
		// Of odd rows the lanes are one fewer above.
		from, to := centre-(a+row)/2, centre+(a+row+1)/2
		for i := range differ[row*n : (row+1)*n] {
			differ[row*n+i] &= lanesBelow(to-planeLanes*i) &^ lanesBelow(from-planeLanes*i)
		}
	}
}

// lanesBelow returns the lanes of a word below n.
func lanesBelow(n int) uint64 {
	switch {
	case n <= 0:
		return 0
	case n >= planeLanes:
		return ^uint64(0)
	}
	return 1<<n - 1
}

// score returns the cost of the end cell after all antidiagonals.
func (b *planeBand) score() int {
	end := b.vectorOf(b.end)
	if end < b.lo || end > b.hi {
		return math.MaxInt32
	}
	cost := b.cost
	if b.total&1 == 1 {
		cost += planeValue(&b.words[b.lo+1].v, 0) - b.pen.GapExtend
	}
	for w := b.lo; w < end; w++ {
		cost += b.across(w)
	}
	w := &b.words[end+1]
	before := lanesBelow(b.lane(b.end) - planeLanes*end)
	return cost + planeSum(&w.v, (before<<1|1)&^1) - planeSum(&w.u, before)
}
