package align

import "wfagpu/cigar"

// editPays reports whether edit should align the loaded pair, whose distance is expected, rather
// than wavefronts, which have come to score done, or a band.
func (a *exact) editPays(expected, done int) bool {
	if a.edit == nil {
		return false
	}
	others := a.costs.wavefronts(expected, done)
	if a.band != nil {
		cost, _ := a.costs.band(a.band, expected)
		others = min(others, cost)
	}
	if a.waits && done == 0 {
		if g := a.groups.certifying(expected, a.text.n-a.pattern.n, a.letters()); g != nil {
			others = min(others, g.cost(a.letters()))
		}
	}
	return a.edit.cost(a.pattern.n, a.text.n, expected) < others
}

// tryEdit aligns the loaded pair, whose distance is expected to be guess, by edit distance, and
// reports whether it did.
func (a *exact) tryEdit(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	e := a.edit
	if !e.load(a.pattern, a.text) {
		return 0, dst, false, nil
	}
	most := min(a.pen.Worst(a.pattern.n, a.text.n), a.limit)
	bound := min(margined(max(guess, abs(e.end))), most)
	for {
		keep := keepNothing
		if !a.scoreOnly {
			var fits bool
			if keep, fits = e.keeps(bound, a.memory); !fits {
				return 0, dst, false, nil
			}
		}
		s, how := e.distance(bound, keep, bound == most)
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case how == editFound && s <= bound:
			a.stats.Banded++
			if a.scoreOnly {
				return s, dst, true, nil
			}
			c, err := e.trace.run(dst, &e.editState, a.pattern, a.text, s, a.stop)
			return s, c, true, err
		case bound == most && most == a.limit:
			return 0, dst, true, beyond(&a.stats.Banded)
		case bound == most:
			return 0, dst, false, errBand
		case how == editFound:
			bound = min(s, most)
		default:
			bound = min(max(margined(s), bound+bound/2), most)
		}
	}
}
