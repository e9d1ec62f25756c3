package align

import "unsafe"

// sweepStrips computes the steps of a pair's strips, with the border before the next strip and the
// state of the newest one.
type sweepStrips[C sweepCell] struct {
	sweepFrame
	model         *Model
	pattern, text *sequence
	routine       *sweepRoutine
	rows          int // of a strip
	strips        int
	padText       sequence
	reverse       sequence

	border, insBorder, longBorder []C // the row before the next strip, element rows is column 0
	state                         []C
	constants                     []C
	args                          sweepArgs
	history                       []C // H of the steps of a block
}

// sweepBlock is how many steps are computed in one call.
const sweepBlock = 192

// sweepStrip is a strip of the matrix: its rows, and the columns that are computed, which begin
// behind column before.
type sweepStrip struct {
	first        int // rows before it
	before, last int
	steps        int // its last row comes rows steps after its first
}

// line is the number of elements of a part of a strip's border, from the column before it on.
func (t *sweepStrip) line() int { return t.steps + 2 }

// blocks is the number of a strip's blocks.
func (t *sweepStrip) blocks() int { return (t.steps + sweepBlock - 1) / sweepBlock }

// load sets the pair.
func (s *sweepStrips[C]) load(m *Model, f *sweepFrame, pattern, text *sequence) {
	s.sweepFrame, s.model, s.pattern, s.text = *f, m, pattern, text
	r, _ := s.choose(pattern.n, text.n)
	s.take(r)
}

// take makes room for strips of the pair by a routine.
func (s *sweepStrips[C]) take(r *sweepRoutine) {
	pattern, text := s.pattern, s.text
	s.routine, s.rows = r, r.vectors*s.lanes
	s.strips = (pattern.n + s.rows - 1) / s.rows
	fillBytes := func(q *sequence, n, pad int, with byte) []byte {
		letters := q.resize(n, pad)
		for i := range pad {
			q.buf[i] = with
		}
		for i := pad + n; i < len(q.buf); i++ {
			q.buf[i] = with
		}
		return letters
	}
	copy(fillBytes(&s.padText, text.n, s.rows+seqPad, textEnd), text.letters())
	n := s.strips * s.rows
	reversed := fillBytes(&s.reverse, n, seqPad, patternEnd)
	for i := range n - pattern.n {
		reversed[i] = patternEnd
	}
	reverseInto(reversed[n-pattern.n:], pattern.letters())

	lanes := s.lanes
	s.constants = roomFor(s.constants, sweepConstants*lanes)
	for c, v := range s.costs {
		if c == sweepEnd {
			v = -1
		}
		for l := range lanes {
			s.constants[c*lanes+l] = C(v)
		}
	}
	s.state = roomFor(s.state, s.parts()*s.rows)
	s.history = roomFor(s.history, sweepBlock*s.rows)
}

// begin computes row 0.
func (s *sweepStrips[C]) begin() {
	width := s.text.n + 3*s.rows
	s.border, s.insBorder = roomFor(s.border, width), roomFor(s.insBorder, width)
	if s.two() {
		s.longBorder = roomFor(s.longBorder, width)
	}
	m, row := s.text.n, s.border[s.rows:]
	free := 0 // columns that may be left out
	switch s.model.Span {
	case Local:
		free = m
	case EndsFree:
		free = min(m, s.model.Free.TextBegin)
	}
	each := s.model.FreeLetter - s.letter
	for j := range row[:free+1] {
		row[j] = C(min(s.bias+each*j, s.ceiling))
	}
	for j := free + 1; j <= m; j++ {
		row[j] = s.cell(0, j, s.model.top(j))
	}
	fill(row[m+1:], row[m])
	s.openGap(row, s.insBorder[s.rows:], C(s.costs[sweepOpen]))
	if s.two() {
		s.openGap(row, s.longBorder[s.rows:], C(s.costs[sweepOpenLong]))
	}
}

// ready makes the state before the first step of a strip. Cells before its first column get the costs
// that dead returns.
func (s *sweepStrips[C]) ready(t *sweepStrip, dead func(i, j int) int) {
	h, before := s.part(sweepH), s.part(sweepBefore)
	if t.before == 0 {
		for l := range h {
			i := s.row(t.first, l)
			h[l] = s.cell(i, 0, s.model.left(i))
			before[l] = s.cell(i-1, 0, s.model.left(i-1))
		}
	} else {
		// The cells before the first step are one antidiagonal.
		i, j := s.row(t.first, s.rows-1), t.before
		fill(h, s.cell(i, j, dead(i, j)))
		fill(before, s.cell(i-1, j, dead(i-1, j)))
	}
	for _, part := range []int{sweepDel, sweepIns} {
		s.openGap(h, s.part(part), C(s.costs[sweepOpen]))
	}
	if s.two() {
		for _, part := range []int{sweepDelLong, sweepInsLong} {
			s.openGap(h, s.part(part), C(s.costs[sweepOpenLong]))
		}
	}
	if s.model.Span.EndsAnywhere() {
		least := s.part(s.parts() - 1)
		for l := range least {
			least[l] = C(s.ceiling)
		}
	}
}

// openGap makes gaps that have just been opened from h, at a cost.
func (s *sweepStrips[C]) openGap(h, gap []C, open C) {
	gap = gap[:len(h)]
	for l, c := range h {
		gap[l] = c + open
	}
}

// fill sets all of some cells.
func fill[C any](cells []C, to C) {
	if len(cells) == 0 {
		return
	}
	cells[0] = to
	for n := 1; n < len(cells); n *= 2 {
		copy(cells[n:], cells[:n])
	}
}

// part returns a part of the state.
func (s *sweepStrips[C]) part(i int) []C { return s.state[i*s.rows:][:s.rows] }

// row returns the row of the matrix in a lane of a strip after first rows.
func (s *sweepStrips[C]) row(first, lane int) int { return first + s.rows - lane }

// column returns the column of a lane after so many steps of a strip.
func (s *sweepStrips[C]) column(t *sweepStrip, lane, steps int) int {
	return t.before + steps - (s.rows - 1 - lane)
}

// advance computes steps of a strip after the first from ones. history receives the H of each
// unless it is empty.
func (s *sweepStrips[C]) advance(t *sweepStrip, from, steps int, history []C) {
	a := &s.args
	at := t.before + from + 1 // column of the first row
	a.state = unsafe.Pointer(&s.state[0])
	a.constants = unsafe.Pointer(&s.constants[0])
	a.text = &s.padText.buf[s.padText.pad+at-s.rows]
	a.pattern = &s.reverse.buf[s.reverse.pad+s.strips*s.rows-s.rows-t.first]
	a.h, a.g = unsafe.Pointer(&s.border[s.rows+at]), unsafe.Pointer(&s.insBorder[s.rows+at])
	if s.two() {
		a.long = unsafe.Pointer(&s.longBorder[s.rows+at])
	}
	a.steps, a.stride = steps, 0
	a.history = unsafe.Pointer(&s.history[0])
	if len(history) > 0 {
		a.history, a.stride = unsafe.Pointer(&history[0]), s.rows*s.bits/8
	}
	s.routine.run(a)
}

// two reports whether gaps have two costs.
func (s *sweepStrips[C]) two() bool { return s.model.Long != Gap{} }

// parts is the number of parts of the state.
func (s *sweepStrips[C]) parts() int {
	n := sweepDelLong
	if s.two() {
		n = sweepParts
	}
	if s.model.Span.EndsAnywhere() {
		n++
	}
	return n
}

// cell returns what cell (i,j) holds if it costs c; cost is the other way round.
func (s *sweepStrips[C]) cell(i, j, c int) C { return C(min(c-s.letter*(i+j)+s.bias, s.ceiling)) }
func (s *sweepStrips[C]) cost(i, j int, c C) int {
	return int(c) - s.bias + s.letter*(i+j)
}

// borders returns the parts of the border.
func (s *sweepStrips[C]) borders() [][]C {
	if s.two() {
		return [][]C{s.border, s.insBorder, s.longBorder}
	}
	return [][]C{s.border, s.insBorder}
}
