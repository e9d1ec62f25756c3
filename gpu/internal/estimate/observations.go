package estimate

import "wfagpu/gpu/internal/abi"

// Observations counts pairs by length class. Each runner has its own, and Learn clears them.
type Observations struct {
	Bins    [Classes][rateBins]uint32  // by RateBin
	Letters [Classes]float64           // sum of the lengths of these pairs
	Gated   [Classes]PassCounts        // gated passes
	slacks  [Classes]*slackCounts      // nil for none
	Passes  [Classes]*SlackPasses      // for slacks; nil for none
	seeds   [Classes]*[seedBins]uint32 // by seedBin; nil for none
	probed  [Classes]PassCounts        // first passes after probes
	Any     [Classes]bool              // there are any
}

// Add counts a pair.
func (o *Observations) Add(score, length, class int) { o.AddFor(1, score, length, class) }

// AddFor counts a pair that stands for some pairs.
func (o *Observations) AddFor(pairs, score, length, class int) {
	o.Bins[class][RateBin(score, length)] += uint32(pairs)
	o.Letters[class] += float64(length * pairs)
	o.Any[class] = true
}

// Tried counts gated passes of a class.
func (o *Observations) Tried(class, passes int) {
	o.Gated[class].Passes += float64(passes)
	o.Any[class] = true
}

// Failed counts one of them that has not worked out.
func (o *Observations) Failed(class int) { o.Gated[class].Failed++ }

// Slack counts what a result tells of the slack of a score, and takes it from the flags.
func (o *Observations) Slack(r *abi.Result, length, class int) {
	if share := int(r.Flags & abi.FlagSlack >> abi.FlagSlackShift); share > 0 {
		if o.slacks[class] == nil {
			o.slacks[class] = &slackCounts{}
		}
		o.slacks[class][SlackRate(int(r.Score), length)][share]++
		o.Any[class] = true
		r.Flags &^= abi.FlagSlack
	}
}

// SlackPass counts a pass for a slack of a pair of a length and a class, by its score bound.
func (o *Observations) SlackPass(from SlackSource, bound, length, class int, failed bool) {
	if o.Passes[class] == nil {
		o.Passes[class] = &SlackPasses{}
	}
	c := &o.Passes[class][from][SlackRate(bound, length)]
	c.Passes++
	if failed {
		c.Failed++
	}
	o.Any[class] = true
}
