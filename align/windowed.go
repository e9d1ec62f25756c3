package align

import (
	"math"

	"wfagpu/cigar"
)

const (
	windowLeast = 32 // letters of a pattern
	windowSpare = 2  // cost above the one that is expected
	windowTries = 3
	windowSteps = 8  // from a cost to twice the cost
	windowSure  = 85 // the most percent of the cost that all seeds show that is expected
	windowShare = 2  // of the letters that may be left out a window keeps less than one in so many
)

// pairWindow is a window of the text, and the bound on the cost that it is for.
type pairWindow struct {
	first, last int // diagonals
	lo, hi      int // letters of the text
	bound       int
}

// limit limits a window to some diagonals.
func (p *pairWindow) limit(first, last, pattern, text int) {
	p.first, p.last = first, last
	p.lo, p.hi = max(0, first), min(text, pattern+last)
}

// whole estimates what a pair costs that waits to be aligned by its whole matrix.
func (x *insideMethod) whole(pattern, text int) float64 {
	if x.bundle == nil || !x.bundle.takes(pattern, text) {
		return math.Inf(1)
	}
	return x.bundle.cost(pattern, text)
}

// firstWindow returns the window of a pair for the cost that is expected, by of, if seeds are likely to
// show one.
func (x *insideMethod) firstWindow(m *Model, pattern, text *sequence, steps int) (p pairWindow, ok bool) {
	w := x.window
	guess := x.rate.expected(pattern.n)
	if w == nil || min(pattern.n, text.n) < windowLeast {
		return p, false
	}
	k := w.choose(pattern.n, guess)
	if 100*guess >= windowSure*k.mostOf(k.seeds(pattern.n)) || !w.find(pattern, text, k) {
		return p, false
	}
	if each := w.expected(); each > 0 {
		guess = each
	}
	guess += guess/16 + windowSpare
	if c := x.gates.cost; c >= 0 { // of an alignment
		guess = min(guess, c)
	}
	return w.of(m, pattern.n, text.n, guess, steps)
}

// windowed aligns a pair in a window that has all optimal alignments, if seeds show one.
func (x *insideMethod) windowed(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	w := x.window
	p, ok := x.firstWindow(m, pattern, text, 1)
	for range windowTries {
		if !ok || (p.hi-p.lo-pattern.n)*windowShare > text.n-pattern.n {
			break
		}
		// Whole matrices of texts of several lengths cost about twice as much as is estimated.
		if bundleAlone*float64(pattern.n)*float64(p.hi-p.lo) > 2*x.whole(pattern.n, text.n) {
			break
		}
		q := &x.within
		q.model.Free = Free{TextBegin: m.Free.TextBegin - p.lo, TextEnd: m.Free.TextEnd - (text.n - p.hi)}
		q.result.cigar = dst[:0]
		if err := q.align(pattern.letters(), text.letters()[p.lo:p.hi], p.bound); err != nil {
			return spanResult{}, false, err
		}
		r := q.result
		cost := r.cost - m.FreeLetter*(p.hi-p.lo-pattern.n)
		if w.shows(&p, cost) {
			w.observe(cost)
			r.cost += m.FreeLetter * (p.lo + text.n - p.hi)
			if !x.scoreOnly {
				r.place.TextBegin += p.lo
				r.place.TextEnd += p.lo
			}
			return r, true, nil
		}
		if cost > w.most() {
			break
		}
		p, ok = w.of(m, pattern.n, text.n, cost, windowSteps)
	}
	return spanResult{}, false, nil
}

// of returns the window of a pair for a cost, or for a larger one if there is none, in so many steps to
// twice the cost.
func (w *windowPlaces) of(m *Model, pattern, text, bound, steps int) (p pairWindow, ok bool) {
	for bound = min(bound, w.most()); ; bound = min(bound+bound/steps+1, w.most()) {
		p.bound = bound
		first, last := w.diagonalsOf(bound)
		p.limit(first, last, pattern, text)
		if p.first <= p.last && p.lo <= m.Free.TextBegin && text-p.hi <= m.Free.TextEnd && p.lo < p.hi {
			return p, true
		}
		if bound == w.most() {
			return p, false
		}
	}
}

// shows reports whether all alignments of a cost are in the window.
func (w *windowPlaces) shows(p *pairWindow, cost int) bool {
	if cost <= p.bound {
		return true
	}
	if cost > w.most() {
		return false
	}
	first, last := w.diagonalsOf(cost)
	return first >= p.first && last <= p.last
}
