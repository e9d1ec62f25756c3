package align

import (
	"math"
	"slices"
	"unsafe"

	"wfagpu/cigar"
)

// laneQueue has pairs that wait to be aligned in bands, several at a time, each on the diagonals of
// its window.
type laneQueue struct {
	kern      *lanesKernel
	scoreOnly bool
	model     Model
	waiting   []laneMember
	used      int
	order     []*laneMember // whose windows have all alignments of a cost
	likely    []*laneMember // whose windows are likely to have an optimal one

	constants     []uint16
	pattern, text []byte        // by letter and lane
	h, ins        []uint16      // by row, diagonal and lane; by diagonal and lane
	keep          bool          // all rows
	most          int           // diagonals of a band
	stride        int           // elements of a row, 0 where there is only the last one
	width         int           // diagonals
	lane          int           // of the traceback
	first         int           // diagonal of the traceback
	again         []*laneMember // whose windows are those of the cost of an alignment
}

// laneMember is a pair that waits.
type laneMember struct {
	pattern, text sequence
	window        pairWindow
	places        windowPlaces
	index         int // of the pair in its batch
	end           spanCell
}

const (
	laneFill  = 4       // times as many pairs wait as there are lanes
	laneCells = 1 << 17 // most cells of a pair
	laneWidth = 512     // most diagonals, where the memory has room for as many
	lanePair  = 500.0   // cost in nanoseconds of a pair, and
	laneCell  = 0.12    // of a cell, twice
)

// newLaneQueue returns nil for models that it does not take.
func newLaneQueue(k *lanesKernel, m *Model, scoreOnly bool, memory int) *laneQueue {
	if k == nil || m.Long != (Gap{}) {
		return nil
	}
	q := &laneQueue{kern: k, model: *m, scoreOnly: scoreOnly, most: min(laneWidth, memory/(2*k.lanes*laneLetters)-1)}
	q.waiting = make([]laneMember, laneFill*k.lanes)
	q.constants = make([]uint16, lanesConstants*k.lanes)
	for c, v := range [lanesConstants]int{
		lanesMismatch: m.Mismatch, lanesOpen: m.Gap.Open + m.Gap.Extend, lanesExtend: m.Gap.Extend, lanesNull: lanesMost,
	} {
		for l := range k.lanes {
			q.constants[c*k.lanes+l] = uint16(v)
		}
	}
	return q
}

// takes reports whether the band of a pair is small enough.
func (q *laneQueue) takes(pattern int, p *pairWindow) bool {
	width := p.last - p.first + 1
	letters := q.model.FreeLetter * (p.hi + width)
	return pattern <= laneLetters && width <= q.most && pattern*width <= laneCells && p.bound+letters < lanesMost/2
}

// estimate returns what a pair costs, in nanoseconds, where all lanes have pairs.
func (q *laneQueue) estimate(pattern int, p *pairWindow) float64 {
	return lanePair + laneCell*float64(pattern)*float64(p.last-p.first+1)
}

func (q *laneQueue) full() bool { return q.used == len(q.waiting) }

// add lets a pair wait.
func (q *laneQueue) add(pattern, text *sequence, p *pairWindow, places *windowPlaces) {
	m := &q.waiting[q.used]
	q.used++
	copy(m.pattern.guarded(pattern.n, patternPad), pattern.letters())
	copy(m.text.guarded(text.n, textPad), text.letters())
	m.window = *p
	d := append(m.places.diagonals[:0], places.diagonals...)
	m.places = *places
	m.places.diagonals = d
}

func (m *laneMember) width() int { return m.window.width() }

// each aligns all pairs that wait and calls do for each with its result; ok is false where its window
// may not have all optimal alignments. What a pair costs in the window that it waits with is a
// bound: it shows the window that has all optimal alignments, by again, which is narrower or wider.
func (q *laneQueue) each(again func(m *laneMember, cost int) (pairWindow, bool), dst func(m *laneMember) cigar.CIGAR, do func(m *laneMember, r spanResult, ok bool, err error)) {
	q.likely, q.order = q.likely[:0], q.order[:0]
	for i := range q.used {
		if m := &q.waiting[i]; m.window.bound < 0 {
			q.likely = append(q.likely, m)
		} else {
			q.order = append(q.order, m)
		}
	}
	q.used = 0
	q.again = q.again[:0]
	finish := func(m *laneMember) {
		r, err := q.result(dst(m), m)
		do(m, r, err == nil, err)
	}
	look := func(m *laneMember) {
		if m.end.found() {
			c := q.cost(m)
			if c <= m.window.bound {
				finish(m)
				return
			}
			p, ok := again(m, c)
			if ok && (q.keep || q.scoreOnly) && p.first >= m.window.first && p.last <= m.window.last {
				finish(m)
				return
			}
			if ok && q.takes(m.pattern.n, &p) {
				m.window = p
				q.again = append(q.again, m)
				return
			}
		}
		do(m, spanResult{}, false, nil)
	}
	q.compute(q.order, !q.scoreOnly, look)
	q.compute(q.likely, false, look)
	q.compute(q.again, !q.scoreOnly, finish)
}

// compute computes the bands of pairs and calls do for each. With keep it stores all rows.
func (q *laneQueue) compute(members []*laneMember, keep bool, do func(m *laneMember)) {
	q.keep = keep
	slices.SortFunc(members, func(a, b *laneMember) int { return a.width() - b.width() })
	for some := range slices.Chunk(members, q.kern.lanes) {
		slices.SortFunc(some, func(a, b *laneMember) int { return a.pattern.n - b.pattern.n })
		q.run(some)
		for l, m := range some {
			q.lane, q.first = l, m.window.first
			do(m)
		}
	}
}

// cost returns what a pair costs in its band, FreeLetter as isInside says: more than anything if the
// band has no end.
func (q *laneQueue) cost(m *laneMember) int {
	if !m.end.found() {
		return math.MaxInt
	}
	return m.end.cost - q.model.FreeLetter*(m.text.n-m.pattern.n)
}

// run computes the bands of pairs in the order of their rows, and their ends.
func (q *laneQueue) run(members []*laneMember) {
	q.load(members)
	lanes := q.kern.lanes
	a := lanesArgs{
		ins: unsafe.Pointer(&q.ins[0]), width: q.width, stride: 2 * q.stride, costs: unsafe.Pointer(&q.constants[0]),
	}
	done := 0
	for l, m := range members {
		if n := m.pattern.n; n > done {
			a.pattern, a.text = &q.pattern[done*lanes], &q.text[done*lanes]
			a.h, a.rows = unsafe.Pointer(&q.h[done*q.stride]), n-done
			q.kern.run(&a)
			done = n
		}
		q.findEnd(m, l)
	}
}

// findEnd finds the best end of a pair whose last row has been computed.
func (q *laneQueue) findEnd(m *laneMember, lane int) {
	n, letters, free := m.pattern.n, m.text.n, q.model.Free.TextEnd
	row := q.h[n*q.stride:]
	m.end = noEnd
	for d := range q.width {
		j := n + m.window.first + d
		if j < 0 || j > letters || letters-j > free {
			continue
		}
		e := spanCell{n, j, int(row[d*q.kern.lanes+lane]) + q.model.FreeLetter*(letters-j)}
		if e.before(m.end) {
			m.end = e
		}
	}
}

// result makes the result of a pair.
func (q *laneQueue) result(dst cigar.CIGAR, m *laneMember) (r spanResult, err error) {
	if q.scoreOnly {
		return spanResult{cost: m.end.cost, cigar: dst[:0]}, nil
	}
	t := spanTraceback{model: &q.model, pattern: &m.pattern, text: &m.text, cells: q}
	r, _, err = t.result(dst, m.end, nil)
	return r, err
}

// costs reports whether cell (i,j) of the pair of the traceback costs c, as costCells.
func (q *laneQueue) costs(i, j, c int) bool {
	d := j - i - q.first
	return d >= 0 && d < q.width && int(q.h[i*q.stride+d*q.kern.lanes+q.lane]) == c
}
