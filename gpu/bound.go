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

// worstScore is an upper bound on the optimal score: the cheaper of two gaps
// over everything and mismatches with one gap for the rest.
func worstScore(p align.Penalties, pattern, text int) int {
	short := min(pattern, text)
	gaps := p.Gap(pattern) + p.Gap(text)
	return min(gaps, p.Mismatch*short+p.Gap(max(pattern, text)-short))
}

// longestStep is the largest amount by which one operation raises the score.
func longestStep(p align.Penalties) int { return max(p.Mismatch, p.GapOpen+p.GapExtend) }

// cheapestRun is the least that a run of anything but matches costs.
func cheapestRun(p align.Penalties) int { return min(p.Mismatch, p.GapOpen+p.GapExtend) }

// firstLimit is the score up to which a pair is looked at first. rate is the
// score per letter that pairs of its length usually stay below.
func (e *Engine) firstLimit(rate float64, pattern, text int) int {
	p := e.penalties
	longer, shorter := max(pattern, text), min(pattern, text)
	step := longestStep(p)
	var limit int
	switch b := e.bound; {
	case b.Score > 0:
		limit = b.Score / e.scale
	case b.Fraction > 0:
		limit = int(math.Ceil(b.Fraction * float64(longer) * float64(step)))
	default:
		limit = int(rate*float64(longer)) + step
	}
	// A difference in length costs a gap whatever else there is.
	return min(limit+p.Gap(longer-shorter), worstScore(p, pattern, text))
}

// nextLimit is the limit after one that was not enough. Most pairs beyond a
// limit are just beyond it; those that are not get there in a few doublings.
func (e *Engine) nextLimit(t *task, pattern, text int) int {
	limit := 2 * int(t.limit)
	if t.attempts == 0 && e.bound == (ErrorBound{}) {
		limit = int(t.limit) * 5 / 4
	}
	return min(limit+longestStep(e.penalties), worstScore(e.penalties, pattern, text))
}
