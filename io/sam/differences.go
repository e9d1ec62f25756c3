package sam

import (
	"strconv"

	"wfagpu/cigar"
)

// Matches are counted as samtools does, for whom a letter that BAM stores as N matches nothing,
// itself included.

// edits is the value of NM: the letters of one sequence alone, and the columns of two letters
// that are no match. plain says that no letter of the query is ambiguous.
func edits(c cigar.CIGAR, query []byte, plain bool) int {
	n, q := 0, 0
	if plain {
		for _, e := range c {
			with := n + e.Len()
			if e.Op() != cigar.Match { // as often as not: a move costs less than a branch
				n = with
			}
		}
		return n
	}
	for _, e := range c {
		l := e.Len()
		switch e.Op() {
		case cigar.Match:
			if kindsOf(query[q:q+l])&ambiguous != 0 {
				for _, b := range query[q : q+l] {
					n += int(kinds[b] & ambiguous)
				}
			}
			q += l
		case cigar.Del:
			n += l
		default:
			n += l
			q += l
		}
	}
	return n
}

// appendMD appends the value of MD: runs of matches, and the target's letters elsewhere.
func appendMD(dst []byte, c cigar.CIGAR, query, target []byte, plain bool) []byte {
	q, t, matches := 0, 0, 0
	flush := func() {
		dst = strconv.AppendInt(dst, int64(matches), 10)
		matches = 0
	}
	deleted := false // the last column was a deletion
	for _, e := range c {
		l := e.Len()
		switch e.Op() {
		case cigar.Match:
			if plain {
				matches += l
			} else {
				for i := range l {
					if kinds[query[q+i]]&ambiguous == 0 {
						matches++
						continue
					}
					flush()
					dst = append(dst, canonical(target[t+i]))
				}
			}
			q, t = q+l, t+l
			deleted = false
		case cigar.Ins:
			q += l
			deleted = false
		case cigar.Del:
			if !deleted || matches > 0 {
				flush()
				dst = append(dst, '^')
			}
			for _, b := range target[t : t+l] {
				dst = append(dst, canonical(b))
			}
			t += l
			deleted = true
		default:
			for i := range l {
				flush()
				dst = append(dst, canonical(target[t+i]))
			}
			q, t = q+l, t+l
			deleted = false
		}
	}
	flush()
	return dst
}
