package align

import "wfagpu/cigar"

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
