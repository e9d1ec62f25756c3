package align

// gatesPay reports whether to look for gates of the loaded pair, whose score is expected to be guess, 0 where
// unknown.
func (a *exact) gatesPay(guess int) bool {
	total := a.letters()
	if !a.gated.fits(total, guess) {
		return false
	}
	if guess == 0 {
		return true
	}
	others := a.costs.wavefronts(guess, 0)
	if a.edit != nil {
		others = min(others, a.edit.cost(a.pattern.n, a.text.n, guess))
	}
	if a.waits {
		if g := a.groups.promising(guess, a.text.n-a.pattern.n, total); g != nil {
			others = min(others, g.cost(total))
		}
	}
	return a.gated.cost(total, guess) < others
}
