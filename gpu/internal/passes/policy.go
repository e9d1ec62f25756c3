package passes

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// Policy chooses the kernel and the score bound of a pair. The choice affects time
// and memory, never the result: an exact kernel reports only scores that its band
// certifies, and the adaptive band of a pair depends on the pair alone.
type Policy struct {
	SpanRule
	ScoreOnly bool
	Approx    *align.Approx // nil in exact mode
}

// Bands returns the adaptive bands for pairs of up to longest letters, and those of bounding
// passes. Exact mode has the second alone, and so have models that are not plain if patterns lie
// within texts. A given band of the approximate mode has the first alone.
func (p *Policy) Bands(longest int, within bool) (bands, bounding []align.AdaptiveBand) {
	switch {
	case p.Spans && !within:
		return nil, nil
	case p.Spans:
		return nil, bandsOf(Automatic, Automatic.WiderUntested, longest)
	case p.Approx != nil:
		bands = bandsOf(*p.Approx, p.Approx.Wider, longest)
	}
	if p.Approx == nil || p.Samples() {
		// A pair that drifts out of its band goes on with a guess.
		none := func(b align.AdaptiveBand) (align.AdaptiveBand, bool) { return b, false }
		bounding = bandsOf(Automatic, none, longest)
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

// Samples reports whether a sample of each pair tells how many errors it has: in the approximate
// mode with automatic bands.
func (p *Policy) Samples() bool { return p.Approx != nil && p.Approx.Band == 0 }

// exactly reports whether pairs of a class are aligned exactly.
func (p *Policy) exactly(class uint8) bool {
	return p.Approx == nil || estimate.IsFew(class) || p.Approx.Exactly(1<<(class+1)-1)
}

// Learns reports whether first passes of pairs of a class depend on the scores of earlier pairs.
func (p *Policy) Learns(class uint8) bool {
	return !p.Spans && p.User == (ErrorBound{}) && (p.exactly(class) || !p.ScoreOnly)
}

// First chooses the kernel and the bound of a task's first pass. maxBounds is the
// largest bound that fits into memory, by kernel. The error is the cause of a fallback.
func (p *Policy) First(t *Task, r *estimate.Rates, maxBounds []int) error {
	pattern, text := int(t.Pattern), int(t.Text)
	switch {
	case p.Spans:
		if p.gatedSpan(t, r, maxBounds) {
			return nil
		}
		return p.FirstWithin(t, false, 0, r, maxBounds)
	case !p.exactly(t.Class):
		if b, ok := p.Approx.First(pattern, text); ok {
			return p.adaptive(t, b, r, maxBounds)
		}
		p.exact(t, r, maxBounds)
	case !p.gated(t, r, maxBounds):
		p.ungated(t, r, maxBounds)
	}
	return nil
}

// Next chooses the kernel and the bound of the next pass of a task that a kernel
// could not align. upper is an upper bound of the score, 0 if the
// kernel has found none; it has a slack if a band that certifies that slack is likely to do. Such a band is wider than the one
// before. Without room for the alignment, upper is the score. widened reports that the task leaves its adaptive band. The error
// is the cause of a fallback, ErrBeyond, or an internal one.
func (p *Policy) Next(t *Task, flags abi.Flags, upper kernel.Bound, r *estimate.Rates, maxBounds []int) (widened bool, err error) {
	above := upper.Score
	k := p.Kernels.Kernels[t.Kernel]
	outcome := k.Outcome(flags)
	switch {
	case outcome == kernel.Broken: // with the span family, always
		return false, fmt.Errorf("internal error: flags %#x from the GPU for a pair of %d and %d letters", flags, t.Pattern, t.Text)
	case outcome == kernel.NoRoom && above > p.Limit:
		return false, ErrBeyond
	case outcome == kernel.NoRoom:
		t.Bound, t.Attempts = int32(above), Exceeded
		return false, nil
	case p.Spans && p.Bounds(t.Kernel):
		return false, p.UnboundedWithin(t, r, maxBounds)
	case p.Spans:
		return false, p.nextWithin(t, outcome, upper, r, maxBounds)
	case p.Gates(t.Kernel):
		p.afterGated(t, above, r, maxBounds)
		return false, nil
	case outcome == kernel.Overflow: // with the same bound
		t.Kernel = uint8(p.Kernels.Wide(int(t.Kernel), int(t.Pattern), int(t.Text), int(t.Bound), maxBounds))
		return false, nil
	case p.Bounds(t.Kernel):
		p.unbounded(t, r, maxBounds)
		return false, nil
	case k.Band() != (align.AdaptiveBand{}):
		return p.afterAdaptive(t, outcome, r, maxBounds)
	case int(t.Bound) >= p.Limit && upper.Slack == 0:
		return false, ErrBeyond
	case above > int(t.Bound) || upper.Slack > 0:
		t.Attempts = Exceeded
		p.choose(t, p.slackened(t, upper, r), maxBounds)
		return false, nil
	case t.Bound == kernel.MaxBound: // no higher bound exists
		return false, ErrMemory
	}
	bound := int(t.Bound)
	if t.Attempts < Exceeded {
		bound = p.NextBound(t, r)
	}
	if b, ok := p.boundingPays(t, t.likely(r, bound)); ok {
		t.Attempts++
		p.bounding(t, b)
		return false, nil
	}
	if bound <= int(t.Bound) {
		return false, fmt.Errorf("internal error: no alignment of %d and %d letters costs %d or less on the GPU", t.Pattern, t.Text, t.Bound)
	}
	t.Attempts++
	p.choose(t, t.likely(r, bound), maxBounds)
	return false, nil
}

// adaptive makes t a task in an adaptive band.
func (p *Policy) adaptive(t *Task, b align.AdaptiveBand, r *estimate.Rates, maxBounds []int) error {
	pattern, text := int(t.Pattern), int(t.Text)
	k := p.Kernels.Adaptive(b, pattern, text)
	// A bound that is too high costs memory, one that is too low a second pass.
	bound := p.Worst(pattern, text)
	if !p.ScoreOnly {
		bound = min(bound, max(5*p.firstBound(r[t.Class].Bound, pattern, text)/4, 1), maxBounds[k])
	}
	if bound <= 0 {
		return ErrMemory
	}
	t.Kernel, t.Bound, t.Attempts = uint8(k), int32(bound), 0
	return nil
}

// afterAdaptive chooses the next pass of a task whose adaptive band did not reach
// the end: a wider band, a higher bound, or the exact mode.
func (p *Policy) afterAdaptive(t *Task, outcome kernel.Outcome, r *estimate.Rates, maxBounds []int) (widened bool, err error) {
	worst := p.Worst(int(t.Pattern), int(t.Text))
	band := p.Kernels.Kernels[t.Kernel].Band()
	switch {
	case outcome == kernel.Drifted:
		if b, ok := p.Approx.Wider(band); ok {
			return true, p.adaptive(t, b, r, maxBounds)
		}
		widened = true
	case outcome == kernel.Lost || int(t.Bound) == worst:
	case int(t.Bound) >= maxBounds[t.Kernel]:
		return false, ErrMemory
	default:
		t.Attempts++
		t.Bound = int32(min(2*int(t.Bound), worst, maxBounds[t.Kernel]))
		return false, nil
	}
	if p.Samples() { // it is one of the pairs that are aligned exactly from now on
		t.Class += estimate.LengthClasses
		return widened, p.First(t, r, maxBounds)
	}
	p.exact(t, r, maxBounds)
	return widened, nil
}

// MayCut reports whether a pair may be cut into pieces after a pass in an adaptive band, at a
// middle of at most so many letters: if the score is doubtful, or there is none.
func (p *Policy) MayCut(t *Task, r *abi.Result, band align.AdaptiveBand) (most int, ok bool) {
	n, m := int(t.Pattern), int(t.Text)
	if score := int(r.Score); score >= 0 && r.Flags&^abi.FlagDoubtful == 0 {
		return align.DoubtedMiddle(p.Penalties, score), band.Doubts(r.Flags == abi.FlagDoubtful) && p.cutsLate(n, m, band)
	}
	outcome := p.Kernels.Kernels[t.Kernel].Outcome(r.Flags)
	left := outcome == kernel.Drifted || outcome == kernel.Lost || outcome == kernel.Exceeded && int(t.Bound) == p.Worst(n, m)
	return align.AnyMiddle, left && p.cutsLate(n, m, band)
}

// CutsEarly reports whether pairs of some lengths are to be cut, where they can be, before their first
// pass.
func (p *Policy) CutsEarly(pattern, text int) bool {
	_, early := p.Approx.Cuts(pattern, text)
	return early
}

// cutsLate reports whether pairs of some lengths are to be cut, where they can be, when they have left
// the adaptive band.
func (p *Policy) cutsLate(pattern, text int, band align.AdaptiveBand) bool {
	cuts, _ := p.Approx.Cuts(pattern, text)
	first, _ := p.Approx.First(pattern, text)
	return cuts && band == first
}

// Smaller chooses the next pass of a task that does not fit into memory: one of the
// kernel that takes the least, or with half the bound. The error is the cause of a
// fallback.
func (p *Policy) Smaller(t *Task, r *estimate.Rates, maxBounds []int) error {
	switch {
	case p.Spans && p.Gates(t.Kernel):
		return p.FirstWithin(t, true, 0, r, maxBounds)
	case p.Spans && p.Bounds(t.Kernel):
		return p.UnboundedWithin(t, r, maxBounds)
	case p.Spans && p.Kernels.Waves(int(t.Kernel)):
		return p.span(t)
	case p.Spans: // other kernels of the family take as much
		return ErrMemory
	case p.Bounds(t.Kernel) && t.Attempts == Certain:
		p.Bounded(t, int(t.Bound), r, maxBounds)
	case p.Bounds(t.Kernel), p.Gates(t.Kernel):
		p.exact(t, r, maxBounds)
	case p.Kernels.Kernels[t.Kernel].Band() != (align.AdaptiveBand{}): // no other kernel computes this band
		return ErrMemory
	case p.Kernels.Whole(int(t.Kernel)):
		p.partial(t, r, maxBounds)
	case int(t.Kernel) != p.Kernels.General:
		k := p.Kernels.Wavefront(int(t.Pattern), int(t.Text), int(t.Bound), maxBounds)
		if k == int(t.Kernel) {
			k = p.Kernels.General
		}
		t.Kernel = uint8(k)
	default:
		return p.lower(t, maxBounds)
	}
	return nil
}

// Counter returns the name under which statistics count the pairs of a kernel.
func (p *Policy) Counter(kernel uint8) string {
	if p.Bounds(kernel) {
		return "bounding"
	}
	return p.Kernels.Kernels[kernel].Family().Counter
}
