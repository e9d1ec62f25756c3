package gpu

import (
	"fmt"
	"math"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// policy chooses the kernel and the score bound of a pair. The choice affects time
// and memory, never the result: an exact kernel reports only scores that its band
// certifies, and the adaptive band of a pair depends on the pair alone.
type policy struct {
	penalties align.Penalties // reduced
	scale     int             // their gcd
	scoreOnly bool
	user      ErrorBound
	approx    *align.Approx // nil in exact mode
	kernels   *kernel.Set
}

// kernel is the kernel of a group.
func (p *policy) kernel(g *group) kernel.Kernel { return p.kernels.Kernels[g.kernel] }

// bands returns the adaptive bands for pairs of up to longest letters, none in
// exact mode.
func (p *policy) bands(longest int) []align.AdaptiveBand {
	if p.approx == nil {
		return nil
	}
	var bands []align.AdaptiveBand
	for length := 1; length <= longest; length *= 2 {
		for b, ok := p.approx.First(length, length); ok; b, ok = p.approx.Wider(b) {
			if !slices.Contains(bands, b) {
				bands = append(bands, b)
			}
		}
	}
	return bands
}

// first chooses the kernel and the bound of a task's first pass. rate is the score
// per letter that pairs of this length usually stay below, maxBounds the largest
// bound that fits into memory, by kernel. The error is the cause of a fallback.
func (p *policy) first(t *task, rate float64, maxBounds []int, pattern, text int) error {
	if p.approx != nil {
		if b, ok := p.approx.First(pattern, text); ok {
			return p.adaptive(t, b, rate, maxBounds, pattern, text)
		}
	}
	p.exact(t, rate, maxBounds, pattern, text)
	return nil
}

// next chooses the kernel and the bound of the next pass of a task that a kernel
// could not align. widened reports that the task leaves its adaptive band. The
// error is the cause of a fallback, or an internal one.
func (p *policy) next(t *task, flags abi.Flags, rate float64, maxBounds []int, pattern, text int) (widened bool, err error) {
	k := p.kernels.Kernels[t.kernel]
	outcome := k.Outcome(flags)
	if outcome == kernel.Broken {
		return false, fmt.Errorf("internal error: flags %#x from the GPU for a pair of %d and %d letters", flags, pattern, text)
	}
	if k.Band() != (align.AdaptiveBand{}) {
		return p.afterAdaptive(t, outcome, rate, maxBounds, pattern, text)
	}
	if t.bound == kernel.MaxBound { // no higher bound exists
		return false, errMemory
	}
	bound := p.nextBound(t, rate, pattern, text)
	if bound <= int(t.bound) {
		return false, fmt.Errorf("internal error: no alignment of %d and %d letters costs %d or less on the GPU", pattern, text, t.bound)
	}
	t.attempts++
	p.choose(t, bound, maxBounds, pattern, text)
	return false, nil
}

// exact makes t a task of the exact mode.
func (p *policy) exact(t *task, rate float64, maxBounds []int, pattern, text int) {
	t.attempts = 0
	p.choose(t, p.firstBound(rate, pattern, text), maxBounds, pattern, text)
}

// choose gives an exact task a bound and the cheapest kernel for it.
func (p *policy) choose(t *task, bound int, maxBounds []int, pattern, text int) {
	t.bound = int32(bound)
	t.kernel = uint8(p.kernels.Exact(pattern, text, bound, maxBounds))
}

// adaptive makes t a task in an adaptive band.
func (p *policy) adaptive(t *task, b align.AdaptiveBand, rate float64, maxBounds []int, pattern, text int) error {
	k := p.kernels.Adaptive(b, pattern, text)
	// A bound that is too high costs memory, one that is too low a second pass.
	bound := min(p.penalties.Worst(pattern, text), kernel.MaxBound)
	if !p.scoreOnly {
		bound = min(bound, max(5*p.firstBound(rate, pattern, text)/4, 1), maxBounds[k])
	}
	if bound <= 0 {
		return errMemory
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(bound), 0
	return nil
}

// afterAdaptive chooses the next pass of a task whose adaptive band did not reach
// the end: a wider band, a higher bound, or the exact mode.
func (p *policy) afterAdaptive(t *task, outcome kernel.Outcome, rate float64, maxBounds []int, pattern, text int) (widened bool, err error) {
	worst := min(p.penalties.Worst(pattern, text), kernel.MaxBound)
	switch {
	case outcome == kernel.Drifted:
		if b, ok := p.approx.Wider(p.kernels.Kernels[t.kernel].Band()); ok {
			return true, p.adaptive(t, b, rate, maxBounds, pattern, text)
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
	p.exact(t, rate, maxBounds, pattern, text)
	return widened, nil
}

// lower halves the bound of a task that does not fit into memory, if the bound is
// a first guess. Otherwise the error is the cause of a fallback.
func (p *policy) lower(t *task, maxBounds []int, pattern, text int) error {
	bound := max(int(t.bound)/2, p.penalties.LengthGap(pattern, text)+p.penalties.LongestStep())
	if t.attempts > 0 || bound >= int(t.bound) {
		return errMemory
	}
	p.choose(t, bound, maxBounds, pattern, text)
	return nil
}

// firstBound returns the bound of a pair's first exact pass: the user's, or a
// likely one.
func (p *policy) firstBound(rate float64, pattern, text int) int {
	longer := max(pattern, text)
	var bound int
	switch b := p.user; {
	case b.Score > 0:
		bound = min(b.Score/p.scale, kernel.MaxBound)
	case b.Fraction > 0:
		bound = int(min(math.Ceil(b.Fraction*float64(longer)*float64(p.penalties.LongestStep())), kernel.MaxBound))
	default:
		return p.likelyBound(rate, pattern, text)
	}
	return p.withGap(bound, pattern, text)
}

// likelyBound returns a bound that most pairs do not exceed.
func (p *policy) likelyBound(rate float64, pattern, text int) int {
	return p.withGap(int(rate*float64(max(pattern, text)))+p.penalties.LongestStep(), pattern, text)
}

// withGap adds the cost of the difference in length to a bound. The result is at
// most the worst score.
func (p *policy) withGap(bound, pattern, text int) int {
	return min(bound+p.penalties.LengthGap(pattern, text), p.penalties.Worst(pattern, text), kernel.MaxBound)
}

// nextBound returns the bound that follows t's, which the pair exceeds. A likely
// bound follows the user's. Most pairs exceed a likely bound by little, so the next
// bound is 5/4 of it; later bounds double.
func (p *policy) nextBound(t *task, rate float64, pattern, text int) int {
	bound := int(t.bound)
	next := 2 * bound
	guesses := t.attempts // bounds tried before: the user's and likely ones
	if p.user == (ErrorBound{}) {
		guesses++
	}
	switch guesses {
	case 0:
		next = max(next, p.likelyBound(rate, pattern, text))
	case 1:
		next = bound * 5 / 4
	}
	return min(next+p.penalties.LongestStep(), p.penalties.Worst(pattern, text), kernel.MaxBound)
}
