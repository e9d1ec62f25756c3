package align

import (
	"errors"
	"fmt"
	"math"

	"wfagpu/cigar"
)

// Beyond is the score of a pair whose optimal score is Options.Cutoff or more. No alignment
// has this score: similarities may be below zero.
const Beyond = math.MinInt

// ValidateCutoff reports whether a cutoff is in range and allowed in a mode.
func ValidateCutoff(cutoff int, approx *Approx) error {
	switch {
	case cutoff < 0:
		return fmt.Errorf("cutoff %d is negative", cutoff)
	case cutoff > 0 && approx != nil:
		return errors.New("a cutoff is for the exact mode: scores of the approximate mode are upper bounds")
	}
	return nil
}

// MostBelow returns the largest score below a cutoff in units of the penalties' greatest common
// divisor scale, one that no pair reaches without a cutoff.
func MostBelow(cutoff, scale int) int {
	if cutoff == 0 {
		return math.MaxInt - 1
	}
	return (cutoff - 1) / scale
}

// errBeyond ends a pair whose score is above the limit.
var errBeyond = errors.New("the score is above the limit")

// beyond counts a pair whose score is above the limit as finished by a method.
func beyond(by *int64) error {
	*by++
	return errBeyond
}

// result makes the result of a pair of so many letters from its reduced cost.
func (a *Aligner) result(s int, c cigar.CIGAR, err error, letters int) (int, cigar.CIGAR, error) {
	switch {
	case err == errBeyond || err == nil && s > a.limit:
		a.stats.Beyond++
		return Beyond, c[:0], nil
	case err != nil:
		return 0, c, err
	}
	return a.model.Score(s, letters), c, nil
}
