package kernel

import "wfagpu/align"

const (
	// gotohSeed is the length of a seed; cuda/seedtable.cuh. mostSeeded is that of the longest sequences of which missing seeds are
	// counted; cuda/outsidecosts.cuh.
	gotohSeed, mostSeeded = 8, 1 << 16
	// Shares of what letters usually cost: above affineFrom affine gaps outside of detours certify scores, too, if these tell more, and
	// above affineFirst they alone, and rims take them above affineRims; cuda/outsidecosts.cuh.
	affineFrom, affineFirst, affineRims = 0.6, 1.0, 1.0
)

// outsideCosts are what letters outside of a pair's band cost at least, as cuda/outsidecosts.cuh measures it.
type outsideCosts struct {
	seeds  bool    // of missing seeds, not of indels, but for high scores
	letter float64 // usual cost of a letter
	affine float64 // usual cost of a letter by affine gaps, 0 if these do not tell more
}

// outsideCostsOf returns those of sequences, the longest of which has some letters.
func outsideCostsOf(p align.Penalties, longest int) outsideCosts {
	// Costs are doubled, as half of a mismatch may be no whole number.
	indel := min(2*p.GapExtend, p.Mismatch)
	seed := min(2*p.Mismatch, 2*p.Gap(1), p.GapOpen+2*p.GapExtend, 2*gotohSeed*p.GapExtend)
	o := outsideCosts{letter: 0.25 * float64(indel)}
	if 2*seed > 9*indel && longest <= mostSeeded {
		o = outsideCosts{seeds: true, letter: 0.06 * float64(seed)}
	}
	if affine := 0.4 * float64(min(indel, p.GapOpen)); 5*o.letter <= 4*affine {
		o.affine = affine
	}
	return o
}

// takesAffine reports whether affine gaps certify a score of a pattern that is above a share of what letters usually cost.
func (o *outsideCosts) takesAffine(share float64, score, pattern int) bool {
	return o.affine > 0 && float64(score) > share*o.letter*float64(pattern)
}
