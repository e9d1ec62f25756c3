package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// bounds reports whether a kernel finds bounds for exact passes.
func (p *policy) bounds(kernel uint8) bool { return int(kernel) >= p.kernels.Bounding }

// boundingWork returns how long a bounding pass takes for a score of pairs of a class and some length, as
// kernel.Kernel.Work does, 0 if there is no such pass.
func (p *policy) boundingWork(class, length int) float64 {
	if !p.exactly(uint8(class)) {
		return 0
	}
	return p.boundWork(length)
}

// boundingPays reports whether a task that exceeds its first likely bound goes on with a bounding
// pass, and in which band: if that takes little beside an exact pass with the next bound, which the
// score may be far from.
func (p *policy) boundingPays(t *task, next kernel.Bound) (b align.AdaptiveBand, pays bool) {
	length := int(max(t.pattern, t.text))
	if t.attempts != 0 || !estimate.BoundingIsLittle(p.boundingWork(int(t.class), length), p.exactPass, length, next) {
		return b, false
	}
	return automatic.First(int(t.pattern), int(t.text))
}

// unbounded chooses the exact pass of a task for which a bounding pass has found no bound, or none below
// the one that was certain before.
func (p *policy) unbounded(t *task, r *estimate.Rates, maxBounds []int) {
	switch t.attempts {
	case 0:
		p.exact(t, r, maxBounds)
		return
	case certain:
		p.bounded(t, int(t.bound), r, maxBounds)
		return
	}
	t.bound = int32(p.firstBound(r[t.class].Bound, int(t.pattern), int(t.text)))
	bound := p.nextBound(t, r)
	t.attempts++
	p.choose(t, t.likely(r, bound), maxBounds)
}
