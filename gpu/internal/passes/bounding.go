package passes

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// Bounds reports whether a kernel finds bounds for exact passes.
func (p *Policy) Bounds(kernel uint8) bool { return int(kernel) >= p.Kernels.Bounding }

// BoundingWork returns how long a bounding pass takes for a score of pairs of a class and some length, as
// kernel.Kernel.Work does, 0 if there is no such pass.
func (p *Policy) BoundingWork(class, length int) float64 {
	if !p.exactly(uint8(class)) {
		return 0
	}
	return p.BoundWork(length)
}

// boundingPays reports whether a task that exceeds its first likely bound goes on with a bounding
// pass, and in which band: if that takes little beside an exact pass with the next bound, which the
// score may be far from.
func (p *Policy) boundingPays(t *Task, next kernel.Bound) (b align.AdaptiveBand, pays bool) {
	length := int(max(t.Pattern, t.Text))
	if t.Attempts != 0 || !estimate.BoundingIsLittle(p.BoundingWork(int(t.Class), length), p.ExactPass, length, next) {
		return b, false
	}
	return Automatic.First(int(t.Pattern), int(t.Text))
}

// Before scores are known, a pair for which a bounding pass has found no bound is taken to have unboundedErrors times the usual errors.
const unboundedErrors = 3

// unboundedRate returns the score per letter for which such a pair has its next pass.
func unboundedRate(r *estimate.Rate) float64 {
	if r.Known {
		return r.Bound
	}
	return unboundedErrors * r.Bound
}

// unbounded chooses the exact pass of a task for which a bounding pass has found no bound, or none below
// the one that was certain before.
func (p *Policy) unbounded(t *Task, r *estimate.Rates, maxBounds []int) {
	switch t.Attempts {
	case 0:
		p.exactFor(t, unboundedRate(&r[t.Class]), r, maxBounds)
		return
	case Certain:
		p.Bounded(t, int(t.Bound), r, maxBounds)
		return
	}
	t.Bound = int32(p.firstBound(r[t.Class].Bound, int(t.Pattern), int(t.Text)))
	bound := p.NextBound(t, r)
	t.Attempts++
	p.choose(t, t.likely(r, bound), maxBounds)
}
