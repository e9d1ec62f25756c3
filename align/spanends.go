package align

import "wfagpu/cigar"

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

// cell returns the relative cost of cell (v,h) for a traceback that has come to a cell of column
// now. Outside the matrix, and when stopped, it is null.
func (x *spanMatrix) cell(v, h, now int) int {
	if x.swapped {
		v, h = h, v
	}
	if h < 0 {
		return null
	}
	return x.lines.at(h, now, now).at(v)
}

// traceback goes back from the end by the rule of the package comment and returns the alignment
// and the cell that it begins in.
func (x *spanMatrix) traceback(dst cigar.CIGAR) (cigar.CIGAR, spanCell, error) {
	dst = dst[:0]
	p, t := x.pattern.first(), x.text.first()
	at := x.end
	for {
		if at.cost == 0 && x.model.mayBegin(at.v, at.h) {
			dst.Reverse()
			return dst, at, nil
		}
		if n := matchesBefore(p, t, at.v, at.h); n > 0 {
			dst = dst.AppendElem(runMatch, n)
			at.v, at.h, at.cost = at.v-n, at.h-n, at.cost-n*int(x.costs.match)
			continue
		}
		now := at.h
		if x.swapped {
			now = at.v
		}
		if c := at.cost - int(x.costs.mismatch); min(at.v, at.h) > 0 && x.cell(at.v-1, at.h-1, now) == c {
			dst = dst.AppendElem(runMismatch, 1)
			at.v, at.h, at.cost = at.v-1, at.h-1, c
			continue
		}
		op, l := x.gapTo(at, now)
		if l == 0 {
			return dst, at, errTraceback
		}
		dst = dst.AppendElem(op, l)
		at.cost -= int(x.costs.of(l))
		if op == runIns {
			at.v -= l
		} else {
			at.h -= l
		}
	}
}

// gapTo returns the shortest gap on an optimal alignment to the cell at, an insertion before a
// deletion, and its length, 0 if there is none.
func (x *spanMatrix) gapTo(at spanCell, now int) (op cigar.Elem, l int) {
	for l = 1; l <= max(at.v, at.h); l++ {
		c := at.cost - int(x.costs.of(l))
		if x.cell(at.v-l, at.h, now) == c {
			return runIns, l
		}
		if x.cell(at.v, at.h-l, now) == c {
			return runDel, l
		}
	}
	return 0, 0
}
