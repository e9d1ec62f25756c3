package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// spanChoice aligns pairs of any span by wavefronts where they are similar, and else by sweeps.
type spanChoice struct {
	kern  *kernels
	waves wavesMethod
	sweep sweepMethod
	rate  costRate // of the letters of patterns

	bundle *bundle // nil for models that it does not take
	queue  *bundle // bundle while pairs may wait
}

func newSpanChoice(k *kernels, scoreOnly bool, memory int) *spanChoice {
	x := &spanChoice{
		kern:  k,
		waves: wavesMethod{kern: k, scoreOnly: scoreOnly, memory: memory},
		sweep: sweepMethod{kern: k, scoreOnly: scoreOnly, memory: memory, bound: -1},
	}
	if k.sweep16 != nil {
		x.waves.most = historyMost * memory
	}
	return x
}

// historyMost is how many times the memory the history of wavefronts may take. Sweeps take less.
const historyMost = 3

func (x *spanChoice) stopOn(stop *atomic.Bool) {
	x.waves.stopOn(stop)
	x.sweep.stopOn(stop)
}

// align takes the pairs that one of its methods takes. While pairs may wait, it ends with errWaits for
// one that does.
func (x *spanChoice) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	r, ok, err := x.try(dst, m, pattern, text)
	if ok {
		x.observe(m, r.cost, pattern.n, text.n)
	}
	return r, ok, err
}

// observe records the cost of a pair: where it ends anywhere without what texts of other lengths leave out.
func (x *spanChoice) observe(m *Model, cost, pattern, text int) {
	if m.Span.EndsAnywhere() {
		cost = max(0, cost-m.FreeLetter*(text-pattern))
	}
	x.rate.observe(cost, pattern)
}

func (x *spanChoice) try(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if !m.Span.EndsAnywhere() {
		x.waves.guess = x.rate.expected(pattern.n)
		x.waves.budget = x.sweeps(m, pattern.n, text.n)
		waits := false
		if q := x.queue; q != nil && q.takes(pattern.n, text.n) {
			c := q.cost(pattern.n, text.n)
			waits = c < x.waves.budget || text.n <= 2*pattern.n && c < worthWaiting(x.waves.budget)
			x.waves.budget = min(x.waves.budget, c)
		}
		r, ok, err := x.waves.align(dst, m, pattern, text)
		if ok || err != nil {
			return r, ok, err
		}
		if waits {
			x.queue.add(pattern, text)
			return spanResult{}, false, errWaits
		}
	}
	x.sweep.bound, x.sweep.predicted = -1, false
	if m.Span.EndsAnywhere() {
		return x.endsAnywhere(dst, m, pattern, text)
	}
	x.waves.release()
	if guess := max(x.waves.guess, x.waves.predicted); guess > 0 || pattern.n >= boundedLetters {
		x.sweep.bound, x.sweep.predicted = likelyBound(guess), guess > 0
	}
	return x.sweep.align(dst, m, pattern, text)
}

// endsAnywhere aligns a pair whose alignment ends anywhere. Of long pairs a beam finds a bound.
func (x *spanChoice) endsAnywhere(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	x.waves.guess = 0
	waits := true
	if pattern.n >= boundedLetters {
		x.sweep.bound = 0
		x.waves.guess = x.rate.expected(pattern.n)
		waits = x.waves.guess > 0
	}
	if q := x.queue; q != nil && waits && q.takes(pattern.n, text.n) && q.cost(pattern.n, text.n) < sweepShare*x.sweeps(m, pattern.n, text.n) {
		q.add(pattern, text)
		return spanResult{}, false, errWaits
	}
	return x.sweep.align(dst, m, pattern, text)
}

// sweepMargin is how much more than is expected a sweep looks for. For a pattern of boundedLetters it
// looks for a bound by itself.
const (
	sweepShare     = 2 // short sweeps take so many times as long where they have a traceback or a beam,
	sweepLong      = 0.85
	sweepMore      = 100_000.0 // and long ones so many nanoseconds longer
	sweepMargin    = 32
	boundedLetters = 1000
)

// likelyBound returns what an alignment is likely not to exceed that is expected to cost guess.
func likelyBound(guess int) int { return guess + guess/4 + sweepMargin }

// worthWaiting returns up to which cost a pair waits for a bundle that sweeps estimates to cost so much.
// In bundles of long pairs many lanes end early.
func worthWaiting(sweep float64) float64 { return min(sweepShare*sweep, sweepLong*sweep+sweepMore) }

// sweeps estimates what a pair of the cost that is expected costs without wavefronts.
func (x *spanChoice) sweeps(m *Model, pattern, text int) float64 {
	if x.kern.sweep16 == nil {
		return matrixCell * float64(pattern) * float64(text)
	}
	return sweepCost(x.kern, m, pattern, text, x.waves.guess)
}

// sweepCost estimates what a sweep of a pair costs in nanoseconds, which is expected to cost guess, or 0 if nothing is
// known. It is infinite for a pair that no sweep takes.
func sweepCost(k *kernels, m *Model, pattern, text, guess int) float64 {
	if k.sweep16 == nil {
		return math.Inf(1)
	}
	f, ok := newSweepFrame(k, m, pattern, text)
	if !ok {
		return math.Inf(1)
	}
	r, whole := f.choose(pattern, text)
	if guess == 0 {
		return whole
	}
	// A sweep within a bound, and a beam before it: all begins for some rows, and the cells around
	// the alignment.
	rows := r.vectors * f.lanes
	around := m.longest(guess)
	columns := pattern/rows*(around+3*rows) + firstWidth(m, pattern, text)*(2+around/2/rows)
	return min(whole, sweepSetup+float64(text)*sweepColumn+float64(columns)*r.step)
}
