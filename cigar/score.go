package cigar

import "fmt"

// Score returns the gap-affine penalty of the alignment: mismatch x a column of
// X, and gapOpen + l*gapExtend for every maximal run of l columns of I, or of
// D. A run that Append had to split into several elements is still one gap.
// It is an error when the alignment has an M, whose cost is unknown, or an
// operation this package does not know.
func (c CIGAR) Score(x, gapOpen, gapExtend int) (int, error) {
	v := Values{Mismatch: x, GapOpen: gapOpen, GapExtend: gapExtend}
	return v.Of(c)
}

// Values are what the columns of an alignment are worth. With Match 0 its score is the
// sum of the penalties, else the similarity: Match for each column of =, less the
// penalties.
type Values struct {
	Match, Mismatch    int
	GapOpen, GapExtend int
	// LongOpen and LongExtend are a second cost of gaps, of which each has the lesser
	// one; both are 0 where there is none.
	LongOpen, LongExtend int
}

// Of returns the score of an alignment, or an error as CIGAR.Score does.
func (v *Values) Of(c CIGAR) (int, error) {
	matches, penalty := 0, 0
	for i := 0; i < len(c); {
		first := i
		n := 0
		for ; i < len(c) && c[i]&15 == c[first]&15; i++ {
			n += c[i].Len()
		}
		switch e := c[first]; e & 15 {
		case codeMatch:
			matches += n
		case codeMismatch:
			penalty += n * v.Mismatch
		case codeIns, codeDel:
			penalty += v.gap(n)
		case codeM:
			return 0, fmt.Errorf("cigar: element %d: %v cannot be scored, M does not tell matches from mismatches", first+1, e)
		default:
			return 0, fmt.Errorf("cigar: element %d: %v is not an operation of an alignment", first+1, e)
		}
	}
	if v.Match == 0 {
		return penalty, nil
	}
	return matches*v.Match - penalty, nil
}

// gap is the penalty of a gap of n columns.
func (v *Values) gap(n int) int {
	cost := v.GapOpen + n*v.GapExtend
	if v.LongOpen > 0 || v.LongExtend > 0 {
		cost = min(cost, v.LongOpen+n*v.LongExtend)
	}
	return cost
}

// QueryLen returns the number of query letters the alignment consumes: its
// columns of =, X, M and I.
func (c CIGAR) QueryLen() int {
	n, _ := c.Consumed()
	return n
}

// TargetLen returns the number of target letters the alignment consumes: its
// columns of =, X, M and D.
func (c CIGAR) TargetLen() int {
	_, n := c.Consumed()
	return n
}

// Consumed returns QueryLen and TargetLen.
func (c CIGAR) Consumed() (query, target int) {
	for _, e := range c {
		switch e & 15 {
		case codeMatch, codeMismatch, codeM:
			query += e.Len()
			target += e.Len()
		case codeIns:
			query += e.Len()
		case codeDel:
			target += e.Len()
		}
	}
	return query, target
}
