package align

import "sync/atomic"

// given is what the exact methods of an Aligner share: the options and the pair.
type given struct {
	kern      *kernels
	pen       Penalties // of the model, divided by their gcd
	scoreOnly bool
	memory    int
	limit     int // the largest score to report, in units of the gcd

	pattern, text *sequence // the pair
	costs         costModel
	stats         *Stats
	stop          *atomic.Bool // see Aligner
}

// letters returns the number of letters of the pair, both sequences together.
func (a *given) letters() int { return a.pattern.n + a.text.n }

// apart returns the part of an expected score, 0 where unknown, that is not for the gap between the lengths:
// however long, that is one error.
func (a *given) apart(score int) int {
	return score - min(max(0, score-1), a.costs.lengthGap(a.pattern.n, a.text.n))
}

// full reports whether the rows of wavefronts that are kept take more than their share of the memory.
func (a *given) full(w *wavefronts) bool {
	return !a.scoreOnly && 4*w.arena.taken > prefixBytes(a.memory)
}
