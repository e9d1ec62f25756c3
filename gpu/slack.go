package gpu

import (
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// Kernels with a band of the matrix take pairs by the slack of their scores: what broken seeds do not tell of them. Its
// share of scores is much the same for pairs of one kind, and launches tell it.
const (
	// unknownSlack is the share before enough pairs have told it, and unknownWithin that of patterns within texts. If it is
	// too low, some passes fail; if it is too high, bands are not tried where they take the least time.
	unknownSlack  = 0.75
	unknownWithin = 0.9
	// usualPairs is the part of the pairs that have no more slack than the usual share. mostPairs is the part that a pass
	// with an upper bound of a pair's own score is to align.
	usualPairs = 0.5
	mostPairs  = 0.9
	// slackBins is the number of bins that shares are counted in.
	slackBins = 64
	// enoughSlacks is how many pairs tell the share, and mostSlacks are remembered.
	enoughSlacks = 32
	mostSlacks   = 1 << 14
)

// slackShares are shares of scores that are slack: the usual one, and one that few pairs exceed.
type slackShares struct{ usual, most float64 }

// likely returns a bound of the scores of many pairs. Most are below it, so that half of the pairs with scores as high need no more
// than the usual share of it, and of the others nearly all.
func (s *slackShares) likely(score int) kernel.Bound { return slackBound(score, s.usual) }

// upper returns an upper bound of the score of a pair, which it is near.
func (s *slackShares) upper(score int) kernel.Bound { return slackBound(score, s.most) }

func slackBound(score int, share float64) kernel.Bound {
	return kernel.Bound{Score: score, Slack: min(int(share*float64(score))+1, score)}
}

// slacks counts pairs of a length class by the share of their scores that is slack.
type slacks struct {
	bins  [slackBins]float64
	total float64
}

// learn adds observations.
func (s *slacks) learn(o *[slackBins]uint32) {
	for bin, n := range o {
		s.bins[bin] += float64(n)
		s.total += float64(n)
	}
	if fade := s.total / mostSlacks; fade > 1 {
		for bin := range s.bins {
			s.bins[bin] /= fade
		}
		s.total /= fade
	}
}

// known reports whether enough pairs have been counted.
func (s *slacks) known() bool { return s.total >= enoughSlacks }

// shares returns the shares that pairs of the class have.
func (s *slacks) shares() slackShares {
	return slackShares{s.quantile(usualPairs), s.quantile(mostPairs)}
}

// quantile returns the share of a score that some part of the pairs does not exceed.
func (s *slacks) quantile(part float64) float64 {
	sum := 0.0
	for bin, n := range s.bins {
		if sum += n; sum >= part*s.total {
			return float64(bin+1) / slackBins
		}
	}
	return 1
}

// within returns the part of the pairs with a score whose slack is at most some number. Before enough pairs are known, all
// have some share.
func (s *slacks) within(slack, score int, unknown float64) float64 {
	share := float64(slack) / float64(max(score, 1))
	switch {
	case share >= 1, !s.known() && share >= unknown:
		return 1
	case !s.known():
		return 0
	}
	sum := 0.0
	for _, n := range s.bins[:int(share*slackBins)] {
		sum += n
	}
	return sum / s.total
}

// slack counts what a result tells of the slack of a score, and takes it from the flags.
func (o *observations) slack(r *abi.Result, class int) {
	if share := int(r.Flags & abi.FlagSlack >> abi.FlagSlackShift); share > 0 {
		o.slacks[class][share*slackBins/256]++
		o.any[class] = true
		r.Flags &^= abi.FlagSlack
	}
}
