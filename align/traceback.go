package align

import (
	"errors"
	"math"

	"wfagpu/cigar"
)

// errTraceback means that scores and rows contradict each other.
var errTraceback = errors.New("internal error: traceback: no step leads to a cell of the alignment")

// Runs to append, without their length.
var (
	runMatch    = cigar.NewElem(cigar.Match, 0)
	runMismatch = cigar.NewElem(cigar.Mismatch, 0)
	runIns      = cigar.NewElem(cigar.Ins, 0)
	runDel      = cigar.NewElem(cigar.Del, 0)
)

// cells are the cells of a pair as one way of computing has stored them.
type cells interface {
	// arrives reports whether a step of dh text letters from diagonal k + dk at score
	// s leads to an offset in first..h of diagonal k, and to which. s may be negative;
	// no cell has such a score.
	arrives(s, k, dk, dh, first, h int) (at int, ok bool)
}

// mRows are the M rows of the scores from 0 on, as wavefronts store them.
type mRows struct {
	rows []row
	left int // nulls before a row's first diagonal
}

// arrives looks for the first offset: costs never fall along a diagonal, so cell h
// of diagonal k has a cost of at most s if and only if M[s,k] >= h.
func (m *mRows) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	h := first - dh
	k += dk
	if s < 0 || h < 0 || h < k {
		return first, false
	}
	r := &m.rows[s]
	return first, k >= r.lo && k <= r.hi && int(r.buf[m.left+k-r.lo]) >= h
}

// traceback follows an alignment from the end cell, whose cost is score, back to the origin. It is
// the traceback of all methods but narrow wavefronts and those for edit distance alone. It reads
// only cells: the M rows of wavefronts (mRows, coneRows, directed), the costs of a band
// (wholeCosts, bandCosts) or of the matrix (matrix), or the M rows of an adaptive band
// (adaptiveHistory).
//
// The package comment has the rule for the order in which it tries steps: a mismatch,
// then gaps by length, insertions first. In exact mode a step leads to the cell before
// the matches, which are all taken.
//
// In the approximate mode an alignment is at score s at the offset M[s,k] exactly.
// With h that offset and first the one before the matches that end there, a step
// leads to an offset c in first..h, and the matches h-c follow it. Such a step
// exists, for M[s,k] was extended from such a c: a gap state is an M cell and a
// number of extensions, and limiting them to the end of the diagonal on the way
// gives no other offset than limiting the last one does. The band may have cut off
// the gap of another step that fits, but it is a step at that cost all the same. So
// the columns cost the score, with two exceptions, where they cost less:
//
//   - A gap may follow a gap of the same kind, when the band has cut off the first
//     and moved on: together they are one gap, opened once.
//   - A limited step ends on an edge of the matrix, and one gap leads from there to
//     the end cell. It replaces the columns written before. A limited mismatch has
//     no column.
type traceback struct {
	pattern, text *sequence
	pen           Penalties
	score         int
	blocks        *bandCosts // for bands whose costs are recomputed in blocks
}

// run writes the alignment, first column first, to dst, whose contents are
// dropped.
func (t *traceback) run(dst cigar.CIGAR, c cells) (cigar.CIGAR, error) {
	dst = dst[:0]
	m, _ := c.(*mRows) // of most pairs: a direct call, which is inlined
	pattern, text := t.pattern.first(), t.text.first()
	s, k, h := t.score, t.text.n-t.pattern.n, t.text.n
	x := t.pen.Mismatch
	for {
		first := h - matchesBefore(pattern, text, h-k, h)
		if s == 0 {
			if k != 0 || first != 0 {
				return dst, errTraceback
			}
			dst = dst.AppendElem(runMatch, h)
			dst.Reverse()
			return dst, nil
		}
		var at int
		var ok bool
		if m != nil {
			at, ok = m.arrives(s-x, k, 0, 1, first, h)
		} else {
			at, ok = c.arrives(s-x, k, 0, 1, first, h)
		}
		if ok {
			s -= x
			if at <= h { // else the mismatch is limited
				dst = dst.AppendElem(runMatch, h-at)
				dst = dst.AppendElem(runMismatch, 1)
				h = at - 1
			}
			continue
		}
		op, l, at, cost := t.gap(c, s, k, first, h)
		if l == 0 {
			return dst, errTraceback
		}
		columns := l
		if at > h {
			dst, columns = t.limit(dst, at, l, k)
		} else {
			dst = dst.AppendElem(runMatch, h-at)
		}
		dst = dst.AppendElem(op, columns)
		s, h = s-cost, at
		if op == runIns {
			k += l
		} else {
			k, h = k-l, h-l
		}
	}
}

// gap returns the shortest gap that ends in an offset in first..h of diagonal k on an
// alignment of score s, with its length l, that offset, and its cost. l is 0 if there
// is none.
func (t *traceback) gap(c cells, s, k, first, h int) (op cigar.Elem, l, at, cost int) {
	o, e := t.pen.GapOpen, t.pen.GapExtend
	near := math.MaxInt
	if t.blocks != nil {
		near = t.blocks.near(k, first)
	}
	for l = 1; e*l <= s; l++ {
		if l > near {
			op, l = t.blocks.longGap(s, k, first, near)
			return op, l, first, t.pen.Gap(l)
		}
		cost := o + e*l
		if at, ok := c.arrives(s-cost, k, l, 0, first, h); ok {
			return runIns, l, at, cost
		}
		if at, ok := c.arrives(s-cost, k, -l, l, first, h); ok {
			return runDel, l, at, cost
		}
	}
	return 0, 0, 0, 0
}

// limit cuts off the columns of a gap beyond the end of diagonal k. It returns the gap
// from there to the end, along an edge of the matrix, and the remaining columns.
func (t *traceback) limit(dst cigar.CIGAR, at, l, k int) (cigar.CIGAR, int) {
	v, h := min(at-k, t.pattern.n), min(at, t.text.n)
	dst = dst[:0].AppendElem(runIns, t.pattern.n-v)
	dst = dst.AppendElem(runDel, t.text.n-h)
	return dst, l - (at - k - v) - (at - h)
}
