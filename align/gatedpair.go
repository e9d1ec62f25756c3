package align

import "wfagpu/cigar"

// equal makes the result of a pair whose text has the whole pattern on diagonal k.
func (x *insideMethod) equal(dst cigar.CIGAR, m *Model, k, pattern, text int) (spanResult, bool, error) {
	r := spanResult{cost: m.FreeLetter * (text - pattern), cigar: dst[:0]}
	if !x.scoreOnly {
		r.place = Place{0, pattern, k, k + pattern}
		r.cigar = r.cigar.AppendElem(runMatch, pattern)
	}
	return r, true, nil
}

// through aligns a pair whose optimal alignments pass two gates, or one.
func (x *insideMethod) through(dst cigar.CIGAR, m *Model, pattern, text *sequence, first, last *gateSeed) (spanResult, bool, error) {
	g := x.gates
	from := cell{first.v, first.v + first.k}
	to := cell{last.v + gateLetters, last.v + last.k + gateLetters}
	p, t := pattern.letters(), text.letters()
	b, e := &x.before, &x.behind

	lo := max(0, first.k-m.mostGap(first.cost, text.n)-1)
	b.model.Free = Free{TextBegin: m.Free.TextBegin - lo}
	if err := b.align(p[:from.v], t[lo:from.h], first.cost); err != nil {
		return spanResult{}, false, err
	}
	rest := pattern.n - to.v
	hi := min(text.n, to.h+rest+m.mostGap(g.cost-last.cost, text.n)+1)
	e.model.Free = Free{TextEnd: m.Free.TextEnd - (text.n - hi)}
	if err := e.align(p[to.v:], t[to.h:hi], g.cost-last.cost); err != nil {
		return spanResult{}, false, err
	}
	r := spanResult{cigar: dst[:0]}
	cost, between, err := x.between(p[from.v:to.v], t[from.h:to.h])
	if err != nil {
		return r, false, err
	}
	r.cost = cost/m.Scale + b.result.cost + e.result.cost + m.FreeLetter*(lo+text.n-hi)
	if !x.scoreOnly {
		for _, c := range []cigar.CIGAR{b.result.cigar, between, e.result.cigar} {
			r.cigar = Joined(r.cigar, c)
		}
		r.place = Place{0, pattern.n, lo + b.result.place.TextBegin, to.h + e.result.place.TextEnd}
	}
	return r, true, nil
}

// between aligns what is between two gates, these included, and returns the cost, not reduced.
func (x *insideMethod) between(pattern, text []byte) (int, cigar.CIGAR, error) {
	a := x.middle
	if err := a.load(pattern, text); err != nil {
		return 0, nil, err
	}
	c, alignment, err := a.align(x.alignment[:0])
	x.alignment = alignment
	return c * a.model.Scale, alignment, err
}
