package align

import "wfagpu/cigar"

// spanBandTraceback follows an alignment in a spanBand back from its end. Its steps are in the order
// of the rule of the package comment, over the cells of the band: an alignment is at offset M[s,k]
// exactly. With h that offset and first the one before the matches that end there, a step leads to an
// offset in first..h, and matches follow it. Such a step exists, for M[s,k] was extended from one.
// The columns may cost less than the score where a gap follows one of its kind, or where the other of
// two costs of gaps is the lower one.
type spanBandTraceback struct {
	band    *spanBand
	history *waveHistory
}

// run returns the alignment that ends in a cell, and the cell that it begins in.
func (t *spanBandTraceback) run(dst cigar.CIGAR, end spanCell) (cigar.CIGAR, spanCell, error) {
	dst = dst[:0]
	b := t.band
	m, p, q := b.model, b.pattern.first(), b.text.first()
	s := end.cost - b.base - m.FreeLetter*(b.pattern.n-end.v+b.text.n-end.h)
	k, h := end.h-end.v, end.h
	for {
		first := h - matchesBefore(p, q, h-k, h)
		if t.begins(s, k, first) {
			dst = dst.AppendElem(runMatch, h-first)
			dst.Reverse()
			return dst, spanCell{v: first - k, h: first}, nil
		}
		if at, ok := t.offset(s-m.Mismatch, k); ok && at+1 >= first && at+1 <= h {
			dst = dst.AppendElem(runMatch, h-at-1).AppendElem(runMismatch, 1)
			s, h = s-m.Mismatch, at
			continue
		}
		op, l, at, cost := t.gap(s, k, first, h)
		if l == 0 {
			return dst, spanCell{}, errTraceback
		}
		dst = dst.AppendElem(runMatch, h-at).AppendElem(op, l)
		s, h = s-cost, at
		if op == runIns {
			k += l
		} else {
			k, h = k-l, h-l
		}
	}
}

// begins reports whether an alignment of score s begins on diagonal k, at an offset.
func (t *spanBandTraceback) begins(s, k, at int) bool {
	b := t.band
	return k >= b.first && k <= b.last && at == max(0, k) && s+b.base == b.model.FreeLetter*abs(k)
}

// offset returns M[s,k]; ok is false for a null.
func (t *spanBandTraceback) offset(s, k int) (h int, ok bool) {
	if s < 0 {
		return 0, false
	}
	h = t.history.row(s).at(k)
	return h, h >= 0
}

// gap returns the shortest gap that leads to an offset in first..h of diagonal k, its length, 0 if
// there is none, that offset, and the gap's cost.
func (t *spanBandTraceback) gap(s, k, first, h int) (op cigar.Elem, l, at, cost int) {
	m := t.band.model
	pieces := []Gap{m.Gap, m.Long}[:1]
	if t.band.two() {
		pieces = pieces[:2]
	}
	for l = 1; l*m.last().Extend <= s; l++ {
		for _, g := range pieces {
			cost := g.Open + l*g.Extend
			if at, ok := t.offset(s-cost, k+l); ok && at >= first && at <= h {
				return runIns, l, at, cost
			}
			if at, ok := t.offset(s-cost, k-l); ok && at+l >= first && at+l <= h {
				return runDel, l, at + l, cost
			}
		}
	}
	return 0, 0, 0, 0
}
