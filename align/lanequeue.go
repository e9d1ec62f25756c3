package align

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"wfagpu/cigar"
)

// laneQueue has pairs that wait to be aligned in bands, several at a time. Each is aligned near the
// diagonals on which most seeds have their places. What alignments beside the band cost at least, by the
// seeds, shows whether all optimal ones are inside.
type laneQueue struct {
	kern      *lanesKernel
	scoreOnly bool
	model     Model
	steps     laneCosts
	places    *codes // of a text
	waiting   []*laneMember
	free      []*laneMember // in which no pair waits
	order     []*laneMember

	constants     []byte
	pattern, text []byte // by letter and lane
	h, ins        []byte // by row, diagonal and lane; by diagonal and lane
	beside, state []byte // by row and lane; by lane
	memory        int    // bytes of rows
	stride        int    // elements of a row
	width         int    // diagonals
	lane          int    // of the traceback
	first         int    // diagonal of the traceback
	cigar         cigar.CIGAR
}

// laneMember is a pair that waits.
type laneMember struct {
	pattern, text sequence
	seeds         laneSeeds
	chain         laneChain
	band          diagonals // that it is to be aligned on
	first         int       // diagonal of the band of all pairs that are aligned together
	tries         int       // bands that were too narrow
	index         int       // of the pair in its batch
	end           spanCell
	cost          int // of the end, as laneCosts
	beside        int // what alignments that end beside the band cost at least
}

const (
	laneFill  = 8       // times as many pairs wait as there are lanes
	laneCells = 1 << 18 // most cells of a pair
	laneWidth = 512     // most diagonals
	lanePair  = 500.0   // cost in nanoseconds of a pair, and
	laneCell  = 0.04    // of a cell
	laneScore = 230     // the largest cost
	laneAlone = 5000.0  // cost in nanoseconds of a pair that is aligned alone, and
	laneWhole = 0.15    // of a cell of its matrix,
	laneAlong = 0.02    // or of a cell where gates are looked for along a global alignment
	laneRows  = 300     // most rows of the shortest class
	laneTries = 4       // in ever wider bands
)

// newLaneQueue returns nil for models that it does not take.
func newLaneQueue(k *lanesKernel, m *Model, places *codes, scoreOnly bool, memory int) *laneQueue {
	costs, ok := newLaneCosts(m)
	if k == nil || !ok {
		return nil
	}
	q := &laneQueue{kern: k, model: *m, steps: costs, places: places, scoreOnly: scoreOnly, memory: memory}
	members := make([]laneMember, laneFill*k.lanes)
	for i := range members {
		q.free = append(q.free, &members[i])
	}
	q.constants = make([]byte, lanesConstants*k.lanes)
	q.state = make([]byte, lanesStates*k.lanes)
	for i, c := range [lanesConstants]int{
		lanesMismatch: costs.mismatch, lanesInsOpen: costs.insOpen, lanesInsExtend: costs.insExtend,
		lanesDelOpen: costs.delOpen, lanesDelExtend: costs.delExtend,
		lanesLeftIn: costs.delOpen - laneIn, lanesRightIn: laneIn,
	} {
		for l := range k.lanes {
			q.constants[i*k.lanes+l] = byte(c)
		}
	}
	return q
}

// takes reports whether the band of a pair is small enough.
func (q *laneQueue) takes(pattern, width int) bool {
	return pattern <= laneLetters && width <= laneWidth && pattern*width <= laneCells && q.bytes(pattern, width) <= q.memory
}

// estimate returns what a pair costs, in nanoseconds, where all lanes have pairs.
func (q *laneQueue) estimate(pattern, width int) float64 {
	return lanePair + laneCell*float64(pattern)*float64(width)
}

func (q *laneQueue) full() bool { return len(q.free) == 0 }

// add lets a pair wait.
func (q *laneQueue) add(pattern, text *sequence, seeds *laneSeeds, band diagonals) *laneMember {
	last := len(q.free) - 1
	m := q.free[last]
	q.free, q.waiting = q.free[:last], append(q.waiting, m)
	copy(m.pattern.guarded(pattern.n, patternPad), pattern.letters())
	copy(m.text.guarded(text.n, textPad), text.letters())
	m.seeds.copyFrom(seeds)
	m.band, m.tries, m.chain.seeds = band, 0, 0
	return m
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
			return cmp.Or(a.class()-b.class(), a.width()-b.width())
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
			if n < q.kern.lanes && q.alone(some) {
				for _, m := range some {
					do(m, spanResult{}, false)
					q.free = append(q.free, m)
				}
				continue
			}
			q.run(some)
			for l, m := range some {
				q.lane, q.first = l, m.first
				r, ok := q.result(dst, m)
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
	return each < laneCell*float64(q.kern.lanes)*float64(rows)*float64(width)
}

// drop lets no pair wait any longer.
func (q *laneQueue) drop() {
	q.free = append(q.free, q.waiting...)
	q.waiting = q.waiting[:0]
}

// class is for pairs of about as many rows: those of a class are aligned together.
func (m *laneMember) class() int { return bits.Len(uint(m.pattern.n / laneRows)) }

// together returns how many of the first pairs are aligned together: as many as there are lanes, unless
// another class follows or the rows exceed the memory. full is false where more of the class could be.
func (q *laneQueue) together(members []*laneMember) (n int, full bool) {
	rows, width := 0, 0
	for i, m := range members[:min(len(members), q.kern.lanes)] {
		rows, width = max(rows, m.pattern.n), max(width, m.width())
		if i > 0 && m.class() != members[0].class() {
			return i, false
		}
		if i > 0 && q.bytes(rows, width) > q.memory {
			return i, true
		}
	}
	return min(len(members), q.kern.lanes), len(members) >= q.kern.lanes
}

// bytes returns the size of the rows of pairs.
func (q *laneQueue) bytes(rows, width int) int { return (rows + 1) * (width + 1) * q.kern.lanes }

// run computes the bands of pairs in the order of their rows, and their ends.
func (q *laneQueue) run(members []*laneMember) {
	q.load(members)
	lanes := q.kern.lanes
	a := lanesArgs{
		ins: unsafe.Pointer(&q.ins[0]), width: q.width, stride: q.stride,
		costs: unsafe.Pointer(&q.constants[0]), state: unsafe.Pointer(&q.state[0]),
	}
	done := 0
	for l, m := range members {
		if n := m.pattern.n; n > done {
			a.pattern, a.text = &q.pattern[done*lanes], &q.text[done*lanes]
			a.h, a.rows = unsafe.Pointer(&q.h[done*q.stride]), n-done
			a.beside = unsafe.Pointer(&q.beside[done*lanesBeside*lanes])
			q.kern.run(&a)
			done = n
		}
		q.findEnd(m, l)
	}
}

// findEnd finds the best end of a pair whose last row has been computed.
func (q *laneQueue) findEnd(m *laneMember, lane int) {
	n, letters, free, lanes := m.pattern.n, m.text.n, q.model.Free.TextEnd, q.kern.lanes
	row := q.h[n*q.stride+lane:]
	m.cost, m.end = lanesMost, noEnd
	for d := max(0, letters-free-n-m.first); d < min(q.width, letters-n-m.first+1); d++ {
		if c := int(row[d*lanes]) - laneBegin; c < m.cost {
			j := n + m.first + d
			m.cost, m.end = c, spanCell{n, j, c + q.model.FreeLetter*(letters-n)}
		}
	}
	side := func(from int) (least int) {
		least = lanesMost
		for i := from; i < from+lanesStates/2; i++ {
			least = min(least, int(q.state[i*lanes+lane]))
		}
		return least - laneBegin
	}
	m.beside = side(lanesBeforeLeft)
	if m.first+q.width <= letters-n { // no alignment ends on diagonals behind the last one
		m.beside = min(m.beside, side(lanesBeforeRight))
	}
}

// result makes the result of a pair, and reports whether no alignment that costs as much leaves its band.
func (q *laneQueue) result(dst func(m *laneMember) cigar.CIGAR, m *laneMember) (r spanResult, ok bool) {
	if m.cost > laneScore || m.beside <= m.cost {
		return r, false
	}
	t := spanTraceback{model: &q.model, pattern: &m.pattern, text: &m.text, cells: q}
	if !q.scoreOnly {
		// Alignments that leave the band are known to cost more than cells say that they lead to: the
		// traceback to such a cell does not come to where an alignment begins.
		r, ok, _ = t.result(dst(m), m.end, nil)
		return r, ok
	}
	s, ok, _ := t.result(q.cigar, m.end, nil)
	q.cigar = s.cigar
	return spanResult{cost: m.end.cost, cigar: dst(m)}, ok
}

// costs reports whether cell (i,j) of the pair of the traceback costs c, as costCells.
func (q *laneQueue) costs(i, j, c int) bool {
	d := j - i - q.first
	return d >= 0 && d < q.width && int(q.h[i*q.stride+d*q.kern.lanes+q.lane]) == laneBegin+c-q.model.FreeLetter*(j-i)
}
