package align

import (
	"math"

	"wfagpu/cigar"
)

// Costs in nanoseconds, as in choose.go.
const (
	planeSetup      = 1500.0
	planeWords      = 18.0 // one word on one antidiagonal
	planeGroupSetup = 600.0
	planeGroupWords = 13.0 // of groups
)

// planeOneWord is the score up to which a band of one word is tried first.
const planeOneWord = 180

// planesPay reports whether planes should align the loaded pair, whose score is expected, rather
// than wavefronts, which have come to score done.
func (a *exact) planesPay(expected, done int) bool {
	return a.planes != nil && a.planes.estimate(a.pattern.n, a.text.n, expected) < a.costs.wavefronts(expected, done)
}

// estimate returns what planes cost for a pair whose score is expected.
func (b *planeBand) estimate(pattern, text, expected int) float64 {
	b.end, b.total = text-pattern, text+pattern
	if !b.place(planeBound(expected)) {
		return math.Inf(1)
	}
	words := 1.15 // now and then a second band follows
	if expected >= planeOneWord {
		// Of the words of all diagonals in reach those on one side, and half of the others.
		words = 1 + 1.3*float64(b.reach(expected)+abs(b.end)/2)/float64(b.width)
	}
	return planeSetup + planeWords*float64(b.total)*words
}

// planeBound returns the first bound for a pair whose score is expected to be s.
func planeBound(s int) int { return s + s/16 + int(2*math.Sqrt(float64(s))) + 4 }

// tryPlanes aligns the loaded pair, whose score is expected to be guess, by planes, and reports
// whether it did.
func (a *exact) tryPlanes(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	b := a.planes
	b.load(a.pattern, a.text)
	most := min(a.pen.Worst(a.pattern.n, a.text.n), a.limit)
	bound := min(planeBound(max(guess, a.pen.LengthGap(a.pattern.n, a.text.n))), most)
	for first := true; ; first = false {
		var s int
		var ok bool
		if first && guess < planeOneWord {
			if s, ok = b.oneWord(!a.scoreOnly, a.memory); ok && s < b.leaving(a.pattern, a.text, s) {
				bound = max(bound, s)
			} else if ok {
				bound = min(s, most)
				continue
			}
		}
		if !ok {
			s, ok = b.within(bound, !a.scoreOnly, a.memory)
		}
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case !ok:
			return 0, dst, false, nil
		case s <= bound:
			a.stats.Banded++
			if a.scoreOnly {
				return s, dst, true, nil
			}
			cost, c, err := b.trace.run(dst, a.pattern, a.text, &a.pen)
			if err == nil && cost != s {
				err = errTraceback
			}
			return s, c, true, err
		case bound == most && most == a.limit:
			return 0, dst, true, beyond(&a.stats.Banded)
		case bound == most:
			return 0, dst, false, errBand
		}
		bound = min(s, bound+bound/2, most)
	}
}
