package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// maxNarrowElems is the most elements of an alignment of maxNarrowScore: each costs 1 at least,
// and has matches on both sides.
const maxNarrowElems = 2*maxNarrowScore + 1

// narrowTrace writes the alignment of a pair whose end cell narrow wavefronts have reached, by
// the rule of the package comment, as traceback does. It knows from the gap states where the
// matches before a cell begin, and looks at few letters. If late is set, matches are taken as the
// traceback of the approximate mode does: those behind a gap only up to the furthest offset that
// the gap leads to.
type narrowTrace struct {
	late  bool
	elems [maxNarrowElems]uint64 // as those of a cigar.CIGAR, of any length, written back to front
	next  int                    // element before the first one written
}

// add puts n columns of the operation of e, which is not 0, before the others.
func (t *narrowTrace) add(e cigar.Elem, n int) {
	if i := t.next + 1; i < len(t.elems) && cigar.Elem(t.elems[i]&15) == e {
		t.elems[i] += uint64(n) << 4
		return
	}
	t.elems[t.next] = uint64(n)<<4 | uint64(e)
	t.next--
}

func (t *narrowTrace) matches(n int) {
	if n > 0 {
		t.add(runMatch, n)
	}
}

// run appends the alignment that ends behind h letters of the text in lane k, of score s, to dst.
func (t *narrowTrace) run(dst cigar.CIGAR, n *narrow, s, k, h int) (cigar.CIGAR, error) {
	p, x := unsafe.Pointer(n.args.pattern), unsafe.Pointer(n.args.text)
	t.next = len(t.elems) - 1
	for s > 0 {
		at := n.origin + s*n.stride + k
		// The matches before h begin at start or, where that is a gap's, before it.
		start := int(n.rows[at-n.stride*n.pen.Mismatch]) + 1
		mismatch := true
		if gap := int(max(n.rows[at+n.width], n.rows[at+2*n.width])); gap > start {
			gap = min(gap, h)
			first := gap - matchesBefore(p, x, gap-n.diagonal(k), gap)
			mismatch = start == first
			start = first
		}
		if start > h || start < 0 {
			return dst, errTraceback
		}
		if mismatch {
			t.matches(h - start)
			t.add(runMismatch, 1)
			s, h = s-n.pen.Mismatch, start-1
			continue
		}
		op, l, at := n.gap(s, k, start)
		if !t.late {
			at = start
		}
		if l == 0 || at > h {
			return dst, errTraceback
		}
		t.matches(h - at)
		t.add(op, l)
		s -= n.pen.Gap(l)
		if op == runIns {
			k, h = k+l, at
		} else {
			k, h = k-l, at-l
		}
	}
	if n.diagonal(k) != 0 || h > int(n.row(0)[k]) {
		return dst, errTraceback
	}
	t.matches(h)
	return t.appendTo(dst), nil
}

// appendTo appends what has been written to dst. Longer runs than an element holds are several, as cigar.AppendElem has them,
// but the first one is never joined to what dst has: greedy counts the elements of each part.
func (t *narrowTrace) appendTo(dst cigar.CIGAR) cigar.CIGAR {
	for _, e := range t.elems[t.next+1:] {
		for ; e>>4 > cigar.MaxLen; e -= cigar.MaxLen << 4 {
			dst = append(dst, cigar.MaxLen<<4|cigar.Elem(e&15))
		}
		dst = append(dst, cigar.Elem(e))
	}
	return dst
}

// gap returns the shortest gap that ends in offset h of lane k on an alignment of score s. Its
// length is 0 if there is none. at is the furthest offset that the gap leads to.
func (n *narrow) gap(s, k, h int) (op cigar.Elem, l, at int) {
	o, e := n.pen.GapOpen, n.pen.GapExtend
	for l = 1; o+e*l <= s; l++ {
		m := n.row(s - o - e*l)
		if i := k + l; i < n.lanes && h >= n.diagonal(i) && int(m[i]) >= h {
			return runIns, l, int(m[i])
		}
		if i := k - l; i >= 0 && h >= l && int(m[i]) >= h-l {
			return runDel, l, int(m[i]) + l
		}
	}
	return 0, 0, 0
}
