package align

import "wfagpu/cigar"

// near aligns a pair of few errors, whose seeds have been found, by narrow wavefronts around the diagonals
// of most seeds. All alignments of a cost pass one of these where seeds have fewer places elsewhere than
// such alignments pass.
func (x *insideMethod) near(dst cigar.CIGAR, pattern, text *sequence) (spanResult, bool, error) {
	n, s := x.narrow, &x.seeds
	if n == nil {
		return spanResult{}, false, nil
	}
	u := x.lanes.steps.of(s.letters)
	most := min(n.certifies(s.near.first, s.near.last), u.unit*(len(s.first)-s.elsewhere)-1)
	if most < 0 || x.expected(pattern.n) > most {
		return spanResult{}, false, nil
	}
	begins, ends := n.model.diagonals(pattern.n, text.n)
	n.start(pattern, text, s.near.first, s.near.last, begins, ends)
	end := n.upTo(most)
	if !end.found() {
		return spanResult{}, false, nil
	}
	s.rate.observe(end.cost, s.missing)
	if x.scoreOnly {
		return spanResult{cost: end.cost, cigar: dst[:0]}, true, nil
	}
	t := spanTraceback{model: n.model, pattern: pattern, text: text, cells: n}
	return t.result(dst, end, nil)
}
