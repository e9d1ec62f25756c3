package main

import "bytes"

// rule selects the hits that make pairs; the package comment describes it.
type rule struct {
	minAligned int
	minShare   float64
	aligned    bool // both cut to the aligned stretch
}

func (r rule) keeps(h hit) bool {
	n := h.end - h.start
	return n >= r.minAligned && float64(n) >= r.minShare*float64(h.length)
}

// cut returns the pair of a hit, and the start of the target in the reference.
func (r rule) cut(h hit, read, reference []byte) (query, target []byte, at int) {
	before, after := h.start, len(read)-h.end
	query = bytes.ToUpper(read)
	if h.strand == '-' {
		before, after = after, before
		reverseComplement(query)
	}
	from, to := h.targetFrom, h.targetTo
	if r.aligned {
		query = query[before : len(query)-after]
	} else {
		from, to = max(0, from-before), min(len(reference), to+after)
	}
	return query, bytes.ToUpper(reference[from:to]), from
}

// complements has the complement of every upper-case letter of the IUPAC code;
// other letters are their own.
var complements = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	for _, pair := range []string{"AT", "CG", "RY", "KM", "BV", "DH"} {
		t[pair[0]], t[pair[1]] = pair[1], pair[0]
	}
	t['U'] = 'A'
	return t
}()

func reverseComplement(s []byte) {
	for i, j := 0, len(s)-1; i <= j; i, j = i+1, j-1 {
		s[i], s[j] = complements[s[j]], complements[s[i]]
	}
}
