package align

import (
	"errors"

	"wfagpu/cigar"
)

// errApprox would mean that rows of the approximate mode contradict each other.
var errApprox = errors.New("internal error: no path leads to a cell of the approximate mode")

// backtrace writes the alignment that an approximate front, which kept its
// rows, has found to dst, and returns its cost, which is f.s or less.
//
// It walks from cell to cell of M. At score s it is at the offset h = M[s,k]
// exactly. With b the offset before the matches that end there, it takes the
// first of these steps whose offset c, limited to last(k), lies in b..h:
//
//	mismatch               c = M[s-x,k] + 1
//	insertion of length l  c = M[s-o-e·l,k+l]          for l = 1, 2, …, and
//	deletion of length l   c = M[s-o-e·l,k-l] + l      for each l in this order
//
// One exists, for M[s,k] was extended from such a c: a gap state is an M cell
// and a number of extensions, and limiting them on the way gives no other
// offset than limiting the last one, because a cell at or beyond the last of
// its diagonal leads to such cells only. Windows may have cut off the gap of
// another step that fits, but it is a step at that cost all the same.
//
// So each step but the limited ones has its columns, and they cost s in all.
// There are two exceptions, in both of which the alignment costs less:
//
//   - A gap may follow a gap of the same kind, when the window has cut off the
//     first and moved on: they are one gap, which is opened once.
//   - Edges. A cell on an edge of the matrix has just one way to the end, one
//     gap, so what was written before is replaced by it. It differs only where
//     steps went along the edge to no avail.
func (f *approxFront) backtrace(dst cigar.CIGAR) (cigar.CIGAR, int, error) {
	p := f.pen
	s, k := f.s, f.end
	dst = dst[:0]
	for {
		if f.stopped() {
			return dst, 0, errStopped
		}
		h, last := f.at(s, k), f.last(k)
		if h == last {
			dst = f.toEnd(dst, h-k, h)
		}
		b := h - f.before(k, h)
		if s == 0 {
			if k != 0 || b != 0 {
				return dst, 0, errApprox
			}
			dst = dst.AppendElem(runMatch, h)
			break
		}
		if c := f.at(s-p.Mismatch, k) + 1; c > last && h == last {
			s -= p.Mismatch // a mismatch that found no letters
			continue
		} else if c >= b && c <= h {
			dst = dst.AppendElem(runMatch, h-c)
			dst = dst.AppendElem(runMismatch, 1)
			s -= p.Mismatch
			continue
		}
		for l := 1; ; l++ {
			t := s - p.GapOpen - p.GapExtend*l
			if t < 0 {
				return dst, 0, errApprox
			}
			if c := f.at(t, k+l); c >= b && min(c, last) <= h {
				dst = dst.AppendElem(runMatch, h-min(c, last))
				v := c - k // within the pattern, unless limited
				if c > last {
					v = min(v, f.pattern.n)
					dst = f.toEnd(dst, v, c)
				}
				dst = dst.AppendElem(runIns, v-(c-k-l))
				s, k = t, k+l
				break
			}
			if before := f.at(t, k-l); before >= 0 && before+l >= b && min(before+l, last) <= h {
				c := before + l
				dst = dst.AppendElem(runMatch, h-min(c, last))
				if c > last {
					c = min(c, f.text.n)
					dst = f.toEnd(dst, before-(k-l), c)
				}
				dst = dst.AppendElem(runDel, c-before)
				s, k = t, k-l
				break
			}
		}
	}
	dst.Reverse()
	cost, err := dst.Score(p.Mismatch, p.GapOpen, p.GapExtend)
	return dst, cost, err
}

// at returns M[s,k] as it was computed, null outside the window of that time.
func (f *approxFront) at(s, k int) int {
	if s < 0 {
		return null
	}
	r := f.row(s)
	if k < r.lo || k > r.hi {
		return null
	}
	return int(r.buf[k-r.lo])
}

// toEnd makes dst the gap that leads from a cell on an edge of the matrix to
// the end cell.
func (f *approxFront) toEnd(dst cigar.CIGAR, v, h int) cigar.CIGAR {
	dst = dst[:0].AppendElem(runIns, f.pattern.n-v)
	return dst.AppendElem(runDel, f.text.n-h)
}

// before counts the equal letters that end just before cell h of diagonal k.
func (f *approxFront) before(k, h int) int {
	return matchesBefore(f.pattern.first(), f.text.first(), h-k, h)
}
