package align

import "wfagpu/cigar"

// certified returns the largest score that is certain to be optimal in the band, before it moves,
// for pairs that end on diagonal end.
func (b AdaptiveBand) certified(p Penalties, end int) int {
	first := -(b.Band / 2)
	spare := min(min(0, end)-first, first+b.Band-1-max(0, end))
	if spare < 0 {
		return -1
	}
	return min(p.leave(end, spare)-1, b.Lambda)
}

// tryNarrowBand aligns the pair by narrow wavefronts if its score is so low that they and the band,
// which has not moved by then, certify it, and reports whether it is. All cells on
// alignments of that score are then the same in both.
func (a *approximate) tryNarrowBand(dst cigar.CIGAR, band AdaptiveBand) (int, cigar.CIGAR, bool, error) {
	x := a.exact
	n := x.few.narrow
	if n == nil {
		return 0, dst, false, nil
	}
	end := a.text.n - a.pattern.n
	bound := min(n.certified(end), band.certified(x.pen, end))
	if bound < 0 || x.costs.expected(a.pattern.n, a.text.n) > 2*bound {
		return 0, dst, false, nil
	}
	if n.start(a.pattern, a.text); !n.upTo(bound) {
		return 0, dst, false, nil
	}
	a.stats.Aligned++
	s := n.args.score
	x.costs.observe(s, a.pattern.n, a.text.n)
	if x.scoreOnly {
		return s, dst, true, nil
	}
	n.trace.late = true
	dst, err := n.traceback(dst)
	n.trace.late = false
	return s, dst, true, err
}
