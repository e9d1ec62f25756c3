package estimate

import (
	"math"

	"wfagpu/gpu/internal/kernel"
)

// Kernels with a band of the matrix take pairs by the slack of their scores: what broken seeds and
// what is outside of bands do not tell of them. Its share of scores is much the same for pairs of
// one kind with as many errors, and launches tell it.
const (
	// leastUsual is the part of the pairs that have no more slack than the usual share, at least.
	// mostPairs is the part that a pass with an upper bound of a pair's own score is to align, and
	// the most that have no more than the usual share.
	leastUsual = 0.75
	mostPairs  = 0.9
	// slackBins is the number of shares that results tell, in 255ths.
	slackBins = 256
	// slackRates is the number of classes of rates, scores per letter: some to a power of two, from a power of two on.
	slackRates, ratesPerOctave, lowestSlackRate = 36, 3, -8
	// enoughSlacks is how many pairs tell the share, and mostSlacks are remembered.
	enoughSlacks = 32
	mostSlacks   = 1 << 12
	// shareSteps is the number of shares that are compared by the work they lead to.
	shareSteps = 16
)

// AgainWork is the cost of another pass beside its work, in cells.
const AgainWork = 20_000

// SlackRate returns the class of a score's rate.
func SlackRate(score, length int) int {
	rate := math.Log2(float64(max(score, 1)) / float64(max(length, 1)))
	return min(max(int(math.Floor(ratesPerOctave*(rate-lowestSlackRate))), 0), slackRates-1)
}

// scoreOf returns a score of the middle of a class of rates.
func scoreOf(rate, length int) int {
	return max(int(math.Exp2(lowestSlackRate+(float64(rate)+0.5)/ratesPerOctave)*float64(length)), 1)
}

// SlackShares are shares of scores that are slack, by rate: the usual one, and one that few pairs exceed.
type SlackShares [slackRates]struct{ Usual, Most float32 }

// Likely returns a bound of the scores of many pairs of a length. Most are below it, so that most
// of the pairs with scores as high need no more than the usual share of it, and of the others
// nearly all.
func (s *SlackShares) Likely(score, length int) kernel.Bound {
	return slackBound(score, s[SlackRate(score, length)].Usual)
}

// Upper returns an upper bound of the score of a pair of a length, which it is near.
func (s *SlackShares) Upper(score, length int) kernel.Bound {
	return slackBound(score, s[SlackRate(score, length)].Most)
}

func slackBound(score int, share float32) kernel.Bound {
	return kernel.Bound{Score: score, Slack: min(int(float64(share)*float64(score))+1, score)}
}

// slackCounts counts pairs of a length class by their rate and the share of their scores that is slack.
type slackCounts [slackRates][slackBins]uint32

// slacks counts pairs of a length class and of a rate by the share of their scores that is slack.
type slacks struct {
	bins  [slackBins]float64
	total float64
	came  float64 // all pairs so far
	// cheapest is the share with the least expected work, and cheapestAt how many pairs had come when it was chosen.
	cheapest   float32
	cheapestAt float64
}

// learn adds observations.
func (s *slacks) learn(o *[slackBins]uint32) {
	for _, n := range o {
		s.came += float64(n)
	}
	s.total = addFading(s.bins[:], s.total, o[:], mostSlacks)
}

// known reports whether enough pairs have been counted.
func (s *slacks) known() bool { return s.total >= enoughSlacks }

// quantile returns the share of a score that some part of the pairs does not exceed.
func (s *slacks) quantile(part float64) float32 {
	return min(float32(quantileBin(s.bins[:], s.total, part))/(slackBins-1), 1)
}

// usual returns the usual share: the cheapest one, within limits. Pairs whose scores no band
// certifies tell no slack, so that there are more with much slack than are known.
func (s *slacks) usual() float32 {
	least := s.quantile(leastUsual)
	if s.cheapest <= least {
		return least
	}
	return min(s.cheapest, s.quantile(mostPairs))
}

// stale reports whether the cheapest share should be chosen again: an eighth more pairs have come since.
func (s *slacks) stale() bool { return s.came > s.cheapestAt*9/8 }

// choose makes the share of a score with the least expected work the cheapest one, if a pair with more slack than that
// takes another pass, for its own. work is that of a pass for a slack, infinite if there is none.
func (s *slacks) choose(score int, work func(slack int) float64) {
	best, least := float32(1), work(score)
	again := 0.0 // expected work of the other passes
	for step := shareSteps - 1; step >= 0; step-- {
		share := s.quantile((float64(step) + 0.5) / shareSteps)
		pass := work(slackBound(score, share).Slack)
		if math.IsInf(pass, 1) {
			continue // such pairs fall back
		}
		if pass+again < least {
			best, least = share, pass+again
		}
		again += (AgainWork + pass) / shareSteps
	}
	s.cheapest, s.cheapestAt = best, s.came
}

// within returns the part of the pairs with a score whose slack is at most some number. Before
// enough pairs are known, all have some share.
func (s *slacks) within(slack, score int, unknown float32) float64 {
	share := float64(slack) / float64(max(score, 1))
	switch {
	case share >= 1, !s.known() && share >= float64(unknown):
		return 1
	case !s.known():
		return 0
	}
	sum := 0.0
	for _, n := range s.bins[:int(share*(slackBins-1))+1] {
		sum += n
	}
	return sum / s.total
}
