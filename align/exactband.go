package align

import (
	"errors"

	"wfagpu/cigar"
)

// errBand means that a band lost an alignment that it had found before.
var errBand = errors.New("internal error: a wider band has a higher score")

// exactBand aligns pairs in a band of the matrix, or by the whole matrix.
type exactBand struct {
	*given
	band    *banded // nil if the level has no kernel for it
	bounds  bounds
	unequal *unequal // has the matrix
}

// try aligns the loaded pair within a band of fixed width, and reports whether it could.
// guess is the expected score. The score found in a first band is optimal if it is small enough,
// and bounds the optimum if not.
func (a *exactBand) try(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	b := a.band
	r := b.allow((b.firstVectors(guess)*b.width - abs(b.end) - 2) / 2)
	s := b.fixed(!a.scoreOnly)
	if s <= min(b.certified(r), maxBandScore) {
		return a.finish(dst, s)
	}
	return a.within(dst, s)
}

// within aligns the loaded pair, of which an alignment of score bound is known.
func (a *exactBand) within(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, bool, error) {
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
	return a.finish(dst, s)
}

// finish finishes a pair of which the band has the optimal score s.
func (a *exactBand) finish(dst cigar.CIGAR, s int) (int, cigar.CIGAR, bool, error) {
	a.stats.Banded++
	if a.scoreOnly {
		return s, dst, true, nil
	}
	c, err := a.band.traceback(dst, s)
	return s, c, true, err
}

// bounded finds a bound on the score of the loaded pair, unless there is one, which is expected to be guess, and aligns
// it in a band, or by the matrix, where that costs less than wavefronts that have come to score
// done. It reports whether it did.
func (a *exactBand) bounded(dst cigar.CIGAR, guess, done int, bound *int) (int, cigar.CIGAR, bool, error) {
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
func (a *exactBand) searched(dst cigar.CIGAR, guess, done int, whole float64, bound *int) (int, cigar.CIGAR, bool, error) {
	if *bound == 0 {
		*bound = a.bounds.find(guess, whole)
	}
	if *bound > a.limit {
		*bound = a.limit + 1 // where wavefronts stop
	}
	if stopped(a.stop) {
		return 0, dst, false, errStopped
	}
	if a.band == nil {
		return 0, dst, false, nil
	}
	known := a.costs.pruned(a.band, *bound) // infinite if no band takes such a bound
	// The bound may be far too high.
	for s := guess + guess/4; a.costs.pruned(a.band, s) < min(a.costs.bounded(s, 0), known/boundDoubt); s *= 2 {
		found, ok := a.band.within(s, !a.scoreOnly, a.memory)
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case !ok:
			return 0, dst, false, nil
		case found <= s:
			return a.finish(dst, found)
		case found <= maxBandScore:
			*bound = min(*bound, found)
			return a.within(dst, *bound)
		}
	}
	if known > a.costs.bounded(*bound, done) {
		return 0, dst, false, nil
	}
	return a.within(dst, *bound)
}

// A band for the expected score comes first where it costs less than one part in boundDoubt of what one for the
// known bound costs.
const boundDoubt = 2

// matrix aligns the loaded pair by the matrix.
func (a *exactBand) matrix(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	s, dst, err := a.unequal.alignMatrix(dst)
	switch {
	case err != nil:
		return s, dst, err
	case s > a.limit:
		return s, dst, beyond(&a.stats.Banded)
	}
	a.stats.Banded++
	return s, dst, nil
}
