package align

// bundleTraced is how many times as much as its estimate a pair of a bundle may cost with a traceback,
// whose marks leave the cache, beside a short one in a band.
const bundleTraced = 1.5

// bundlePays reports whether the loaded pair, whose score is expected to be guess, is to be aligned by
// its whole matrix, with others.
func (a *exact) bundlePays(guess int) bool {
	b, n, m := a.bundle, a.pattern.n, a.text.n
	if b == nil || guess > a.limit || !b.takes(n, m) {
		return false
	}
	alone := a.plainCost(guess)
	if !a.scoreOnly && b.matrix.holds(n, m) {
		alone /= bundleTraced
	}
	return b.cost(n, m) < alone
}

// plainCost estimates what the loaded pair, whose score is expected to be guess, costs by wavefronts, in a band or, where
// it may wait, in a group.
func (a *exact) plainCost(guess int) float64 {
	cost := a.costs.wavefronts(guess, 0)
	if a.band == nil {
		return cost
	}
	band, _ := a.costs.band(a.band, guess)
	cost = min(cost, band)
	if g := a.groups.certifying(guess, a.text.n-a.pattern.n, a.letters()); a.waits && g != nil {
		cost = min(cost, g.cost(a.letters()))
	}
	return cost
}
