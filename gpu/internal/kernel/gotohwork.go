package kernel

const (
	// gotohError is the work of an error in the traceback.
	gotohError = 400
	// seedWork is the work of a letter of a pair in counting broken seeds, missingWork that of a letter of the pattern in counting
	// missing ones, outsideWork that of a cell outside the band in counting indels, and affineWork in measuring affine gaps.
	seedWork, missingWork, outsideWork, affineWork = 1, 8, 0.018, 0.054
	// outsideInner is about half of a band inside its inner cells.
	outsideInner = 40
	// seedShare is the usual share of a score that broken seeds do not tell, and rimSeedShare that of a bound with free ends.
	seedShare, rimSeedShare = 0.5, 0.4
)

// Work counts the cells of the band, and the errors for each of which the traceback recomputes cells. A step of a strip
// takes as long as some more cells.
func (k *gotoh) Work(pattern, text, score, bound int) float64 {
	steps := k.steps(pattern, text)
	if k.free { // rows that begin and end an alignment are looked at strip by strip
		steps += k.strips() + k.endSteps()
	}
	work := k.stepWork() * float64(steps)
	if k.seeds != nil {
		work += seedWork * float64(pattern+text)
	}
	if k.looks() {
		work += k.workOutside(pattern, text, score, bound)
	}
	if k.trace != nil {
		work += gotohError * errorsOf(k.penalties, score)
	}
	return work
}

// workOutside returns the work of counting what is outside of the band: enough for the score that the band has, or, ahead of the band,
// for the bound.
func (k *gotoh) workOutside(pattern, text, score, bound int) float64 {
	first := affineFirst
	if k.free {
		score, first = bound, affineRims
	}
	beyond := max(min(k.beyond(score), float64(text)/2), 0)
	if beyond == 0 {
		return 0
	}
	outside := outsideCostsOf(k.penalties, max(pattern, text))
	switch {
	case outside.takesAffine(first, score, pattern):
		return affineWork * 2 * beyond * float64(pattern)
	case outside.seeds:
		return missingWork * float64(pattern)
	}
	return outsideWork * 2 * beyond * float64(pattern)
}

// endSteps returns how many steps take as long as what the ends of a pattern within a text add to
// theirs, of all pairs of a warp.
func (k *gotoh) endSteps() int {
	switch {
	case k.lanes <= 8:
		return 500
	case k.lanes <= 16:
		return 100
	}
	return 0
}

// beyond returns how far from the inner cells letters are usually looked at to certify a score: as
// far as gaps lead that seeds do not certify, one gap, or one out and one back.
func (k *gotoh) beyond(score int) float64 {
	if k.free {
		return rimSeedShare*float64(score)/float64(k.penalties.GapExtend) - outsideInner
	}
	return seedShare*float64(score)/float64(2*k.penalties.GapExtend) - outsideInner
}

func (k *gotoh) rank() float64 { return k.stepWork() }

// stepWork returns the work of a step of all strips.
func (k *gotoh) stepWork() float64 {
	besides, _ := k.stripWork()
	return k.cell * float64(k.strips()*(k.columns+besides))
}

// stripWork returns how many cells take as long as what else there is to do in a step of a strip:
// when strips come, values at the edges are stored, or rims move; and the work of a cell then, in
// those of bands without either.
func (k *gotoh) stripWork() (besides int, cell float64) {
	switch {
	case k.detours != nil:
		return 7, 0.92
	case k.outside != nil:
		return 12, 0.92
	}
	return 4, 1
}

// cellWork returns the work of a cell.
func (k *gotoh) cellWork() float64 {
	work := 0.25
	if k.trace != nil {
		work = 0.28
	}
	_, share := k.stripWork()
	work *= share
	if warps := k.lanes / 32; warps > 1 {
		// Each of the four schedulers of an SM has as many warps, or one more.
		resident := gotohWarps / warps * warps
		work *= 1.08 * float64((resident+3)/4*4) / float64(resident)
	}
	return work
}
