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
	// if an alignment has no errors, of detours; and the former if affine gaps certify the score.
	usualDetour, detourLetters, affineDetour = 40, 12, 110
	// Diagonals of bands with rims, as cuda/gotohrims.cuh tells them; usualRim has some for alignments that end further away than is likely.
	usualRim, rimDense = 30, 90
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
	if within {
		return min(slack, gapsCertify(p, true, halfWithin(p, &outside, score, length)))
	}
	half := halfOutside(score, outside.letter*float64(length), detourLetters)
	if outside.takesAffine(affineFrom, score, length) {
		half = min(half, affineDetour-usualDetour+halfOutside(score, outside.affine*float64(length), detourLetters))
	}
	return min(slack, gapsCertify(p, false, half))
}

// halfWithin returns the half of a band for which rims usually certify a score of pairs of a length.
func halfWithin(p align.Penalties, outside *outsideCosts, score, length int) int {
	letter := outside.letter
	if outside.takesAffine(affineRims, score, length) {
		letter = outside.affine
	}
	part := float64(score) / (letter * float64(length))
	if part >= 1 {
		return MaxBound / 4
	}
	return max(usualRim+rimWanders(p, score, part), rimLeast)
}

// rimWanders returns by how many diagonals alignments with a score wander, a part of what letters outside usually cost, as
// RimSums of cuda/gotohoutside.cuh does.
func rimWanders(p align.Penalties, score int, part float64) int {
	return int(math.Sqrt(float64(score)/float64(p.GapExtend)) + rimDense*part)
}

// ProbedSlack returns the slack that a score of a pattern within a text usually has, if its ends lie on diagonals twice `apart` from each
// other, in bands with some spare diagonals on either side.
func ProbedSlack(p align.Penalties, score, pattern, text, apart, spare int) int {
	outside := outsideCostsOf(p, pattern)
	part := min(float64(score)/(outside.letter*float64(pattern)), 2)
	likely := max(text-pattern-lettersAround, 0) / 2 // diagonals that every band has for the ends
	return gapsCertify(p, true, max(spare+rimWanders(p, score, part)+apart-likely, 1))
}

// halfOutside returns the half of a band for which what is outside usually certifies a score with detours: with some letters that the
// sequence outside does not make up for. The score is a part of what all letters would cost there; if that is most, no
// band is likely to do.
func halfOutside(score int, outside float64, letters int) int {
	part := float64(score) / outside
	if part >= 0.9 {
		return MaxBound / 4
	}
	return outsideInner + usualDetour + int(float64(letters)/math.Pow(1-part, 1.5))
}

// gapsCertify returns the largest score that gaps certify for sequences of one length, in a band
// with some diagonals on either side.
func gapsCertify(p align.Penalties, within bool, half int) int {
	if within {
		return p.GapOpen + p.GapExtend*half - 1
	}
	return 2*(p.GapOpen+p.GapExtend*half) - 1
}
