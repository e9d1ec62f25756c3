package gpu

import "wfagpu/align"

// automatic is the rule of the bands of bounding passes.
var automatic align.Approx

// boundingWithin is what bounding passes of patterns within texts count as, in their work: their
// warps wait for letters, and hold the room of others meanwhile (scripts/RESULTS-gpu.md, "What the
// choice of passes costs").
const boundingWithin = 3

// boundWork returns what a bounding pass of the exact mode counts as for a score of pairs of some length, in work as of
// kernel.Kernel.Work, 0 if there is no such pass.
func (x *exactRule) boundWork(length int) float64 {
	if x.user != (ErrorBound{}) {
		return 0
	}
	b, ok := automatic.First(length, length)
	if ok && x.spans { // few letters around a pattern are enough to leave the first band
		b, ok = automatic.WiderUntested(b)
	}
	if !ok {
		return 0
	}
	k := x.kernels.Bounds(b, length, length)
	if k < 0 {
		return 0
	}
	work := x.kernels.Kernels[k].Work(length, length, 1, 1)
	if x.spans {
		work *= boundingWithin
	}
	return work
}

// bandWithin returns the band of a bounding pass of a pattern within a text, which aligns all of the text: its path
// drifts by the letters ahead of the pattern, likely half of those around it. ok is false if no band is wide enough.
func (x *exactRule) bandWithin(pattern, text int) (b align.AdaptiveBand, ok bool) {
	b, ok = automatic.First(pattern, text)
	for ok && max(text-pattern, pattern-text)/2 > b.MaxDrift {
		b, ok = automatic.WiderUntested(b)
	}
	return b, ok && x.kernels.Bounds(b, pattern, text) >= 0
}

// bounding makes t a task of a bounding pass in a band.
func (x *exactRule) bounding(t *task, b align.AdaptiveBand) {
	pattern, text := int(t.pattern), int(t.text)
	t.kernel, t.bound = uint8(x.kernels.Bounds(b, pattern, text)), int32(x.worst(pattern, text))
}
