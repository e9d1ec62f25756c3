package kernel

import (
	"math"

	"wfagpu/align"
)

// Before pairs have told the slack of their scores, it is the share of a score that broken seeds
// mostly leave, and less where what is outside of bands is likely to certify scores. Fitted to
// reads of several kinds. If it is too low, some passes fail; if it is too high, bands are not
// tried where they take the least time.
const (
	unknownSlack, unknownWithin = 0.75, 0.9
	// Diagonals beside the inner cells, and letters that the sequence outside does not make up for,
	// if an alignment has no errors: of detours, and of what is outside of rims.
	usualDetour, detourLetters = 40, 12
	usualRim, rimLetters       = 40, 13
	affineDetour               = 110 // of detours, if affine gaps certify the score
	// rimLeast is the least half of bands with rims that slacks tell; cuda/gotohrims.cuh.
	rimLeast = 70
)

// UsualSlack returns the slack that a score of pairs of a length usually has, with penalties; of
// patterns within texts, or of pairs.
func UsualSlack(p align.Penalties, within bool, score, length int) int {
	share := unknownSlack
	if within {
		share = unknownWithin
	}
	slack := max(int(share*float64(score)), 1)
	outside := outsideCostsOf(p, length)
	detour, letters := outsideInner+usualDetour, detourLetters
	if within {
		detour, letters = usualRim, rimLetters
	}
	half := halfOutside(score, outside.letter*float64(length), detour, letters)
	switch {
	case within: // rims do without affine gaps
		half = max(half, rimLeast)
	case outside.takesAffine(affineFrom, score, length):
		half = min(half, halfOutside(score, outside.affine*float64(length), outsideInner+affineDetour, letters))
	}
	return min(slack, gapsCertify(p, within, half))
}

// halfOutside returns the half of a band for which what is outside usually certifies a score: diagonals for one of no errors, and
// letters that the sequence outside does not make up for. The score is a part of what all letters would cost there; if that is most, no
// band is likely to do.
func halfOutside(score int, outside float64, diagonals, letters int) int {
	part := float64(score) / outside
	if part >= 0.9 {
		return MaxBound / 4
	}
	return diagonals + int(float64(letters)/math.Pow(1-part, 1.5))
}

// gapsCertify returns the largest score that gaps certify for sequences of one length, in a band
// with some diagonals on either side.
func gapsCertify(p align.Penalties, within bool, half int) int {
	if within {
		return p.GapOpen + p.GapExtend*half - 1
	}
	return 2*(p.GapOpen+p.GapExtend*half) - 1
}
