package align

import "math"

// lookCost is what other methods cost at least, in nanoseconds, where an alignment along runs of equal letters is
// looked for in a pair that is expected to have too many errors for gates: earlier pairs may be of another
// kind. The search ends soon if there are so many, and costs a hundredth of that.
const lookCost = 300e3

// findAlong looks for an alignment of the loaded pair along runs of equal letters where gates are likely to pay, and
// briefly where other methods cost much, and reports whether there is one. The score of the pair is expected to be
// guess, 0 where unknown.
func (a *exact) findAlong(guess int) bool {
	g, total := a.gated, a.letters()
	if !g.takes(total) {
		return false
	}
	apart := a.apart(guess)
	if !g.fits(total, apart) {
		return lookCost < min(a.othersCost(guess), a.bandCost(guess)) && a.along.look(a.pattern, a.text)
	}
	if guess > 0 && g.cost(total, apart) >= a.othersCost(guess) {
		return false
	}
	return a.along.run(a.pattern, a.text)
}

// othersCost estimates what the methods without gates cost for the loaded pair, whose score is expected to be
// guess, but for bands of one pair.
func (a *exact) othersCost(guess int) float64 {
	cost := a.costs.wavefronts(guess, 0)
	if a.planes != nil {
		cost = min(cost, a.planes.estimate(a.pattern.n, a.text.n, guess))
	}
	if a.edit != nil {
		cost = min(cost, a.edit.cost(a.pattern.n, a.text.n, guess))
	}
	if a.waits {
		if g := a.groups.promising(guess, a.text.n-a.pattern.n, a.letters()); g != nil {
			cost = min(cost, g.cost(a.letters()))
		}
	}
	return cost
}

// bandCost estimates what a band costs for the loaded pair, whose score is expected to be guess.
func (a *exact) bandCost(guess int) float64 {
	if a.band == nil {
		return math.Inf(1)
	}
	cost, _ := a.costs.band(a.band, guess)
	return cost
}
