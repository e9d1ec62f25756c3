package gpu

import "wfagpu/gpu/internal/estimate"

// gatedWork returns how long a gated pass takes for pairs of a class and a length, by their score, as
// kernel.Kernel.Work does, and whether it is expected to align them; nil if there is no such pass.
func (p *policy) gatedWork(class, length int) func(score int) (work float64, aligned bool) {
	if !p.exactly(uint8(class)) || p.kernels.Gated < 0 || p.user != (ErrorBound{}) || !p.kernels.Kernels[p.kernels.Gated].Takes(length, length, leastGated) {
		return nil
	}
	k := p.kernels.Kernels[p.kernels.Gated]
	most := p.gatedScore(length)
	return func(score int) (float64, bool) {
		return k.Work(length, length, score, score), score <= most
	}
}

// gated makes t a task of the gated family, or reports that the pair is none for it.
func (p *policy) gated(t *task, r *estimate.Rates, maxBounds []int) bool {
	k := p.kernels.Gated
	if k < 0 || !r[t.class].Gated {
		return false
	}
	pattern, text := int(t.pattern), int(t.text)
	likely := p.likelyBound(r[t.class].Bound, pattern, text)
	bound := gatedBound(max(gatedSlack*likely, p.gatedScore(max(pattern, text))))
	return p.gatedPass(t, k, min(bound, p.worst(pattern, text)), likely, maxBounds)
}

// ungated chooses the first pass of a task of the exact mode but that of the gated family: a bounding or
// an exact one.
func (p *policy) ungated(t *task, r *estimate.Rates, maxBounds []int) {
	if b, ok := automatic.First(int(t.pattern), int(t.text)); ok && r[t.class].Bounding {
		t.attempts = 0
		p.bounding(t, b)
		return
	}
	p.exact(t, r, maxBounds)
}

// afterGated chooses the next pass of a task that the gated family has not aligned. above is an upper
// bound of the score, 0 if none is known. The score may be far below it: a bounding pass comes before the
// exact one if it takes little beside that.
func (p *policy) afterGated(t *task, above int, r *estimate.Rates, maxBounds []int) {
	if above == 0 {
		p.ungated(t, r, maxBounds)
		return
	}
	pattern, text := int(t.pattern), int(t.text)
	length, bound := max(pattern, text), min(above, p.worst(pattern, text))
	if b, ok := automatic.First(pattern, text); ok && estimate.BoundingIsLittle(p.boundingWork(int(t.class), length), p.exactPass, length, t.likely(r, bound)) {
		p.bounding(t, b)
		t.bound, t.attempts = int32(bound), certain
		return
	}
	p.bounded(t, bound, r, maxBounds)
}
