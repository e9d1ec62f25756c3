package align

import "math"

// likely limits wavefronts to the cone of a score that is probably enough for their pair, though
// no alignment of that score is known. Up to half of its score a cone has all cells. So it is
// chosen when the wavefronts have come that far, when half of the letters tell what the others
// probably cost, and lowered as they go on. If it was too low the wavefronts begin again.
type likely struct {
	waves  *wavefronts
	total  int // letters
	most   int // the largest score of interest
	bound  int // of the cone; 0 for none
	next   int // score at which it is set or lowered
	spread float64
}

// likelySpread is how far above the expected score a likely one is, in standard deviations of the
// cost of the errors to come, which are about as many as those of a Poisson distribution.
const likelySpread = 2.5

// likelyLeast is the score from which on fewer cells are worth the search for the furthest one.
const likelyLeast = 24

func newLikely(w *wavefronts, most int) likely {
	p := &w.pen
	each := float64(p.ThreeErrors()) / 3 // an error
	return likely{
		waves: w, total: w.pattern.n + w.text.n, most: most, next: likelyLeast,
		spread: likelySpread * math.Sqrt(each),
	}
}

// update sets the cone when it is time. It reports whether the wavefronts have gone beyond it.
func (l *likely) update() (beyond bool) {
	w := l.waves
	if l.bound > 0 && w.s > l.bound {
		return true
	}
	if w.s < l.next {
		return false
	}
	guess := predict(w.s, w.furthest(), l.total)
	rest := guess - w.s
	bound := min(guess+int(l.spread*math.Sqrt(float64(rest)))+2, l.most)
	switch {
	case l.bound > 0:
		l.bound = min(l.bound, bound)
	case 2*w.s < bound:
		l.next = max(bound/2, w.s+2)
		return false
	default:
		l.bound = bound
	}
	l.next = w.s + rest/4 + 2
	w.limit(l.bound)
	return false
}

// end stops limiting the wavefronts, and begins them again if some cells may be missing.
func (l *likely) end(keep bool) {
	if l.bound > 0 {
		w := l.waves
		w.start(w.pattern, w.text, keep)
	}
	l.bound, l.next = 0, math.MaxInt
}
