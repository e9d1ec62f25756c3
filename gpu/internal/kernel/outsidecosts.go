package kernel

import "wfagpu/align"

const (
	// gotohSeed is the length of a seed; cuda/seedtable.cuh. mostSeeded is that of the longest sequences of which missing seeds are
	// counted; cuda/outsidecosts.cuh.
	gotohSeed, mostSeeded = 8, 1 << 16
	// indelsOutside is the number of indels of a letter of a segment outside, at least, and apartOutside that of letters from one missing
	// seed to the next.
	indelsOutside, apartOutside = 0.5, 8.4
)

// outsideCosts are what letters outside of a pair's band cost at least, as cuda/outsidecosts.cuh counts it.
type outsideCosts struct {
	seeds  bool    // of missing seeds, not of indels
	letter float64 // usual cost of a letter
}

// outsideCostsOf returns those of sequences, the longest of which has some letters.
func outsideCostsOf(p align.Penalties, longest int) outsideCosts {
	// Costs are doubled, as half of a mismatch may be no whole number.
	indel := min(2*p.GapExtend, p.Mismatch)
	seed := min(2*p.Mismatch, 2*p.Gap(1), p.GapOpen+2*p.GapExtend, 2*gotohSeed*p.GapExtend)
	if 2*seed > 9*indel && longest <= mostSeeded {
		return outsideCosts{seeds: true, letter: float64(seed) / 2 / apartOutside}
	}
	return outsideCosts{letter: indelsOutside * float64(indel) / 2}
}
