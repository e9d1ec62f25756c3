package align

import (
	"errors"

	"wfagpu/cigar"
)

// errBand means that a band lost an alignment that it had found before.
var errBand = errors.New("internal error: a wider band has a higher score")

// tryBand aligns the loaded pair within a band of fixed width, and reports whether it could.
// guess is the expected score. The score found in a first band is optimal if it is small enough,
// and bounds the optimum if not.
func (a *exact) tryBand(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	b := a.band
	r := b.allow((b.firstVectors(guess)*b.width - abs(b.end) - 2) / 2)
	s := b.fixed(!a.scoreOnly)
	if s <= min(b.certified(r), maxBandScore) {
		return a.fromBand(dst, s)
	}
	return a.boundedBand(dst, s)
}

// boundedBand aligns the loaded pair, of which an alignment of score bound is known.
func (a *exact) boundedBand(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, bool, error) {
	above := bound > a.limit // nobody knows of an alignment up to the limit
	bound = min(bound, a.limit)
	s, ok := a.band.within(bound, !a.scoreOnly, a.memory)
	switch {
	case stopped(a.stop):
		return 0, dst, false, errStopped
	case !ok:
		return 0, dst, false, nil
	case s > bound && above:
		return 0, dst, true, beyond(&a.stats.Banded)
	case s > bound:
		return 0, dst, false, errBand
	}
	return a.fromBand(dst, s)
}

// fromBand finishes a pair of which the band has the optimal score s.
func (a *exact) fromBand(dst cigar.CIGAR, s int) (int, cigar.CIGAR, bool, error) {
	a.stats.Banded++
	if a.scoreOnly {
		return s, dst, true, nil
	}
	c, err := a.band.traceback(dst, s)
	return s, c, true, err
}

// bounded finds a bound on the score of the loaded pair, which is expected to be guess, and aligns
// it in a band, or by the matrix, where that costs less than wavefronts that have come to score
// done. It reports whether it did.
func (a *exact) bounded(dst cigar.CIGAR, guess, done int, bound *int) (int, cigar.CIGAR, bool, error) {
	whole := a.unequal.matrixCost()
	s, c, ok, err := a.searched(dst, guess, done, whole, bound)
	if !ok && err == nil && whole < a.costs.bounded(*bound, done)/matrixDoubt {
		s, c, err = a.matrix(c)
		ok = err == nil
	}
	return s, c, ok, err
}

// searched is bounded without the matrix, which costs whole: a search for a bound ends where it has
// cost as much.
func (a *exact) searched(dst cigar.CIGAR, guess, done int, whole float64, bound *int) (int, cigar.CIGAR, bool, error) {
	*bound = a.bounds.find(guess, whole)
	if *bound > a.limit {
		*bound = a.limit + 1 // where wavefronts stop
	}
	if stopped(a.stop) {
		return 0, dst, false, errStopped
	}
	if a.band == nil {
		return 0, dst, false, nil
	}
	if *bound <= maxBandScore {
		if a.costs.pruned(a.band, *bound) > a.costs.bounded(*bound, done) {
			return 0, dst, false, nil
		}
		return a.boundedBand(dst, *bound)
	}
	// The bound may be far too high.
	for s := guess + guess/4; s < maxBandScore && a.costs.pruned(a.band, s) < a.costs.bounded(s, 0); s *= 2 {
		found, ok := a.band.within(s, !a.scoreOnly, a.memory)
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case !ok:
			return 0, dst, false, nil
		case found <= s:
			return a.fromBand(dst, found)
		case found <= maxBandScore:
			return a.boundedBand(dst, found)
		}
	}
	return 0, dst, false, nil
}
