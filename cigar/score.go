package cigar

import "fmt"

// Score returns the gap-affine penalty of the alignment: mismatch x a column of
// X, and gapOpen + l*gapExtend for every maximal run of l columns of I, or of
// D. A run that Append had to split into several elements is still one gap.
// It is an error when the alignment has an M, whose cost is unknown, or an
// operation this package does not know.
func (c CIGAR) Score(x, gapOpen, gapExtend int) (int, error) {
	score, prev := 0, Elem(noCode)
	for i, e := range c {
		code := e & 15
		switch code {
		case codeMatch:
		case codeMismatch:
			score += e.Len() * x
		case codeIns, codeDel:
			if code != prev {
				score += gapOpen
			}
			score += e.Len() * gapExtend
		case codeM:
			return 0, fmt.Errorf("cigar: element %d: %v cannot be scored, M does not tell matches from mismatches", i+1, e)
		default:
			return 0, fmt.Errorf("cigar: element %d: %v is not an operation of a global alignment", i+1, e)
		}
		prev = code
	}
	return score, nil
}

// QueryLen returns the number of query letters the alignment consumes: its
// columns of =, X, M and I.
func (c CIGAR) QueryLen() int { return c.consumed(codeIns) }

// TargetLen returns the number of target letters the alignment consumes: its
// columns of =, X, M and D.
func (c CIGAR) TargetLen() int { return c.consumed(codeDel) }

// consumed counts the columns that hold letters of both sequences, and those
// of one kind of gap.
func (c CIGAR) consumed(gap Elem) int {
	n := 0
	for _, e := range c {
		switch e & 15 {
		case codeMatch, codeMismatch, codeM, gap:
			n += e.Len()
		}
	}
	return n
}
