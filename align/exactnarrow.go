package align

import "wfagpu/cigar"

// tryNarrow aligns the loaded pair on few diagonals and reports whether that was enough. If
// not it returns the expected score, 0 where unknown. guess is the score expected from
// earlier pairs.
func (a *exact) tryNarrow(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	bound := n.certified(a.text.n - a.pattern.n)
	if a.limit <= bound {
		n.start(a.pattern, a.text)
		if !n.upTo(a.limit) {
			return 0, dst, true, beyond(&a.stats.Wavefront)
		}
		return a.fromNarrow(dst)
	}
	if bound < 0 || guess > bound {
		return guess, dst, false, nil
	}
	n.start(a.pattern, a.text)
	if guess == 0 || guess > bound/2 {
		// Few scores predict little; earlier pairs may predict more.
		first := min(firstPrediction, bound)
		if !n.upTo(first) {
			seen := predict(first, n.furthest(), a.letters())
			if guess > 0 {
				seen = (seen + 2*guess) / 3
			}
			if seen > bound {
				return seen, dst, false, nil
			}
		}
	}
	if !n.upTo(bound) {
		seen := predict(bound, n.furthest(), a.letters())
		return max(seen, guess), dst, false, nil
	}
	return a.fromNarrow(dst)
}

// fromNarrow finishes a pair whose end the narrow wavefronts have reached.
func (a *exact) fromNarrow(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	a.stats.Wavefront++
	s := n.args.score
	if a.scoreOnly {
		return s, dst, true, nil
	}
	dst, err := n.traceback(dst, a.pattern, a.text)
	return s, dst, true, err
}
