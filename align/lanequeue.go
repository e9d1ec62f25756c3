package align

import (
	"cmp"
	"math/bits"
	"slices"

	"wfagpu/cigar"
)

// laneQueue has pairs that wait to be aligned in bands, several at a time. Each is aligned near the
// diagonals on which most seeds have their places. What alignments beside the band cost at least, by the
// seeds, shows whether all optimal ones are inside.
type laneQueue struct {
	kern    *lanesKernel
	model   Model
	steps   laneCosts
	places  *codes // of a text
	waiting []*laneMember
	free    []*laneMember // in which no pair waits, nil before the first pair
	order   []*laneMember
	bands   [2]laneAligner // by laneSize
	memory  int            // bytes of the rows of lanes of one size
}

// laneSize tells lanes of a byte from those of two.
type laneSize int

const (
	laneBytes laneSize = iota
	laneWords
)

// laneScores are the largest costs, of lanes of either size, and laneCellCosts what a cell costs in nanoseconds.
var (
	laneScores    = [2]int{230, 20000}
	laneCellCosts = [2]float64{0.04, 0.08}
)

// laneAligner aligns pairs in lanes of one size.
type laneAligner interface {
	// count returns the number of lanes.
	count() int
	// run computes the bands of pairs in the order of their rows, and their ends.
	run(members []*laneMember)
	// result makes the result of a pair of the last run, and reports whether no alignment that costs as much
	// leaves its band.
	result(dst func(m *laneMember) cigar.CIGAR, m *laneMember) (r spanResult, ok bool)
}

// laneMember is a pair that waits.
type laneMember struct {
	pattern, text sequence
	seeds         laneSeeds
	chain         laneChain
	band          diagonals // that it is to be aligned on
	size          laneSize
	known         bool // seeds were likely to show that others cost more
	onAll         bool // the band has all diagonals between begins and ends
	lane          int
	first         int // diagonal of the band of all pairs that are aligned together
	tries         int // bands that were too narrow
	index         int // of the pair in its batch
	end           spanCell
	cost          int     // of the end, as laneCosts
	beside        int     // what alignments that end beside the band cost at least
	whole         float64 // nanoseconds of its whole matrix
}

const (
	laneLetters = 4096    // the most letters of a pattern: rows of more leave the cache
	laneFill    = 8       // times as many pairs wait as there are lanes
	laneCells   = 1 << 21 // most cells of a pair
	laneWidth   = 512     // most diagonals
	lanePair    = 500.0   // cost in nanoseconds of a pair besides its cells
	laneAlone   = 5000.0  // cost in nanoseconds of a pair that is aligned alone, and
	laneWhole   = 0.15    // of a cell of its matrix,
	laneAlong   = 0.02    // or of a cell where gates are looked for along a global alignment
	laneRows    = 300     // most rows of the shortest class
	laneTries   = 4       // in ever wider bands
)

// newLaneQueue returns nil for models that it does not take.
func newLaneQueue(k *lanesKernel, m *Model, places *codes, scoreOnly bool, memory int) *laneQueue {
	costs, ok := newLaneCosts(m)
	if k == nil || !ok {
		return nil
	}
	q := &laneQueue{kern: k, model: *m, steps: costs, places: places, memory: memory / 4 * 3}
	q.bands = [2]laneAligner{newLaneBytes(k, &q.model, &q.steps, scoreOnly), newLaneWords(k, &q.model, &q.steps, scoreOnly)}
	return q
}

// takes reports whether the band of a pair is small enough for lanes of a size, and costs less than whole
// nanoseconds.
func (q *laneQueue) takes(size laneSize, pattern, width int, whole float64) bool {
	return pattern <= laneLetters && width <= laneWidth && pattern*width <= laneCells && q.bytes(size, pattern, width) <= q.memory &&
		q.estimate(size, pattern, width) <= whole
}

// sizeOf returns the size of the lanes for pairs of a cost, false if it is too large for any.
func (q *laneQueue) sizeOf(cost int) (laneSize, bool) {
	if cost <= laneScores[laneBytes] {
		return laneBytes, true
	}
	return laneWords, cost <= laneScores[laneWords]
}

// estimate returns what a pair costs, in nanoseconds, where all lanes have pairs.
func (q *laneQueue) estimate(size laneSize, pattern, width int) float64 {
	return lanePair + laneCellCosts[size]*float64(pattern)*float64(width)
}

func (q *laneQueue) full() bool { return q.free != nil && len(q.free) == 0 }

// add lets a pair wait for lanes of a size. Its whole matrix takes so many nanoseconds.
func (q *laneQueue) add(size laneSize, pattern, text *sequence, seeds *laneSeeds, band diagonals, whole float64) *laneMember {
	if q.free == nil {
		members := make([]laneMember, laneFill*q.kern.bytes.lanes)
		for i := range members {
			q.free = append(q.free, &members[i])
		}
	}
	last := len(q.free) - 1
	m := q.free[last]
	q.free, q.waiting = q.free[:last], append(q.waiting, m)
	copy(m.pattern.guarded(pattern.n, patternPad), pattern.letters())
	copy(m.text.guarded(text.n, textPad), text.letters())
	m.seeds.copyFrom(seeds)
	m.band, m.size, m.whole, m.tries, m.chain.seeds = band, size, whole, 0, 0
	m.known, m.onAll = false, false
	return m
}

// note sets the index of the pair that was added last.
func (q *laneQueue) note(index int) { q.waiting[len(q.waiting)-1].index = index }

// remove lets the pair that was added last not wait.
func (q *laneQueue) remove(m *laneMember) {
	q.waiting = q.waiting[:len(q.waiting)-1]
	q.free = append(q.free, m)
}

func (m *laneMember) width() int { return m.band.count() }

// each aligns the pairs that wait, all or as many as fill vectors, and calls do for each with its result;
// ok is false where optimal alignments may leave the widest band that it tries. Pairs that take a wider
// band wait again.
func (q *laneQueue) each(all bool, dst func(m *laneMember) cigar.CIGAR, do func(m *laneMember, r spanResult, ok bool)) {
	for all && len(q.waiting) > 0 || q.full() {
		members := append(q.order[:0], q.waiting...)
		q.order, q.waiting = members, q.waiting[:0]
		slices.SortFunc(members, func(a, b *laneMember) int {
			return cmp.Or(int(a.size-b.size), a.class()-b.class(), a.width()-b.width())
		})
		for len(members) > 0 {
			n, full := q.together(members)
			some := members[:n]
			members = members[n:]
			if !full && !all {
				q.waiting = append(q.waiting, some...)
				continue
			}
			slices.SortFunc(some, func(a, b *laneMember) int { return a.pattern.n - b.pattern.n })
			bands := q.bands[some[0].size]
			if n < bands.count() && q.alone(some) {
				for _, m := range some {
					do(m, spanResult{}, false)
					q.free = append(q.free, m)
				}
				continue
			}
			bands.run(some)
			for _, m := range some {
				r, ok := bands.result(dst, m)
				if m.tries++; !ok && m.tries < laneTries && q.widen(m) {
					q.waiting = append(q.waiting, m)
					continue
				}
				do(m, r, ok)
				q.free = append(q.free, m)
			}
		}
	}
}

// alone reports whether pairs, of which there are fewer than lanes, cost less each alone.
func (q *laneQueue) alone(members []*laneMember) bool {
	rows, width, each := 0, 0, 0.0
	for _, m := range members {
		rows, width = max(rows, m.pattern.n), max(width, m.width())
		cell := laneWhole
		if m.pattern.n > nearLetters {
			cell = laneAlong
		}
		each += laneAlone + cell*float64(m.pattern.n)*float64(m.text.n)
	}
	size := members[0].size
	return each < laneCellCosts[size]*float64(q.bands[size].count())*float64(rows)*float64(width)
}

// drop lets no pair wait any longer.
func (q *laneQueue) drop() {
	q.free = append(q.free, q.waiting...)
	q.waiting = q.waiting[:0]
}

// class is for pairs of about as many rows: those of a class are aligned together.
func (m *laneMember) class() int { return bits.Len(uint(m.pattern.n / laneRows)) }

// together returns how many of the first pairs are aligned together: as many as there are lanes, unless
// another class or size follows or the rows exceed the memory. full is false where more of the class could be.
func (q *laneQueue) together(members []*laneMember) (n int, full bool) {
	rows, width, first := 0, 0, members[0]
	lanes := q.bands[first.size].count()
	for i, m := range members[:min(len(members), lanes)] {
		rows, width = max(rows, m.pattern.n), max(width, m.width())
		if i > 0 && (m.size != first.size || m.class() != first.class()) {
			return i, false
		}
		if i > 0 && q.bytes(first.size, rows, width) > q.memory {
			return i, true
		}
	}
	return min(len(members), lanes), len(members) >= lanes
}

// bytes returns the size of the rows of pairs.
func (q *laneQueue) bytes(size laneSize, rows, width int) int {
	return (rows + 1) * (width + 1) * q.bands[size].count()
}
