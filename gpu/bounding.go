package gpu

import "wfagpu/align"

// automatic is the rule of the bands of bounding passes.
var automatic align.Approx

// bounds reports whether a kernel finds bounds for exact passes.
func (p *policy) bounds(kernel uint8) bool {
	return p.approx == nil && p.kernels.Kernels[kernel].Band() != (align.AdaptiveBand{})
}

// boundingWork returns how long a bounding pass takes for a score of pairs of some length, as
// kernel.Kernel.Work does, 0 if there is no such pass.
func (p *policy) boundingWork(length int) float64 {
	if p.spans || p.approx != nil || p.user != (ErrorBound{}) {
		return 0
	}
	b, ok := automatic.First(length, length)
	if !ok {
		return 0
	}
	return p.kernels.Kernels[p.kernels.Adaptive(b, length, length)].Work(length, length, 1, 1)
}

// bounding makes t a task of a bounding pass in a band.
func (p *policy) bounding(t *task, b align.AdaptiveBand) {
	pattern, text := int(t.pattern), int(t.text)
	t.kernel, t.bound = uint8(p.kernels.Adaptive(b, pattern, text)), int32(p.worst(pattern, text))
}

// boundingPays reports whether a task that exceeds its first likely bound goes on with a bounding
// pass, and in which band: if that takes little beside an exact pass with the next bound, which the
// score may be far from.
func (p *policy) boundingPays(t *task, next int) (b align.AdaptiveBand, pays bool) {
	length := int(max(t.pattern, t.text))
	if t.attempts != 0 || !boundingIsLittle(p.boundingWork(length), p.kernels.ExactWork, length, next) {
		return b, false
	}
	return automatic.First(int(t.pattern), int(t.text))
}

// boundingIsLittle reports whether a bounding pass that takes perScore for a score, 0 if there is no
// such pass, takes a quarter of an exact pass at most, for pairs of a length and with a bound.
func boundingIsLittle(perScore float64, exactWork func(length, bound int) func(score int) float64, length, bound int) bool {
	return perScore > 0 && bound >= leastBounding && 4*perScore*float64(bound) <= exactWork(length, bound)(bound)
}

// unbounded chooses the exact pass of a task for which a bounding pass has found no bound, or none below
// the one that was certain before.
func (p *policy) unbounded(t *task, r *rates, maxBounds []int) {
	switch t.attempts {
	case 0:
		p.exact(t, r, maxBounds)
		return
	case certain:
		p.bounded(t, int(t.bound), maxBounds)
		return
	}
	t.bound = int32(p.firstBound(r[t.class].bound, int(t.pattern), int(t.text)))
	bound := p.nextBound(t, r)
	t.attempts++
	p.choose(t, bound, maxBounds)
}
