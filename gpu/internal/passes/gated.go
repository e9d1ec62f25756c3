package passes

import "wfagpu/gpu/internal/estimate"

// GatedWork returns how long a gated pass takes for pairs of a class and a length, by their score, as
// kernel.Kernel.Work does, and whether it is expected to align them; nil if there is no such pass.
func (p *Policy) GatedWork(class, length int) func(score int) (work float64, aligned bool) {
	if !p.exactly(uint8(class)) || p.Kernels.Gated < 0 || p.User != (ErrorBound{}) || !p.Kernels.Kernels[p.Kernels.Gated].Takes(length, length, LeastGated) {
		return nil
	}
	k := p.Kernels.Kernels[p.Kernels.Gated]
	most := p.GatedScore(length)
	return func(score int) (float64, bool) {
		return k.Work(length, length, score, score), score <= most
	}
}

// gated makes t a task of the gated family, or reports that the pair is none for it.
func (p *Policy) gated(t *Task, r *estimate.Rates, maxBounds []int) bool {
	k := p.Kernels.Gated
	if k < 0 || !r[t.Class].Gated {
		return false
	}
	pattern, text := int(t.Pattern), int(t.Text)
	likely := p.likelyBound(r[t.Class].Bound, pattern, text)
	bound := gatedBound(max(gatedSlack*likely, p.GatedScore(max(pattern, text))))
	return p.gatedPass(t, k, min(bound, p.Worst(pattern, text)), likely, maxBounds)
}

// ungated chooses the first pass of a task of the exact mode but that of the gated family: a bounding or
// an exact one.
func (p *Policy) ungated(t *Task, r *estimate.Rates, maxBounds []int) {
	if b, ok := Automatic.First(int(t.Pattern), int(t.Text)); ok && r[t.Class].Bounding {
		t.Attempts = 0
		p.bounding(t, b)
		return
	}
	p.exact(t, r, maxBounds)
}

// afterGated chooses the next pass of a task that the gated family has not aligned. above is an upper
// bound of the score, 0 if none is known. The score may be far below it: a bounding pass comes before the
// exact one if it takes little beside that.
func (p *Policy) afterGated(t *Task, above int, r *estimate.Rates, maxBounds []int) {
	if above == 0 {
		p.ungated(t, r, maxBounds)
		return
	}
	pattern, text := int(t.Pattern), int(t.Text)
	length, bound := max(pattern, text), min(above, p.Worst(pattern, text))
	if b, ok := Automatic.First(pattern, text); ok && estimate.BoundingIsLittle(p.BoundingWork(int(t.Class), length), p.ExactPass, length, t.likely(r, bound)) {
		p.bounding(t, b)
		t.Bound, t.Attempts = int32(bound), Certain
		return
	}
	p.Bounded(t, bound, r, maxBounds)
}
