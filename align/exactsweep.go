package align

import (
	"math"

	"wfagpu/cigar"
)

// exactSweep aligns pairs globally by sweeps, whose cells hold costs of any size, where scores are too high
// for bands: wavefronts cost the square of such scores.
type exactSweep struct {
	*given
	model Model
	sweep sweepMethod
}

// sweepSeen is how many times the score to which wavefronts have come they may predict for a sweep to take
// their place: what the first errors predict may be far too high.
const sweepSeen = 64

// newExactSweep returns nil if the level has no sweeps.
func newExactSweep(g *given) *exactSweep {
	if g.kern.sweep16 == nil {
		return nil
	}
	return &exactSweep{
		given: g,
		model: Model{Span: Global, Mismatch: g.pen.Mismatch, Gap: Gap{g.pen.GapOpen, g.pen.GapExtend}, Scale: 1},
		sweep: sweepMethod{kern: g.kern, scoreOnly: g.scoreOnly, memory: g.memory},
	}
}

// pays reports whether a sweep should align the loaded pair, whose score is expected, rather than
// wavefronts, which have come to score done.
func (a *exactSweep) pays(expected, done int) bool {
	if a == nil || expected <= maxBandScore {
		return false
	}
	return sweepCost(a.kern, &a.model, a.pattern.n, a.text.n, expected) < a.costs.bounded(expected, done)
}

// try aligns the loaded pair, whose score is likely to be at most bound, and reports whether it could.
func (a *exactSweep) try(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, bool, error) {
	if !a.model.costsFit(a.pattern.n, a.text.n) {
		return 0, dst, false, nil
	}
	r, ok, err := a.align(dst, min(bound, a.limit), true)
	switch {
	case err != nil || !ok:
		return 0, dst, false, err
	case r.cost > a.limit:
		return 0, dst, false, beyond(&a.stats.Banded)
	}
	a.stats.Banded++
	return r.cost, r.cigar, true, nil
}

// align aligns the loaded pair by a sweep with a bound, as sweepMethod has it.
func (a *exactSweep) align(dst cigar.CIGAR, bound int, predicted bool) (spanResult, bool, error) {
	x := &a.sweep
	x.stop, x.bound, x.predicted, x.limit = a.stop, bound, predicted, a.limit
	return x.align(dst, &a.model, a.pattern, a.text)
}

// sweepTrace is how many times what its cells cost a sweep of a whole matrix may cost with a traceback, which computes some again.
const sweepTrace = 2

// sweepBytes is the most bytes that such a sweep stores for each letter of the longer sequence, at least.
const sweepBytes = 32

// wholeCost estimates what a sweep of the whole matrix of the loaded pair costs. It is infinite if there is none, or too little
// memory.
func (a *exactSweep) wholeCost() float64 {
	switch {
	case a == nil, min(a.pattern.n, a.text.n) == 0, !a.model.costsFit(a.pattern.n, a.text.n):
		return math.Inf(1)
	case !a.scoreOnly && sweepBytes*max(a.pattern.n, a.text.n) > a.memory:
		return math.Inf(1)
	}
	cost := sweepCost(a.kern, &a.model, a.pattern.n, a.text.n, 0)
	if !a.scoreOnly {
		cost *= sweepTrace
	}
	return cost
}

// whole aligns the loaded pair by a sweep of the whole matrix, whose cost is not infinite.
func (a *exactSweep) whole(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	r, ok, err := a.align(dst, -1, false)
	if err == nil && !ok {
		err = errSpanMethod
	}
	return r.cost, r.cigar, err
}
