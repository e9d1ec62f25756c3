package gpu

import (
	"math"
	"math/bits"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// boundRule derives score bounds of pairs from the user's or from the scores of earlier
// pairs.
type boundRule struct {
	penalties align.Penalties // reduced
	scale     int             // their gcd
	limit     int             // the largest score to report
	user      ErrorBound
}

// worst returns the largest bound that a pair may need, at most the limit.
func (b *boundRule) worst(pattern, text int) int {
	return min(b.penalties.Worst(pattern, text), kernel.MaxBound, b.limit)
}

// firstBound returns the bound of a pair's first exact pass: the user's, or a
// likely one.
func (b *boundRule) firstBound(rate float64, pattern, text int) int {
	longer := max(pattern, text)
	var bound int
	switch user := b.user; {
	case user.Score > 0:
		bound = min(user.Score/b.scale, kernel.MaxBound)
	case user.Fraction > 0:
		bound = int(min(math.Ceil(user.Fraction*float64(longer)*float64(b.penalties.LongestStep())), kernel.MaxBound))
	default:
		return b.likelyBound(rate, pattern, text)
	}
	return b.withGap(bound, pattern, text)
}

// likelyBound returns a bound that most pairs do not exceed.
func (b *boundRule) likelyBound(rate float64, pattern, text int) int {
	return b.withGap(int(rate*float64(max(pattern, text)))+b.penalties.LongestStep(), pattern, text)
}

// withGap adds the cost of the difference in length to a bound. The result is at
// most the worst score.
func (b *boundRule) withGap(bound, pattern, text int) int {
	return min(bound+b.penalties.LengthGap(pattern, text), b.worst(pattern, text))
}

// littleBound is a score bound whose rows or checkpoints take little memory.
const littleBound = 1000

// nextBound returns the bound that follows t's, which the pair exceeds. A likely
// bound follows the user's. Most pairs exceed a likely bound by little, so the next
// bound is 5/4 of it; later bounds double.
func (b *boundRule) nextBound(t *task, r *estimate.Rates) int {
	pattern, text, bound := int(t.pattern), int(t.text), int(t.bound)
	next := 2 * bound
	guesses := t.attempts // bounds tried before: the user's and likely ones
	if b.user == (ErrorBound{}) {
		guesses++
	}
	switch guesses {
	case 0:
		next = max(next, b.likelyBound(r[t.class].Bound, pattern, text))
	case 1:
		again := b.withGap(int(r[t.class].Again*float64(max(pattern, text))), pattern, text)
		next = max(bound*5/4, min(again, max(2*bound, littleBound)))
	}
	return min(next+b.penalties.LongestStep(), b.worst(pattern, text))
}

const (
	// gatedErrors is the largest share of errors, of the letters of both sequences, of pairs that a gated
	// pass is expected to align.
	gatedErrors = 0.015
	// leastGated is the least bound of a gated pass.
	leastGated = 512
)

// gatedBound returns the bound of a gated pass for one that is enough: a power of two, so that pairs of many
// lengths share launches. It costs little.
func gatedBound(enough int) int { return 1 << bits.Len(uint(max(enough, leastGated)-1)) }

// few reports whether an upper bound of a score, 0 if none is known, tells that a pair of a length
// has no more errors than a gated pass is expected to align.
func (b *boundRule) few(above, length int) bool { return above > 0 && above <= b.gatedScore(length) }

// gatedScore returns the highest score of pairs of a length that a gated pass is expected to align.
func (b *boundRule) gatedScore(length int) int {
	return int(gatedErrors * float64(2*length) * float64(b.penalties.Mismatch+2*b.penalties.Gap(1)) / 3)
}
