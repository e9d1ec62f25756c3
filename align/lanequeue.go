package align

import (
	"cmp"
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
	waiting   []laneMember
	used      int
	order     []*laneMember
	again     []*laneMember // that take a wider band

	constants     []byte
	pattern, text []byte // by letter and lane
	h, ins        []byte // by row, diagonal and lane; by diagonal and lane
	beside, state []byte // by row and lane; by lane
	most          int    // diagonals of a band
	stride        int    // elements of a row
	width         int    // diagonals
	lane          int    // of the traceback
	first         int    // diagonal of the traceback
	cigar         cigar.CIGAR
	waited, lost  int // pairs, and those of them that other methods align
}

// laneMember is a pair that waits.
type laneMember struct {
	pattern, text sequence
	seeds         laneSeeds
	band          diagonals // that it is to be aligned on
	first         int       // diagonal of the band of all pairs that are aligned together
	index         int       // of the pair in its batch
	end           spanCell
	cost          int // of the end, as laneCosts
	beside        int // what alignments that end beside the band cost at least
}

const (
	laneFill  = 4       // times as many pairs wait as there are lanes
	laneCells = 1 << 17 // most cells of a pair
	laneWidth = 512     // most diagonals, where the memory has room for as many
	lanePair  = 500.0   // cost in nanoseconds of a pair, and
	laneCell  = 0.04    // of a cell
	laneScore = 230     // the largest cost
	laneTries = 3       // in ever wider bands
)

// newLaneQueue returns nil for models that it does not take.
func newLaneQueue(k *lanesKernel, m *Model, scoreOnly bool, memory int) *laneQueue {
	costs, ok := newLaneCosts(m)
	if k == nil || !ok {
		return nil
	}
	q := &laneQueue{kern: k, model: *m, steps: costs, scoreOnly: scoreOnly, most: min(laneWidth, memory/(k.lanes*laneLetters)-1)}
	q.waiting = make([]laneMember, laneFill*k.lanes)
	q.constants = make([]byte, lanesConstants*k.lanes)
	q.state = make([]byte, lanesStates*k.lanes)
	for i, c := range [lanesConstants]int{
		lanesMismatch: costs.mismatch, lanesInsOpen: costs.insOpen, lanesInsExtend: costs.insExtend,
		lanesDelOpen: costs.delOpen, lanesDelExtend: costs.delExtend,
	} {
		for l := range k.lanes {
			q.constants[i*k.lanes+l] = byte(c)
		}
	}
	return q
}

// takes reports whether the band of a pair is small enough.
func (q *laneQueue) takes(pattern, width int) bool {
	return pattern <= laneLetters && width <= q.most && pattern*width <= laneCells
}

// estimate returns what a pair costs, in nanoseconds, where all lanes have pairs.
func (q *laneQueue) estimate(pattern, width int) float64 {
	return lanePair + laneCell*float64(pattern)*float64(width)
}

func (q *laneQueue) full() bool { return q.used == len(q.waiting) }

// add lets a pair wait.
func (q *laneQueue) add(pattern, text *sequence, seeds *laneSeeds, band diagonals) {
	m := &q.waiting[q.used]
	q.used++
	copy(m.pattern.guarded(pattern.n, patternPad), pattern.letters())
	copy(m.text.guarded(text.n, textPad), text.letters())
	m.seeds.copyFrom(seeds)
	m.band = band
}

func (m *laneMember) width() int { return m.band.count() }

// each aligns all pairs that wait and calls do for each with its result; ok is false where optimal
// alignments may leave the widest band that it tries.
func (q *laneQueue) each(dst func(m *laneMember) cigar.CIGAR, do func(m *laneMember, r spanResult, ok bool)) {
	q.order = q.order[:0]
	for i := range q.used {
		q.order = append(q.order, &q.waiting[i])
	}
	q.waited += q.used
	q.used = 0
	for try := 1; len(q.order) > 0; try++ {
		q.again = q.again[:0]
		q.compute(q.order, func(m *laneMember) {
			r, ok := q.result(dst, m)
			if !ok && try < laneTries && q.widen(m) {
				q.again = append(q.again, m)
				return
			}
			if !ok {
				q.lost++
			}
			do(m, r, ok)
		})
		q.order, q.again = q.again, q.order
	}
}

// compute computes the bands of pairs and calls do for each.
func (q *laneQueue) compute(members []*laneMember, do func(m *laneMember)) {
	slices.SortFunc(members, func(a, b *laneMember) int { return cmp.Compare(a.width(), b.width()) })
	for some := range slices.Chunk(members, q.kern.lanes) {
		slices.SortFunc(some, func(a, b *laneMember) int { return a.pattern.n - b.pattern.n })
		q.run(some)
		for l, m := range some {
			q.lane, q.first = l, m.first
			do(m)
		}
	}
}

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
		if c := int(row[d*lanes]); c < m.cost {
			j := n + m.first + d
			m.cost, m.end = c, spanCell{n, j, c + q.model.FreeLetter*(letters-n)}
		}
	}
	// No alignment ends on diagonals behind the last one.
	m.beside = min(int(q.state[lanesBeforeLeft*lanes+lane]), int(q.state[lanesInSeedLeft*lanes+lane]))
	if m.first+q.width <= letters-n {
		m.beside = min(m.beside, int(q.state[lanesBeforeRight*lanes+lane]), int(q.state[lanesInSeedRight*lanes+lane]))
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
	return d >= 0 && d < q.width && int(q.h[i*q.stride+d*q.kern.lanes+q.lane]) == c-q.model.FreeLetter*(j-i)
}
