package gpu

import (
	"slices"

	"wfagpu/align"
)

// The kernels of the approximate mode, cuda/approx.cuh, are variants with a
// window instead of a band that certifies scores; what they are not for goes to
// the window kernel, cuda/window.cu. All follow the rule of package align; a pair
// that strays from the widest automatic window, or loses its way, is aligned
// exactly, as it is there.

// maxLambda is the most scores between two moves of a variant's window: a null
// cell gains up to one a score, and starts anew when the window moves.
const maxLambda = 8192

// shortTables is the length from which on look-ahead tables with an entry for each
// letter would leave too few warps on an SM.
const shortTables = 2048

// setWindows decides what window each kernel of the approximate mode has. With an
// automatic band these are those that pairs go through; otherwise all pairs have
// one.
func (e *Engine) setWindows() {
	a := e.approx
	if a == nil {
		return
	}
	for length := 1; length <= laneLetters; length *= 2 {
		for w, ok := a.First(length, length); ok; w, ok = a.Wider(w) {
			if i, ok := e.windowVariant(w, length); ok {
				e.windows[i] = w
			}
			if !slices.Contains(e.windows[len(variants):e.kinds], w) {
				e.windows[e.kinds] = w
				e.kinds++
			}
		}
	}
}

// windowVariant returns the cheapest variant for a window and sequences of a
// length, if there is one.
func (e *Engine) windowVariant(w align.AdaptiveBand, longer int) (int, bool) {
	if longer > maxOffset || w.Lambda > maxLambda || !hasVariants(e.penalties) {
		return 0, false
	}
	for i := range variants {
		v := &variants[i]
		if v.kind == kindApprox && w.Band <= 2*v.half()-round(e.penalties) && (v.bases == packed || longer < shortTables) &&
			v.sharedBytes(longer, longer) <= e.dev.info.dynamicShared() {
			return i, true
		}
	}
	return 0, false
}

// windowKind is the kind of task in a window: a variant's where there is one, or
// else that of the window kernel.
func (e *Engine) windowKind(w align.AdaptiveBand, longer int) uint8 {
	if i, ok := e.windowVariant(w, longer); ok {
		return uint8(i)
	}
	return uint8(len(variants) + slices.Index(e.windows[len(variants):e.kinds], w))
}

// begin makes a task's first pass. It returns the reason where the device is not
// for the pair.
func (l *lane) begin(t *task, pattern, text int) error {
	if l.e.approx != nil {
		if w, ok := l.e.approx.First(pattern, text); ok {
			return l.inWindow(t, w, pattern, text)
		}
	}
	l.exactly(t, pattern, text)
	return nil
}

// exactly makes t a task of the exact mode.
func (l *lane) exactly(t *task, pattern, text int) {
	limit := l.e.firstLimit(l.rates[t.class], pattern, text)
	t.limit, t.attempts = int32(limit), 0
	t.variant = l.choose(pattern, text, limit)
}

// inWindow makes t a task of the approximate mode.
func (l *lane) inWindow(t *task, w align.AdaptiveBand, pattern, text int) error {
	kind := l.e.windowKind(w, max(pattern, text))
	// A higher limit than necessary costs room alone, one that is too low a pass.
	limit := min(l.e.penalties.Worst(pattern, text), maxLimit)
	if !l.e.scoreOnly {
		limit = min(limit, max(5*l.e.firstLimit(l.rates[t.class], pattern, text)/4, 1), l.mostScore[kind])
	}
	if limit <= 0 {
		return errMemory
	}
	t.variant, t.limit, t.attempts = kind, int32(limit), 0
	return nil
}

// outOfWindow decides how a task of the approximate mode goes on that has not
// found its end.
func (l *lane) outOfWindow(t *task, flags uint32, pattern, text int) error {
	switch worst := min(l.e.penalties.Worst(pattern, text), maxLimit); {
	case flags&flagStrayed != 0:
		l.stats.Widened++
		if w, ok := l.e.approx.Wider(l.e.windows[t.variant]); ok {
			return l.inWindow(t, w, pattern, text)
		}
	case flags&flagLost != 0 || int(t.limit) == worst:
	case int(t.limit) >= l.mostScore[t.variant]:
		return errMemory
	default:
		t.attempts++
		t.limit = int32(min(2*int(t.limit), worst, l.mostScore[t.variant]))
		return nil
	}
	l.exactly(t, pattern, text)
	return nil
}

// windowWords is the room ahead of a pair's rows for where the window was.
func windowWords(lambda, score int) int { return (score/lambda + 1 + 31) &^ 31 }
