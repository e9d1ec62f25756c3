package passes

import (
	"math"
	"math/bits"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// BoundRule derives score bounds of pairs from the user's or from the scores of earlier
// pairs.
type BoundRule struct {
	Penalties align.Penalties // reduced
	Scale     int             // their gcd
	Limit     int             // the largest score to report
	User      ErrorBound
}

// Worst returns the largest bound that a pair may need, at most the limit.
func (b *BoundRule) Worst(pattern, text int) int {
	return min(b.Penalties.Worst(pattern, text), kernel.MaxBound, b.Limit)
}

// firstBound returns the bound of a pair's first exact pass: the user's, or a
// likely one.
func (b *BoundRule) firstBound(rate float64, pattern, text int) int {
	longer := max(pattern, text)
	var bound int
	switch user := b.User; {
	case user.Score > 0:
		bound = min(user.Score/b.Scale, kernel.MaxBound)
	case user.Fraction > 0:
		bound = int(min(math.Ceil(user.Fraction*float64(longer)*float64(b.Penalties.LongestStep())), kernel.MaxBound))
	default:
		return b.likelyBound(rate, pattern, text)
	}
	return b.withGap(bound, pattern, text)
}

// likelyBound returns a bound that most pairs do not exceed.
func (b *BoundRule) likelyBound(rate float64, pattern, text int) int {
	return b.withGap(int(rate*float64(max(pattern, text)))+b.Penalties.LongestStep(), pattern, text)
}

// withGap adds the cost of the difference in length to a bound. The result is at
// most the worst score.
func (b *BoundRule) withGap(bound, pattern, text int) int {
	return min(bound+b.Penalties.LengthGap(pattern, text), b.Worst(pattern, text))
}

// littleBound is a score bound whose rows or checkpoints take little memory.
const littleBound = 1000

// NextBound returns the bound that follows t's, which the pair exceeds. A likely
// bound follows the user's. Most pairs exceed a likely bound by little, so the next
// bound is 5/4 of it; later bounds double.
func (b *BoundRule) NextBound(t *Task, r *estimate.Rates) int {
	pattern, text, bound := int(t.Pattern), int(t.Text), int(t.Bound)
	next := 2 * bound
	guesses := t.Attempts // bounds tried before: the user's and likely ones
	if b.User == (ErrorBound{}) {
		guesses++
	}
	switch guesses {
	case 0:
		next = max(next, b.likelyBound(r[t.Class].Bound, pattern, text))
	case 1:
		again := b.withGap(int(r[t.Class].Again*float64(max(pattern, text))), pattern, text)
		next = max(bound*5/4, min(again, max(2*bound, littleBound)))
	}
	return min(next+b.Penalties.LongestStep(), b.Worst(pattern, text))
}

const (
	// gatedErrors is the largest share of errors, of the letters of both sequences, of pairs that a gated
	// pass is expected to align.
	gatedErrors = 0.015
	// LeastGated is the least bound of a gated pass.
	LeastGated = 512
)

// gatedBound returns the bound of a gated pass for one that is enough: a power of two, so that pairs of many
// lengths share launches. It costs little.
func gatedBound(enough int) int { return 1 << bits.Len(uint(max(enough, LeastGated)-1)) }

// Few reports whether an upper bound of a score, 0 if none is known, tells that a pair of a length
// has no more errors than a gated pass is expected to align.
func (b *BoundRule) Few(above, length int) bool { return above > 0 && above <= b.GatedScore(length) }

// GatedScore returns the highest score of pairs of a length that a gated pass is expected to align.
func (b *BoundRule) GatedScore(length int) int {
	return int(gatedErrors * float64(2*length) * float64(b.Penalties.Mismatch+2*b.Penalties.Gap(1)) / 3)
}
