package align

import "wfagpu/cigar"

// fewErrors aligns a pair whose pattern has few errors, by few seeds: without a matrix where these show that
// the best alignment has no gap.
func (x *insideMethod) fewErrors(dst cigar.CIGAR, pattern, text *sequence) (spanResult, bool, error) {
	s := &x.few
	if x.lanes == nil || x.narrow == nil || pattern.n > longLetters {
		return spanResult{}, false, nil
	}
	u := &x.lanes.steps.long
	if x.rate.expected(pattern.n) > fewMost*u.unit {
		return spanResult{}, false, nil
	}
	if !s.find(x.lanes.kern, &x.places, x.narrow.model, u.unit, pattern) {
		return spanResult{}, false, nil
	}
	bound := -1
	if cost, ok := x.along.find(x.narrow.model, pattern, text, s.most); ok {
		bound = cost
		// Any other alignment passes few of the seeds, or leaves the diagonal at the cost of a gap and has
		// errors in those that have no places.
		if cost < min(u.unit*(s.seeds-s.others), maxNarrowScore+1) &&
			(cost < u.leave.of(1, s.nowhere) || cost < u.leave.of(1, x.along.count) && x.along.nowhere(&x.places, pattern, s.in)) {
			return x.along.result(dst, cost, pattern.n, x.scoreOnly), true, nil
		}
	}
	return x.near(dst, pattern, text, &s.nearPlaces, &s.rate, bound)
}

// near aligns a pair of few errors, whose seeds have been found, by narrow wavefronts around the diagonals
// of most seeds. All alignments of a cost pass one of these where seeds have fewer places elsewhere than
// such alignments pass. bound is the cost of an alignment, or negative.
func (x *insideMethod) near(dst cigar.CIGAR, pattern, text *sequence, s *nearPlaces, rate *seedRate, bound int) (spanResult, bool, error) {
	n := x.narrow
	u := x.lanes.steps.of(s.letters)
	most := min(n.certifiesBy(s, u), u.unit*(s.seeds-s.elsewhere)-1)
	guess := x.rate.expected(pattern.n)
	if *rate > 0 {
		guess = rate.expected(s.missing)
	}
	if 0 <= bound && bound <= most {
		guess, most = bound, bound
	}
	if most < 0 || guess > most {
		return spanResult{}, false, nil
	}
	begins, ends := n.model.diagonals(pattern.n, text.n)
	// Alignments that begin further away have a gap, or several.
	away := 0
	for away < narrowLanes && u.leave.of(away+1, s.nowhere) <= guess {
		away++
	}
	some := diagonals{max(begins.first, s.near.first-away), min(begins.last, s.near.last+away)}
	n.start(pattern, text, s.near.first, s.near.last, some, ends)
	end := n.upTo(most)
	if away < narrowLanes && u.leave.of(away+1, s.nowhere) <= min(end.cost, most) {
		n.start(pattern, text, s.near.first, s.near.last, begins, ends)
		end = n.upTo(most)
	}
	if !end.found() {
		return spanResult{}, false, nil
	}
	rate.observe(end.cost, s.missing)
	if x.scoreOnly {
		return spanResult{cost: end.cost, cigar: dst[:0]}, true, nil
	}
	t := spanTraceback{model: n.model, pattern: pattern, text: text, cells: n}
	return t.result(dst, end, nil)
}
