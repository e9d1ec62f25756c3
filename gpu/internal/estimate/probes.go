package estimate

import "math"

const (
	// Scores for each broken seed are counted in bins, 16 to a power of two, from 2^lowestPerSeed on.
	seedBins, seedsPerOctave, lowestPerSeed = 256, 16, -4
	// enoughSeeds is how many pairs tell the score of a seed, and mostSeeds are remembered.
	enoughSeeds, mostSeeds = 32, 1 << 12
	// mostProbed is the part of the pairs that have no higher score than is likely by their seeds.
	mostProbed = 0.97
	// failsAfterProbe is the part of the passes after probes that are to fail: for more, bands become wider by spareStep diagonals for each
	// pass, and narrower for fewer, by mostSpareStep at once. They have leastSpare beside those that they need, and mostSpare at most.
	failsAfterProbe, spareStep                       = 0.12, 1.5
	mostSpareStep, firstSpare, leastSpare, mostSpare = 40, 20, 0, 500
)

// ProbedPass counts a pass after a probe of a pair of a class.
func (o *Observations) ProbedPass(class int, failed bool) {
	c := &o.probed[class]
	c.Passes++
	if failed {
		c.Failed++
	}
	o.Any[class] = true
}

// spare is how many diagonals bands have beside those that they need after a probe.
type spare struct {
	diagonals float64
	known     bool
}

// learn adds passes. The first begin with some diagonals.
func (s *spare) learn(c PassCounts, first float64) {
	if c.Passes == 0 {
		return
	}
	if !s.known {
		s.diagonals, s.known = first, true
	}
	step := spareStep * (c.Failed - failsAfterProbe*c.Passes)
	s.diagonals += min(max(step, -mostSpareStep), mostSpareStep)
	s.diagonals = min(max(s.diagonals, leastSpare), mostSpare)
}

// Probed counts a pair with a score that a probe has found broken seeds of.
func (o *Observations) Probed(score, seeds, class int) {
	if o.seeds[class] == nil {
		o.seeds[class] = &[seedBins]uint32{}
	}
	each := math.Log2(float64(max(score, 1)) / float64(seeds))
	o.seeds[class][min(max(int(math.Floor(seedsPerOctave*(each-lowestPerSeed))), 0), seedBins-1)]++
	o.Any[class] = true
}

// seedCounts counts pairs of a class by their score for each broken seed.
type seedCounts struct {
	bins  [seedBins]float64
	total float64
}

// learn adds observations.
func (s *seedCounts) learn(o *[seedBins]uint32) {
	s.total = addFading(s.bins[:], s.total, o[:], mostSeeds)
}

// perSeed returns the score for each broken seed that few exceed, or one that holds otherwise if too few are known.
func (s *seedCounts) perSeed(otherwise float64) float64 {
	if s.total < enoughSeeds {
		return otherwise
	}
	return math.Exp2(lowestPerSeed + float64(quantileBin(s.bins[:], s.total, mostProbed)+1)/seedsPerOctave)
}
