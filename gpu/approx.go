package gpu

import "wfagpu/align"

// The kernels of the approximate mode, cuda/approx.cuh, are variants with a
// window instead of a band that certifies scores. They follow the rule of package
// align; a pair that strays from the widest automatic window, or loses its way, is
// aligned exactly, as it is there.

// maxLambda is the most scores between two moves of a window: a null cell gains
// up to one a score, and starts anew when the window moves.
const maxLambda = 8192

// setWindows decides what window each approximate variant has. With an automatic
// band these are those that pairs go through; otherwise all pairs have one.
func (e *Engine) setWindows() {
	a := e.approx
	if a == nil {
		return
	}
	set := func(w align.Window) {
		if i, ok := e.windowVariant(w.Band); ok {
			e.windows[i] = w
		}
	}
	for length := 1; length <= maxOffset; length *= 2 {
		for w, ok := a.First(length, length); ok; w, ok = a.Wider(w) {
			set(w)
		}
	}
}

// windowVariant returns the narrowest variant for a window of some diagonals.
func (e *Engine) windowVariant(band int) (int, bool) {
	for i := range variants {
		if v := &variants[i]; v.kind == kindApprox && band <= 2*v.half()-round(e.penalties) {
			return i, true
		}
	}
	return 0, false
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
func (l *lane) inWindow(t *task, w align.Window, pattern, text int) error {
	longer := max(pattern, text)
	i, ok := l.e.windowVariant(w.Band)
	if !ok || len(l.e.kernels.variants) == 0 || longer > maxOffset || w.Lambda > maxLambda ||
		variants[i].sharedBytes(longer, longer)+staticShared > l.e.dev.info.SharedPerBlockOptin {
		return errApprox
	}
	// A higher limit than necessary costs room alone, one that is too low a pass.
	limit := min(l.e.penalties.Worst(pattern, text), maxLimit)
	if !l.e.scoreOnly {
		limit = min(limit, 5*l.e.firstLimit(l.rates[t.class], pattern, text)/4, l.mostScore[i])
	}
	if limit <= 0 {
		return errMemory
	}
	t.variant, t.limit, t.attempts = uint8(i), int32(limit), 0
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
