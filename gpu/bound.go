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

// firstLimit is the score up to which a pair is looked at first.
func (e *Engine) firstLimit(rate float64, pattern, text int) int {
	p := e.penalties
	longer := max(pattern, text)
	step := max(p.Mismatch, p.GapOpen+p.GapExtend)
	var limit int
	switch b := e.bound; {
	case b.Score > 0:
		limit = b.Score / e.scale
	case b.Fraction > 0:
		limit = int(math.Ceil(b.Fraction * float64(longer) * float64(step)))
	default:
		limit = int(math.Ceil(rate*float64(longer))) + step
	}
	// A difference in length costs a gap whatever else there is.
	return min(limit+p.Gap(max(pattern, text)-min(pattern, text)), worstScore(p, pattern, text))
}

// nextLimit is the limit after one that was not enough.
func (e *Engine) nextLimit(limit, pattern, text int) int {
	step := max(e.penalties.Mismatch, e.penalties.GapOpen+e.penalties.GapExtend)
	return min(2*limit+step, worstScore(e.penalties, pattern, text))
}
