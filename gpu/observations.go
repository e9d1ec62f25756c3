package gpu

import "wfagpu/gpu/internal/abi"

// observations counts pairs by length class and rate. Each runner has its own.
type observations struct {
	bins    [classes][rateBins]uint32
	letters [classes]float64
	gated   [classes]passCounts
	slacks  [classes]*slackCounts // nil for none
	passes  [classes]*slackPasses // for slacks; nil for none
	any     [classes]bool
}

// add counts a pair.
func (o *observations) add(score, length, class int) { o.addFor(1, score, length, class) }

// addFor counts a pair that stands for some pairs.
func (o *observations) addFor(pairs, score, length, class int) {
	o.bins[class][rateBin(score, length)] += uint32(pairs)
	o.letters[class] += float64(length * pairs)
	o.any[class] = true
}

// tried counts gated passes of a class, and failed one that has not worked out.
func (o *observations) tried(class, passes int) {
	o.gated[class].passes += float64(passes)
	o.any[class] = true
}

func (o *observations) failed(class int) { o.gated[class].failed++ }

// slack counts what a result tells of the slack of a score, and takes it from the flags.
func (o *observations) slack(r *abi.Result, length, class int) {
	if share := int(r.Flags & abi.FlagSlack >> abi.FlagSlackShift); share > 0 {
		if o.slacks[class] == nil {
			o.slacks[class] = &slackCounts{}
		}
		o.slacks[class][slackRate(int(r.Score), length)][share]++
		o.any[class] = true
		r.Flags &^= abi.FlagSlack
	}
}

// slackPass counts a pass for a slack of a pair of a length and a class, by its score bound.
func (o *observations) slackPass(from slackSource, bound, length, class int, failed bool) {
	if o.passes[class] == nil {
		o.passes[class] = &slackPasses{}
	}
	c := &o.passes[class][from][slackRate(bound, length)]
	c.passes++
	if failed {
		c.failed++
	}
	o.any[class] = true
}
