package align

// look notes the cell of the last column that an alignment ends in best.
func (x *spanMatrix) look() {
	switch x.model.Span {
	case Local, Extension:
		x.lookInside()
		return
	case EndsFree:
	default:
		if x.at == len(x.longer) {
			x.lookAt(len(x.shorter))
		}
		return
	}
	free := x.model.Free
	last, side := free.TextEnd, free.PatternEnd // of the longer and the shorter sequence
	if x.swapped {
		last, side = side, last
	}
	n := len(x.shorter)
	if x.at == len(x.longer) {
		for i := max(0, n-side); i <= n; i++ {
			x.lookAt(i)
		}
	} else if len(x.longer)-x.at <= last {
		x.lookAt(n)
	}
}

// lookInside is look where an alignment may end in any cell. Cells beside the matrix's edges
// cost no less than the empty alignment.
func (x *spanMatrix) lookInside() {
	least := int(x.least)
	if least >= 0 || least > x.end.cost {
		return
	}
	for i, c := range x.column.buf {
		if int(c) == least {
			x.lookAt(i)
			return // the others of the column come after it
		}
	}
}

// lookAt notes element i of the last column if it is the best end so far.
func (x *spanMatrix) lookAt(i int) {
	c := spanCell{v: i, h: x.at, cost: int(x.column.buf[i])}
	if x.swapped {
		c.v, c.h = c.h, c.v
	}
	if c.before(x.end) {
		x.end = c
	}
}

// costs reports whether cell (i,j) costs c, as costCells. It reads the lines of the cell that the
// traceback has come to; when stopped, no cell has a cost.
func (x *spanMatrix) costs(i, j, c int) bool {
	c -= x.model.FreeLetter * (i + j)
	now := x.trace.at.h
	if x.swapped {
		i, j, now = j, i, x.trace.at.v
	}
	return x.lines.at(j, now, now).at(i) == c
}
