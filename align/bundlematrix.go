package align

import "wfagpu/cigar"

// bundleMatrix computes the matrices of pairs in the lanes of vectors. For the traceback it keeps the
// marks of all rows, or states between blocks of rows, whose marks are computed from the last one to
// the first.
type bundleMatrix struct {
	bundle  *bundle
	members []*bundleMember // in the order of their rows

	pattern, text []byte // by letter and lane
	state         []byte // by column, part and lane
	rows, columns int
	states        []byte // before the blocks
	marks         []byte // of a block
	block         int    // rows
}

// bundleCells are what cells of a bundle's matrices hold.
type bundleCells interface {
	// take reports whether cells hold the costs of a pair of these lengths.
	take(pattern, text int) bool
	// start sets row 0 and column 0 of x.
	start(x *bundleMatrix)
	// advance computes the rows from..to-1 over so many columns, with marks from row first on if keep
	// is set.
	advance(x *bundleMatrix, from, to, first, columns int, keep bool)
	// findEnds finds the best ends of pairs, in the order of their lanes, whose last row has been
	// computed.
	findEnds(x *bundleMatrix, members []*bundleMember)
	// lookAgain is called before rows are computed again, for marks, and foundAgain after that, for the
	// pairs whose ends are among them.
	lookAgain(x *bundleMatrix)
	foundAgain(x *bundleMatrix, m *bundleMember)
}

// bundleWhole is how many bytes of marks are kept at once at most where they are those of all rows, and
// bundleBlock else, where the memory has room for the states: more than that leaves the cache.
const (
	bundleWhole = 2 << 20
	bundleBlock = 1 << 20
)

// stateSize returns the bytes of a state, and markSize those of a row of marks.
func (x *bundleMatrix) stateSize(columns int) int {
	k := x.bundle.kern
	return columns * x.bundle.routine.parts * k.lanes * k.size
}

func (x *bundleMatrix) markSize(columns int) int {
	k := x.bundle.kern
	return columns * x.bundle.routine.marks * k.lanes * k.bits / 8
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
		if x.states = x.states[:0]; !whole {
			x.states = roomFor(x.states, (x.rows+x.block-1)/x.block*len(x.state))[:0]
		}
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
			b.cells.advance(x, done, rows, from, x.columns, whole)
			first := next
			for done = rows; next < len(members) && members[next].pattern.n == done; {
				next++
			}
			b.cells.findEnds(x, members[first:next])
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
			b.cells.lookAgain(x)
			b.cells.advance(x, from, rows, from, columns, true)
			for _, m := range members {
				if m.end.v > from && m.end.v <= rows {
					b.cells.foundAgain(x, m)
				}
			}
		} else {
			columns = x.columns
		}
		marks := x.marksOf(from, columns)
		for _, m := range members {
			if m.end.v > from || from == 0 {
				m.trace.run(&b.model, m, b.kern.bits, &marks)
			}
		}
	}
	return nil
}

// load sets the pairs, and the state of row 0.
func (x *bundleMatrix) load(members []*bundleMember) {
	b, lanes := x.bundle, x.bundle.kern.lanes
	x.members = members
	x.rows, x.columns = members[len(members)-1].pattern.n, 0
	for _, m := range members {
		x.columns = max(x.columns, m.text.n)
	}
	for l, p := range members {
		p.lane = l
	}
	x.pattern = putLanes(x.pattern, lanes, x.rows, members, patternEnd, func(p *bundleMember) *sequence { return &p.pattern })
	x.text = putLanes(x.text, lanes, x.columns, members, textEnd, func(p *bundleMember) *sequence { return &p.text })
	x.state = roomFor(x.state, x.stateSize(x.columns))
	b.cells.start(x)
}
