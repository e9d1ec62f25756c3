package gpu

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// policy chooses the kernel and the score bound of a pair. The choice affects time
// and memory, never the result: an exact kernel reports only scores that its band
// certifies, and the adaptive band of a pair depends on the pair alone.
type policy struct {
	spanRule
	scoreOnly bool
	approx    *align.Approx // nil in exact mode
	cutters   cutters
}

// bands returns the adaptive bands for pairs of up to longest letters, and those of bounding
// passes. Exact mode has the second alone, and so have models that are not plain if patterns lie
// within texts. A given band of the approximate mode has the first alone.
func (p *policy) bands(longest int, within bool) (bands, bounding []align.AdaptiveBand) {
	switch {
	case p.spans && !within:
		return nil, nil
	case p.spans:
		return nil, bandsOf(automatic, automatic.WiderUntested, longest)
	case p.approx != nil:
		bands = bandsOf(*p.approx, p.approx.Wider, longest)
	}
	if p.approx == nil || p.samples() {
		// A pair that drifts out of its band goes on with a guess.
		none := func(b align.AdaptiveBand) (align.AdaptiveBand, bool) { return b, false }
		bounding = bandsOf(automatic, none, longest)
	}
	return bands, bounding
}

// bandsOf returns the first bands of a rule for pairs of up to longest letters, and wider ones.
func bandsOf(rule align.Approx, wider func(align.AdaptiveBand) (align.AdaptiveBand, bool), longest int) (list []align.AdaptiveBand) {
	for length := 1; length <= longest; length *= 2 {
		for b, ok := rule.First(length, length); ok; b, ok = wider(b) {
			if !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
	return list
}

// samples reports whether a sample of each pair tells how many errors it has: in the approximate
// mode with automatic bands.
func (p *policy) samples() bool { return p.approx != nil && p.approx.Band == 0 }

// exactly reports whether pairs of a class are aligned exactly, but for short ones of the approximate mode.
func (p *policy) exactly(class uint8) bool { return p.approx == nil || estimate.IsFew(class) }

// learns reports whether first passes of pairs of a class depend on the scores of earlier pairs.
func (p *policy) learns(class uint8) bool {
	return !p.spans && p.user == (ErrorBound{}) && (p.exactly(class) || !p.scoreOnly)
}

// first chooses the kernel and the bound of a task's first pass. maxBounds is the
// largest bound that fits into memory, by kernel. The error is the cause of a fallback.
func (p *policy) first(t *task, r *estimate.Rates, maxBounds []int) error {
	pattern, text := int(t.pattern), int(t.text)
	switch {
	case p.spans:
		if p.gatedSpan(t, r, maxBounds) {
			return nil
		}
		return p.firstWithin(t, false, 0, r, maxBounds)
	case !p.exactly(t.class):
		if b, ok := p.approx.First(pattern, text); ok {
			return p.adaptive(t, b, r, maxBounds)
		}
		p.exact(t, r, maxBounds)
	case !p.gated(t, r, maxBounds):
		p.ungated(t, r, maxBounds)
	}
	return nil
}

// next chooses the kernel and the bound of the next pass of a task that a kernel
// could not align. upper is an upper bound of the score, 0 if the
// kernel has found none; it has a slack if the score may be within the task's bound. Then a band that certifies that
// slack is wider than the one before. widened reports that the task leaves its adaptive band. The error
// is the cause of a fallback, errBeyond, or an internal one.
func (p *policy) next(t *task, flags abi.Flags, upper kernel.Bound, r *estimate.Rates, maxBounds []int) (widened bool, err error) {
	above := upper.Score
	k := p.kernels.Kernels[t.kernel]
	outcome := k.Outcome(flags)
	switch {
	case outcome == kernel.Broken: // with the span family, always
		return false, fmt.Errorf("internal error: flags %#x from the GPU for a pair of %d and %d letters", flags, t.pattern, t.text)
	case p.spans && p.bounds(t.kernel):
		return false, p.unboundedWithin(t, r, maxBounds)
	case p.spans:
		return false, p.nextWithin(t, outcome, upper, r, maxBounds)
	case p.gates(t.kernel):
		p.afterGated(t, above, r, maxBounds)
		return false, nil
	case outcome == kernel.Overflow: // with the same bound
		t.kernel = uint8(p.kernels.Wide(int(t.kernel), int(t.pattern), int(t.text), int(t.bound), maxBounds))
		return false, nil
	case p.bounds(t.kernel):
		p.unbounded(t, r, maxBounds)
		return false, nil
	case k.Band() != (align.AdaptiveBand{}):
		return p.afterAdaptive(t, outcome, r, maxBounds)
	case int(t.bound) >= p.limit && upper.Slack == 0:
		return false, errBeyond
	case above > int(t.bound) || upper.Slack > 0:
		t.attempts = exceeded
		p.choose(t, p.slackened(t, upper, r), maxBounds)
		return false, nil
	case t.bound == kernel.MaxBound: // no higher bound exists
		return false, errMemory
	}
	bound := int(t.bound)
	if t.attempts < exceeded {
		bound = p.nextBound(t, r)
	}
	if b, ok := p.boundingPays(t, t.likely(r, bound)); ok {
		t.attempts++
		p.bounding(t, b)
		return false, nil
	}
	if bound <= int(t.bound) {
		return false, fmt.Errorf("internal error: no alignment of %d and %d letters costs %d or less on the GPU", t.pattern, t.text, t.bound)
	}
	t.attempts++
	p.choose(t, t.likely(r, bound), maxBounds)
	return false, nil
}

// adaptive makes t a task in an adaptive band.
func (p *policy) adaptive(t *task, b align.AdaptiveBand, r *estimate.Rates, maxBounds []int) error {
	pattern, text := int(t.pattern), int(t.text)
	k := p.kernels.Adaptive(b, pattern, text)
	// A bound that is too high costs memory, one that is too low a second pass.
	bound := p.worst(pattern, text)
	if !p.scoreOnly {
		bound = min(bound, max(5*p.firstBound(r[t.class].Bound, pattern, text)/4, 1), maxBounds[k])
	}
	if bound <= 0 {
		return errMemory
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(bound), 0
	return nil
}

// afterAdaptive chooses the next pass of a task whose adaptive band did not reach
// the end: a wider band, a higher bound, or the exact mode.
func (p *policy) afterAdaptive(t *task, outcome kernel.Outcome, r *estimate.Rates, maxBounds []int) (widened bool, err error) {
	worst := p.worst(int(t.pattern), int(t.text))
	band := p.kernels.Kernels[t.kernel].Band()
	switch {
	case outcome == kernel.Drifted:
		if b, ok := p.approx.Wider(band); ok {
			return true, p.adaptive(t, b, r, maxBounds)
		}
		widened = true
	case outcome == kernel.Lost || int(t.bound) == worst:
	case int(t.bound) >= maxBounds[t.kernel]:
		return false, errMemory
	default:
		t.attempts++
		t.bound = int32(min(2*int(t.bound), worst, maxBounds[t.kernel]))
		return false, nil
	}
	if p.samples() { // it is one of the pairs that are aligned exactly from now on
		t.class += estimate.LengthClasses
		return widened, p.first(t, r, maxBounds)
	}
	p.exact(t, r, maxBounds)
	return widened, nil
}

// mayCut reports whether a pair may be cut into pieces after a pass in an adaptive band, at a
// middle of at most so many letters: if the score is doubtful, or there is none.
func (p *policy) mayCut(t *task, r *abi.Result, band align.AdaptiveBand) (most int, ok bool) {
	n, m := int(t.pattern), int(t.text)
	if score := int(r.Score); score >= 0 && r.Flags&^abi.FlagDoubtful == 0 {
		return align.DoubtedMiddle(p.penalties, score), band.Doubts(r.Flags == abi.FlagDoubtful) && p.cutters.late(n, m, band)
	}
	outcome := p.kernels.Kernels[t.kernel].Outcome(r.Flags)
	left := outcome == kernel.Drifted || outcome == kernel.Lost || outcome == kernel.Exceeded && int(t.bound) == p.worst(n, m)
	return align.AnyMiddle, left && p.cutters.late(n, m, band)
}

// smaller chooses the next pass of a task that does not fit into memory: one of the
// kernel that takes the least, or with half the bound. The error is the cause of a
// fallback.
func (p *policy) smaller(t *task, r *estimate.Rates, maxBounds []int) error {
	switch {
	case p.spans && p.gates(t.kernel):
		return p.firstWithin(t, true, 0, r, maxBounds)
	case p.spans && p.bounds(t.kernel):
		return p.unboundedWithin(t, r, maxBounds)
	case p.spans && p.kernels.Waves(int(t.kernel)):
		return p.span(t)
	case p.spans: // other kernels of the family take as much
		return errMemory
	case p.bounds(t.kernel) && t.attempts == certain:
		p.bounded(t, int(t.bound), r, maxBounds)
	case p.bounds(t.kernel), p.gates(t.kernel):
		p.exact(t, r, maxBounds)
	case p.kernels.Kernels[t.kernel].Band() != (align.AdaptiveBand{}): // no other kernel computes this band
		return errMemory
	case p.kernels.Whole(int(t.kernel)):
		p.partial(t, r, maxBounds)
	case int(t.kernel) != p.kernels.General:
		k := p.kernels.Wavefront(int(t.pattern), int(t.text), int(t.bound), maxBounds)
		if k == int(t.kernel) {
			k = p.kernels.General
		}
		t.kernel = uint8(k)
	default:
		return p.lower(t, maxBounds)
	}
	return nil
}

// counter returns the name under which statistics count the pairs of a kernel.
func (p *policy) counter(kernel uint8) string {
	if p.bounds(kernel) {
		return "bounding"
	}
	return p.kernels.Kernels[kernel].Family().Counter
}
