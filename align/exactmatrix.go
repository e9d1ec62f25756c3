package align

import "wfagpu/cigar"

// matrixDoubt is how many times what wavefronts have cost the matrix may cost: the expected score
// may be far too high.
const matrixDoubt = 4

// matrixPays reports whether the matrix should finish the loaded pair, whose score is expected to be
// guess and whose wavefronts have come to score done. Where penalties are large, a short pair has
// more scores than cells.
func (a *exact) matrixPays(guess, done int) bool {
	return a.unequal.matrixCost() < min(a.costs.wavefronts(guess, done), matrixDoubt*a.costs.wavefronts(done, 0))
}

// matrix aligns the loaded pair by the matrix.
func (a *exact) matrix(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
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
