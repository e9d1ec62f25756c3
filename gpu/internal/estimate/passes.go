package estimate

import (
	"math"

	"wfagpu/gpu/internal/kernel"
)

// shares are the candidates for bounds: shares of pairs that the first pass aligns.
var shares = []float64{0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.995}

// leastBounding is the least expected score of pairs that take a bounding pass: two
// passes of pairs with lower scores cost more than they save.
const leastBounding = 300

// ExactPass is an exact pass with a score bound.
type ExactPass struct {
	Work func(score int) float64 // how long it takes for a pair with a score, as kernel.Kernel.Work does
	// Most is the largest score that it aligns, kernel.MaxBound if none is too large, and Certified the slack up to which it aligns scores
	// up to that, kernel.MaxBound if it aligns all of them.
	Certified, Most int
}

// passes is what passes of pairs cost whose rates are h, all of the mean length. A bound far
// above the scores widens every wavefront or band; a bound below some scores makes these pairs
// cost twice. The best bound depends on the spread of the scores.
type passes struct {
	h      *rateHistogram
	length int
	scores [rateBins]int
	known  [rateBins]float64 // work of a pass whose bound is the score
	exact  func(length, bound int) ExactPass
	usual  *SlackShares // of scores
	// boundingWork is that of a bounding pass for a score, 0 if there is no such pass.
	boundingWork float64
	// gatedWork is that of a gated pass for a score; see Estimator. It is nil if there is no such pass.
	gatedWork func(score int) (work float64, aligned bool)
	// gatedFails is the share of these passes of late after which most of the work is still to do.
	gatedFails float64
}

func newPasses(h *rateHistogram, exact func(length, bound int) ExactPass) *passes {
	p := &passes{h: h, length: h.length(), exact: exact}
	p.scores = h.scores(p.length)
	for bin, score := range p.scores {
		if h.bins[bin] > 0 {
			p.known[bin] = exact(p.length, score).Work(score)
		}
	}
	return p
}

// cheapest returns the choice with the least expected work, and that work. It can be cheaper to find
// the bound of each pair, for then no pair costs twice, and no wavefront is wider than it must be.
func (p *passes) cheapest() (c choice, least float64) {
	c.bound, least = p.bound(0)
	c.again, _ = p.bound(c.bound)
	if p.boundingWork > 0 && p.h.quantile(0.5, 0)*float64(p.length) >= leastBounding {
		if work := p.bounded(0); work < least {
			c.bounding, least = true, work
		}
	}
	if p.gatedWork != nil {
		if work := p.gated(c); work < least {
			c.gated, least = true, work
		}
	}
	return c, least
}

// work returns the expected work of a choice.
func (p *passes) work(c choice) float64 {
	if c.gated && p.gatedWork != nil {
		return p.gated(c)
	}
	return p.ungated(c, 0)
}

// ungated returns the expected work of the pairs in the bins from first on with a choice's passes but
// gated ones.
func (p *passes) ungated(c choice, first int) float64 {
	if c.bounding {
		return p.bounded(first)
	}
	return p.within(c.bound, first)
}

// bound returns the bound, as a rate, with the least expected work for the pairs with rates
// above some rate, and that work. The rate is 0 if there are none.
func (p *passes) bound(above float64) (best, least float64) {
	first := p.h.after(above)
	if first == rateBins {
		return 0, 0
	}
	least = math.Inf(1)
	for _, share := range shares {
		rate := p.h.quantile(share, first)
		if work := p.within(rate, first); work < least {
			best, least = rate, work
		}
	}
	return best, least
}

// within returns the expected work of the pairs in the bins from first on with a bound.
func (p *passes) within(rate float64, first int) (work float64) {
	bound := int(rate * float64(p.length))
	pass := p.exact(p.length, bound)
	for bin := first; bin < rateBins; bin++ {
		n, score := p.h.bins[bin], p.scores[bin]
		if n == 0 {
			continue
		}
		aligned := 0.0
		switch {
		case score > pass.Most:
		case pass.Certified < kernel.MaxBound:
			rate := SlackRate(score, p.length)
			aligned = p.h.slacks[rate].within(pass.Certified, score, p.usual[rate].Usual)
		default:
			aligned = 1
		}
		work += n * (pass.Work(min(score, pass.Most)) + (1-aligned)*(AgainWork+1.2*p.known[bin]))
	}
	return work
}

// bounded returns the expected work of the pairs in the bins from first on with bounding passes.
func (p *passes) bounded(first int) (work float64) {
	for bin := first; bin < rateBins; bin++ {
		if n := p.h.bins[bin]; n > 0 {
			work += n * (p.boundingWork*float64(p.scores[bin]) + AgainWork + p.known[bin])
		}
	}
	return work
}

// gated returns the expected work of all pairs with gated passes. Other passes of a choice follow for the
// pairs that these do not align, those of higher scores and some of the others.
func (p *passes) gated(c choice) (work float64) {
	first := rateBins
	for bin, n := range &p.h.bins {
		if n == 0 {
			continue
		}
		pass, aligned := p.gatedWork(p.scores[bin])
		work += n * pass
		if aligned {
			work += n * p.gatedFails * (AgainWork + p.known[bin])
		} else {
			first = min(first, bin)
			work += n * AgainWork
		}
	}
	return work + p.ungated(c, first)
}

// BoundingIsLittle reports whether a bounding pass that takes perScore for a score, 0 if there is no
// such pass, takes a quarter of an exact pass at most, for pairs of a length and with a bound.
func BoundingIsLittle(perScore float64, exact func(length int, b kernel.Bound) ExactPass, length int, b kernel.Bound) bool {
	return perScore > 0 && b.Score >= leastBounding && 4*perScore*float64(b.Score) <= exact(length, b).Work(b.Score)
}
