package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// laneBands computes the bands of pairs in lanes of one size. For the traceback it keeps the low byte of each
// cell. Those that are next to each other, or on a gap that leads to a cell, cost more than the traceback
// looks for by a multiple of 256 at most where the bytes agree: from such a cell no alignment that costs what
// is left comes to where one may begin.
type laneBands[C laneCell] struct {
	kern      laneRoutine
	model     *Model
	steps     *laneCosts
	scoreOnly bool

	constants     []C
	pattern, text []byte            // by letter and lane
	h             []byte            // by row, diagonal and lane
	rowOf         func(row int) []C // the last row, by diagonal and lane, that has been computed
	ins           []C               // by diagonal and lane
	beside, state []C               // by row and lane; by lane
	stride        int               // elements of a row
	width         int               // diagonals
	lane          int               // of the traceback
	first         int               // diagonal of the traceback
	cigar         cigar.CIGAR
	args          lanesArgs
}

func newLaneBytes(k *lanesKernel, m *Model, steps *laneCosts, scoreOnly bool) laneAligner {
	b := &laneBands[uint8]{kern: k.bytes}
	b.prepare(m, steps, scoreOnly)
	b.rowOf = func(row int) []uint8 { return b.h[row*b.stride:][:b.stride] }
	return b
}

func newLaneWords(k *lanesKernel, m *Model, steps *laneCosts, scoreOnly bool) laneAligner {
	b := &laneBands[uint16]{kern: k.words}
	b.prepare(m, steps, scoreOnly)
	var last []uint16
	b.rowOf = func(int) []uint16 {
		last = roomFor(last, b.stride)
		return last
	}
	return b
}

func (b *laneBands[C]) prepare(m *Model, steps *laneCosts, scoreOnly bool) {
	b.model, b.steps, b.scoreOnly = m, steps, scoreOnly
	b.constants = make([]C, lanesConstants*b.kern.lanes)
	b.state = make([]C, lanesStates*b.kern.lanes)
	for i, c := range [lanesConstants]int{
		lanesMismatch: steps.mismatch, lanesInsOpen: steps.insOpen, lanesInsExtend: steps.insExtend,
		lanesDelOpen: steps.delOpen, lanesDelExtend: steps.delExtend,
		lanesLeftIn: steps.delOpen - laneIn, lanesRightIn: laneIn,
	} {
		fill(b.constants[i*b.kern.lanes:][:b.kern.lanes], C(c))
	}
}

func (b *laneBands[C]) count() int { return b.kern.lanes }

func (b *laneBands[C]) run(members []*laneMember) {
	b.load(members)
	lanes := b.kern.lanes
	a := &b.args
	*a = lanesArgs{
		row: unsafe.Pointer(&b.rowOf(0)[0]), ins: unsafe.Pointer(&b.ins[0]), width: b.width, stride: b.stride,
		costs: unsafe.Pointer(&b.constants[0]), state: unsafe.Pointer(&b.state[0]),
	}
	done := 0
	for _, m := range members {
		if n := m.pattern.n; n > done {
			a.pattern, a.text = &b.pattern[done*lanes], &b.text[done*lanes]
			a.h, a.rows = unsafe.Pointer(&b.h[done*b.stride]), n-done
			a.beside = unsafe.Pointer(&b.beside[done*lanesBeside*lanes])
			b.kern.run(a)
			done = n
		}
		b.findEnd(m)
	}
}

// findEnd finds the best end of a pair whose last row has been computed.
func (b *laneBands[C]) findEnd(m *laneMember) {
	n, letters, free, lanes := m.pattern.n, m.text.n, b.model.Free.TextEnd, b.kern.lanes
	row := b.rowOf(n)[m.lane:]
	m.cost, m.end = laneMax[C](), noEnd
	for d := max(0, letters-free-n-m.first); d < min(b.width, letters-n-m.first+1); d++ {
		if c := int(row[d*lanes]) - laneBegin; c < m.cost {
			j := n + m.first + d
			m.cost, m.end = c, spanCell{n, j, c + b.model.FreeLetter*(letters-n)}
		}
	}
	side := func(from int) (least int) {
		least = laneMax[C]()
		for i := from; i < from+lanesStates/2; i++ {
			least = min(least, int(b.state[i*lanes+m.lane]))
		}
		return least - laneBegin
	}
	if m.beside = laneMax[C](); letters-free-n < m.first { // some end on diagonals below the first one
		m.beside = side(lanesBeforeLeft)
	}
	if m.first+b.width <= letters-n { // no alignment ends on diagonals behind the last one
		m.beside = min(m.beside, side(lanesBeforeRight))
	}
}

func (b *laneBands[C]) result(dst func(m *laneMember) cigar.CIGAR, m *laneMember) (r spanResult, ok bool) {
	if m.cost > min(laneScores[m.size], m.seeds.certain) || m.beside <= m.cost {
		return r, false
	}
	b.lane, b.first = m.lane, m.first
	t := spanTraceback{model: b.model, pattern: &m.pattern, text: &m.text, cells: b}
	if !b.scoreOnly {
		// Alignments that leave the band are known to cost more than cells say that they lead to: the
		// traceback to such a cell does not come to where an alignment begins.
		r, ok, _ = t.result(dst(m), m.end, nil)
		return r, ok
	}
	s, ok, _ := t.result(b.cigar, m.end, nil)
	b.cigar = s.cigar
	return spanResult{cost: m.end.cost, cigar: dst(m)}, ok
}

// costs reports whether cell (i,j) of the pair of the traceback costs c, as costCells.
func (b *laneBands[C]) costs(i, j, c int) bool {
	d := j - i - b.first
	return d >= 0 && d < b.width && b.h[i*b.stride+d*b.kern.lanes+b.lane] == byte(laneBegin+c-b.model.FreeLetter*(j-i))
}
