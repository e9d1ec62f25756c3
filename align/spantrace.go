package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// costCells gives the costs of cells.
type costCells interface {
	// costs reports whether cell (i,j) costs c, which is no more than it may cost.
	costs(i, j, c int) bool
}

// spanTraceback follows an alignment of any span from its end back to its begin by the rule of the
// package comment.
type spanTraceback struct {
	model         *Model
	pattern, text *sequence
	cells         costCells
	at            spanCell // where it has come to
	stop          *atomic.Bool
}

// result makes the result of an alignment that ends in a cell, whose cost includes what is left out
// behind it. A traceback that is stopped has none.
func (t *spanTraceback) result(dst cigar.CIGAR, end spanCell, stop *atomic.Bool) (spanResult, bool, error) {
	t.stop = stop
	c, err := t.run(dst, end)
	if stopped(stop) {
		err = errStopped
	}
	return spanResult{cost: end.cost, cigar: c, place: Place{t.at.v, end.v, t.at.h, end.h}}, err == nil, err
}

// run returns the alignment that ends in a cell, and comes to the one that it begins in.
func (t *spanTraceback) run(dst cigar.CIGAR, end spanCell) (cigar.CIGAR, error) {
	dst = dst[:0]
	m, p, q := t.model, t.pattern.first(), t.text.first()
	t.at = end
	at := &t.at
	at.cost -= m.FreeLetter * (t.pattern.n - end.v + t.text.n - end.h)
	for {
		if at.cost == m.FreeLetter*(at.v+at.h) && m.mayBegin(at.v, at.h) {
			dst.Reverse()
			return dst, nil
		}
		if n := matchesBefore(p, q, at.v, at.h); n > 0 {
			dst = dst.AppendElem(runMatch, n)
			at.v, at.h = at.v-n, at.h-n
			continue
		}
		if c := at.cost - m.Mismatch; min(at.v, at.h) > 0 && c >= 0 && t.cells.costs(at.v-1, at.h-1, c) {
			dst = dst.AppendElem(runMismatch, 1)
			*at = spanCell{at.v - 1, at.h - 1, c}
			continue
		}
		op, l := t.gap()
		if l == 0 { // or stopped
			return dst, errTraceback
		}
		dst = dst.AppendElem(op, l)
		at.cost -= m.Cost(l)
		if op == runIns {
			at.v -= l
		} else {
			at.h -= l
		}
	}
}

// gap returns the shortest gap on an optimal alignment to the cell, an insertion before a deletion,
// and its length, 0 if there is none. It looks along the row, and then up the column, for lengths up to one that doubles: cells of
// a row are near each other, and those of others may have to be computed again.
func (t *spanTraceback) gap() (op cigar.Elem, l int) {
	at := &t.at
	for from := 1; from <= max(at.v, at.h) && t.model.Cost(from) <= at.cost && !stopped(t.stop); from *= 2 {
		to := 2*from - 1
		deleted := t.gapOf(from, min(to, at.h), 0, 1)
		if deleted > 0 {
			to = deleted
		}
		if inserted := t.gapOf(from, min(to, at.v), 1, 0); inserted > 0 {
			return runIns, inserted
		}
		if deleted > 0 {
			return runDel, deleted
		}
	}
	return 0, 0
}

// gapOf returns the length of the shortest gap of up to so many letters, and from some on, that leads up, or to the left; 0 if there
// is none.
func (t *spanTraceback) gapOf(from, to, up, left int) int {
	at := &t.at
	for l := from; l <= to; l++ {
		c := at.cost - t.model.Cost(l)
		if c < 0 || stopped(t.stop) {
			break
		}
		if t.cells.costs(at.v-up*l, at.h-left*l, c) {
			return l
		}
	}
	return 0
}
