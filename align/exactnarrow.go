package align

import "wfagpu/cigar"

// exactNarrow aligns pairs of low scores by wavefronts of few diagonals.
type exactNarrow struct {
	*given
	narrow *narrow     // nil for penalties that reach too far
	edit   *editNarrow // in its place for edit distance, nil for other penalties
}

// usable reports whether the penalties have such wavefronts.
func (a *exactNarrow) usable() bool { return a.narrow != nil }

// try aligns the loaded pair on few diagonals and reports whether that was enough. If
// not it returns the expected score, 0 where unknown. guess is the score expected from
// earlier pairs.
func (a *exactNarrow) try(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	if a.edit != nil {
		return a.tryEdit(dst, guess)
	}
	n := a.narrow
	bound := n.certified(a.text.n - a.pattern.n)
	if a.limit <= bound {
		n.start(a.pattern, a.text)
		if !n.upTo(a.limit) {
			return 0, dst, true, beyond(&a.stats.Wavefront)
		}
		return a.finish(dst)
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
	return a.finish(dst)
}

// finish finishes a pair whose end the narrow wavefronts have reached.
func (a *exactNarrow) finish(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	a.stats.Wavefront++
	s := n.args.score
	if a.scoreOnly {
		return s, dst, true, nil
	}
	dst, err := n.traceback(dst)
	return s, dst, true, err
}

// tryEdit is try for edit distance.
func (a *exactNarrow) tryEdit(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	n := a.edit
	end := a.text.n - a.pattern.n
	most := n.certified(len(n.run)*narrowLanes, end)
	stop := min(most, a.limit)
	if most < 0 || guess > most && stop == most {
		return guess, dst, false, nil
	}
	if guess > 0 {
		// Probably enough; fewer cells are in reach of a lower bound.
		stop = min(stop, max(guess, abs(end))+guess/8+4)
	} else if few := n.certified(narrowLanes, end); few >= 0 {
		stop = min(stop, few)
	}
	for !n.align(a.pattern, a.text, stop) {
		switch {
		case stop == a.limit:
			return 0, dst, true, beyond(&a.stats.Wavefront)
		case guess == 0 || stop == most:
			return max(guess, predict(stop, n.furthest(), a.letters())), dst, false, nil
		}
		stop = min(most, a.limit)
	}
	a.stats.Wavefront++
	if a.scoreOnly {
		return n.args.score, dst, true, nil
	}
	c, err := n.traceback(dst, a.pattern, a.text)
	return n.args.score, c, true, err
}
