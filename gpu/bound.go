package gpu

import (
	"math"

	"wfagpu/align"
)

// ErrorBound is the user's idea of the worst pair. It decides which kernels
// and how much memory a pair gets at first, not the result. The zero value
// leaves that to what earlier pairs have shown.
type ErrorBound struct {
	Fraction float64 // errors per letter of the longer sequence
	Score    int     // or a score
}

// maxLimit keeps limits, and sums of a few of them, within the device's 32 bits,
// and below what stands for cells that nothing reaches.
const maxLimit = 1 << 30

// cheapestRun is the least that a run of anything but matches costs.
func cheapestRun(p align.Penalties) int { return min(p.Mismatch, p.GapOpen+p.GapExtend) }

// firstLimit is the score up to which a pair is looked at first: the user's
// bound, or what is likely.
func (e *Engine) firstLimit(rate float64, pattern, text int) int {
	longer := max(pattern, text)
	var limit int
	switch b := e.bound; {
	case b.Score > 0:
		limit = min(b.Score/e.scale, maxLimit)
	case b.Fraction > 0:
		limit = int(min(math.Ceil(b.Fraction*float64(longer)*float64(e.penalties.LongestStep())), maxLimit))
	default:
		return e.likelyLimit(rate, pattern, text)
	}
	return e.withGap(limit, pattern, text)
}

// likelyLimit is a limit that most pairs keep. rate is the score per letter
// that pairs of this length usually stay below.
func (e *Engine) likelyLimit(rate float64, pattern, text int) int {
	return e.withGap(int(rate*float64(max(pattern, text)))+e.penalties.LongestStep(), pattern, text)
}

// withGap adds to a limit what a difference in length costs whatever else there
// is, and bounds it by the worst score.
func (e *Engine) withGap(limit, pattern, text int) int {
	p := e.penalties
	return min(limit+p.LengthGap(pattern, text), p.Worst(pattern, text), maxLimit)
}

// nextLimit is the limit after one that was not enough. If that was the user's
// bound, what is likely comes next. Most pairs beyond a likely limit are just
// beyond it; those that are not get there in a few doublings.
func (e *Engine) nextLimit(t *task, rate float64, pattern, text int) int {
	limit := int(t.limit)
	next := 2 * limit
	guesses := uint8(0) // attempts by likelihood so far
	if e.bound == (ErrorBound{}) {
		guesses = 1
	}
	switch t.attempts + guesses {
	case 0:
		next = max(next, e.likelyLimit(rate, pattern, text))
	case 1:
		next = limit * 5 / 4
	}
	return min(next+e.penalties.LongestStep(), e.penalties.Worst(pattern, text), maxLimit)
}
