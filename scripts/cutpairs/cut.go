package main

import "bytes"

// rule says which hits make pairs, and how; the package comment explains it.
type rule struct {
	minAligned int
	minShare   float64
	aligned    bool // both cut to what is aligned
}

func (r rule) keeps(h hit) bool {
	n := h.end - h.start
	return n >= r.minAligned && float64(n) >= r.minShare*float64(h.length)
}

// cut returns the pair of a hit, and where in the reference the target begins.
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

// complements has the partner of every upper-case letter for a base or for
// several; others stand for themselves.
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
