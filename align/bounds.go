package align

import "math"

// bounds finds bounds on the scores of pairs: the scores of some alignments.
type bounds struct {
	*given
	band     *banded // to which the pair has been loaded, or nil
	adaptive *adaptiveAligner
}

// Costs in nanoseconds, as in choose.go.
const adaptiveScore = 40.0 // one score in an adaptive band

// find returns a bound on the score of the pair, which is expected to be guess. It is a high one if
// the search would cost more than most.
func (f *bounds) find(guess int, most float64) int {
	worst := f.pen.Worst(f.pattern.n, f.text.n)
	if b := f.band; b != nil && guess <= maxBandScore && b.reach(guess) >= 0 {
		vectors := float64(1 + 2*b.margin())
		if float64(b.total)*bandVector/2*vectors < adaptiveScore*float64(guess) {
			b.allow(b.reach(min(2*guess+64, worst)))
			if s := b.estimate(); s <= maxBandScore {
				return s
			}
		}
	}
	if f.adaptive == nil {
		f.adaptive = newAdaptiveAligner(f.kern, f.pen, 0)
	}
	f.adaptive.most = int(min(most/adaptiveScore, math.MaxInt32))
	var auto Approx
	for band, ok := auto.First(f.pattern.n, f.text.n); ok; band, ok = auto.WiderUntested(band) {
		switch f.adaptive.run(f.pattern, f.text, band, false, f.stop) {
		case bandReached:
			return min(worst, f.adaptive.s)
		case bandLost:
			return worst
		}
	}
	return worst
}
