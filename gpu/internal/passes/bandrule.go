package passes

import "wfagpu/align"

// Automatic is the rule of the bands of bounding passes, whatever the penalties: those that stall end soon.
var Automatic align.Approx

// boundingWithin is what bounding passes of patterns within texts count as, in their work: their
// warps wait for letters, and hold the room of others meanwhile (scripts/RESULTS-gpu.md, "What the
// choice of passes costs").
const boundingWithin = 3

// BoundWork returns what a bounding pass of the exact mode counts as for a score of pairs of some length, in work as of
// kernel.Kernel.Work, 0 if there is no such pass.
func (x *ExactRule) BoundWork(length int) float64 {
	if x.User != (ErrorBound{}) {
		return 0
	}
	b, ok := Automatic.First(length, length)
	if ok && x.Spans { // few letters around a pattern are enough to leave the first band
		b, ok = Automatic.WiderUntested(b)
	}
	if !ok {
		return 0
	}
	k := x.Kernels.Bounds(b, length, length)
	if k < 0 {
		return 0
	}
	work := x.Kernels.Kernels[k].Work(length, length, 1, 1)
	if x.Spans {
		work *= boundingWithin
	}
	return work
}

// bandWithin returns the band of a bounding pass of a pattern within a text, which aligns all of the text: its path
// drifts by the letters ahead of the pattern, likely half of those around it. ok is false if no band is wide enough.
func (x *ExactRule) bandWithin(pattern, text int) (b align.AdaptiveBand, ok bool) {
	b, ok = Automatic.First(pattern, text)
	for ok && max(text-pattern, pattern-text)/2 > b.MaxDrift {
		b, ok = Automatic.WiderUntested(b)
	}
	return b, ok && x.Kernels.Bounds(b, pattern, text) >= 0
}

// bounding makes t a task of a bounding pass in a band.
func (x *ExactRule) bounding(t *Task, b align.AdaptiveBand) {
	pattern, text := int(t.Pattern), int(t.Text)
	t.Kernel, t.Bound = uint8(x.Kernels.Bounds(b, pattern, text)), int32(x.Worst(pattern, text))
}
