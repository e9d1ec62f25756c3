package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// bundleMatrix computes the matrices of pairs in the lanes of vectors. For the traceback it keeps the
// marks of all rows, or states between blocks of rows, whose marks are computed from the last one to
// the first.
type bundleMatrix struct {
	bundle    *bundle
	members   []*bundleMember // in the order of their rows
	constants []int8

	pattern, text []byte // by letter and lane
	state         []int8 // by column, part and lane
	left          []int8 // by row
	rows, columns int
	states        []int8 // before the blocks
	marks         []byte // of a block
	block         int    // rows
}

// bundleWhole is how many bytes of marks are kept at once at most where they are those of all rows, and
// bundleBlock else, where the memory has room for the states: more than that leaves the cache.
const (
	bundleWhole = 2 << 20
	bundleBlock = 1 << 20
)

// stateSize returns the bytes of a state, and markSize those of a row of marks.
func (x *bundleMatrix) stateSize(columns int) int {
	return columns * x.bundle.routine.parts * x.bundle.kern.lanes
}

func (x *bundleMatrix) markSize(columns int) int {
	return columns * x.bundle.routine.marks * x.bundle.kern.lanes / 8
}

// holds reports whether the marks of all rows are kept.
func (x *bundleMatrix) holds(rows, columns int) bool { return x.blockOf(rows, columns) >= rows }

// blockOf returns how many rows a block has.
func (x *bundleMatrix) blockOf(rows, columns int) int {
	line, memory := x.markSize(columns), x.bundle.memory
	if rows*line <= min(bundleWhole, memory) {
		return rows
	}
	return max(1, bundleBlock/line, 2*rows*x.stateSize(columns)/memory)
}

// bytes returns what the traceback takes.
func (x *bundleMatrix) bytes(rows, columns int) int {
	block := x.blockOf(rows, columns)
	bytes := min(block, rows) * x.markSize(columns)
	if block < rows {
		bytes += (rows + block - 1) / block * x.stateSize(columns)
	}
	return bytes
}

// run aligns pairs in the order of their rows. dst gives the storage of alignments.
func (x *bundleMatrix) run(members []*bundleMember, dst func(m *bundleMember) cigar.CIGAR) error {
	x.load(members)
	b := x.bundle
	keep := !b.scoreOnly
	x.block = max(1, min(x.rows, stopCells/x.columns))
	whole := false
	if keep {
		x.block = min(x.rows, x.blockOf(x.rows, x.columns))
		whole = x.block == x.rows
		x.marks = roomFor(x.marks, x.block*x.markSize(x.columns))
		x.states = x.states[:0]
	}
	next := 0
	for from := 0; from < x.rows; from += x.block {
		to := min(x.rows, from+x.block)
		if keep && !whole {
			x.states = append(x.states, x.state...)
		}
		for done := from; done < to; {
			if stopped(b.stop) {
				return errStopped
			}
			rows := min(to, members[next].pattern.n)
			x.advance(done, rows, from, x.columns, whole)
			first := next
			for done = rows; next < len(members) && members[next].pattern.n == done; {
				next++
			}
			x.findEnds(members[first:next])
		}
	}
	for _, m := range members {
		m.trace.start(&b.model, m, dst(m))
	}
	if !keep {
		return nil
	}
	for from := (x.rows - 1) / x.block * x.block; from >= 0; from -= x.block {
		if stopped(b.stop) {
			return errStopped
		}
		rows, columns := 0, 0
		for _, m := range members {
			if at := &m.trace.at; at.v > from && !m.trace.done {
				rows, columns = max(rows, min(at.v, from+x.block)), max(columns, at.h)
			}
		}
		if min(rows, columns) > 0 && !whole {
			copy(x.state, x.states[from/x.block*len(x.state):])
			x.advance(from, rows, from, columns, true)
			// Rows of marks have so many columns.
		} else {
			columns = x.columns
		}
		marks := x.marksOf(from, columns)
		for _, m := range members {
			m.trace.run(&b.model, m, &marks)
		}
	}
	return nil
}

// advance computes the rows from..to-1 over so many columns, with marks from row first on if keep is
// set.
func (x *bundleMatrix) advance(from, to, first, columns int, keep bool) {
	lanes := x.bundle.kern.lanes
	a := bundleArgs{
		pattern: &x.pattern[from*lanes], text: &x.text[0], state: unsafe.Pointer(&x.state[0]), left: &x.left[from],
		rows: to - from, columns: columns, constants: unsafe.Pointer(&x.constants[0]),
	}
	if !keep {
		x.bundle.routine.run(&a)
		return
	}
	a.marks = unsafe.Pointer(&x.marks[(from-first)*x.markSize(columns)])
	x.bundle.routine.kept(&a)
}

// load sets the pairs, and the state of row 0.
func (x *bundleMatrix) load(members []*bundleMember) {
	b, lanes := x.bundle, x.bundle.kern.lanes
	m := &b.model
	x.members = members
	x.rows, x.columns = members[len(members)-1].pattern.n, 0
	for _, m := range members {
		x.columns = max(x.columns, m.text.n)
	}
	for l, p := range members {
		p.lane = l
	}
	x.pattern = putLanes(x.pattern, lanes, x.rows, members, func(p *bundleMember) *sequence { return &p.pattern })
	x.text = putLanes(x.text, lanes, x.columns, members, func(p *bundleMember) *sequence { return &p.text })
	x.left = roomFor(x.left, x.rows)
	for i := range x.left {
		x.left[i] = int8(m.left(i+1) - m.left(i) - m.Gap.Extend)
	}
	x.state = roomFor(x.state, x.stateSize(x.columns))
	parts := b.routine.parts
	last := m.last()
	opens := [2]int{m.Gap.Open, last.Open + last.Extend - m.Gap.Extend}
	before, column := 0, []int8(nil)
	for j := range x.columns {
		u := m.top(j+1) - m.top(j) - m.Gap.Extend
		like := column
		column = x.state[j*parts*lanes:][:parts*lanes]
		if j > 0 && u == before {
			copy(column, like)
			continue
		}
		before = u
		fillDifferences(column[:lanes], u)
		for p := 1; p < parts; p++ {
			fillDifferences(column[p*lanes:][:lanes], u+opens[p-1])
		}
	}
}

func fillDifferences(s []int8, c int) {
	for i := range s {
		s[i] = int8(c)
	}
}
