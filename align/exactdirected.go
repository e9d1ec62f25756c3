package align

import (
	"math"

	"wfagpu/cigar"
)

// alignAlongGap aligns a part of a pair, of which no sequence is empty and that has one long gap. The part is not
// counted.
func (a *exact) alignAlongGap(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, error) {
	a.pattern, a.text = pattern, text
	s, c, _, err := a.unequal.alignDirected(dst, math.Inf(1), math.Inf(1))
	return s, c, err
}

// tryAlongGap aligns the loaded pair by directed wavefronts, if it is likely to have a long gap and few other
// errors, and reports whether it did. An alignment along runs of equal letters has been found. The score is
// expected to be guess, 0 where unknown.
func (a *exact) tryAlongGap(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	bound := min(a.along.cost, a.limit+1)
	if guess == 0 {
		guess = bound
	}
	u := &a.unequal
	others := min(a.othersCost(guess), a.costs.bounded(guess, 0), u.matrixCost())
	first := math.Inf(1)
	if cost := u.alongGapCost(a.pattern.n, a.text.n, bound); cost > others {
		// The alignment along the runs may be far from the best one.
		if a.band != nil {
			others = min(others, a.costs.pruned(a.band, guess))
		}
		if a.edit != nil || cost > alongGapDoubt*others {
			return 0, dst, false, nil
		}
		first = others / alongGapFirst
	}
	s, c, ok, err := u.alignDirected(dst, first, others)
	switch {
	case err != nil || !ok:
		return 0, dst, false, err
	case s > a.limit:
		return 0, dst, true, beyond(&a.stats.Wavefront)
	}
	a.stats.Wavefront++
	return s, c, true, nil
}

const (
	alongGapDoubt = 8 // by what factor the cost of the alignment along runs may be too high, apart from the long gap
	alongGapFirst = 8 // directed wavefronts take one part in so many of other methods' cost before they predict the rest
)
