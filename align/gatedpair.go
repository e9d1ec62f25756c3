package align

import "wfagpu/cigar"

// gatedPlan is which parts of a pair are aligned before the first gate, between the gates and behind
// the last one.
type gatedPlan struct {
	middle             Place
	lo, hi             int // letters of the text, without those that the ends leave out for certain
	before, behind     int // costs that the ends are likely not to exceed
	freeBegin, freeEnd int
}

// plan returns the parts of a pair whose optimal alignments pass two gates, or one.
func (x *insideMethod) plan(m *Model, pattern, text int, first, last *gateSeed) gatedPlan {
	g := x.gates
	p := gatedPlan{
		middle: Place{first.v, last.v + gateLetters, first.v + first.k, last.v + last.k + gateLetters},
		before: first.cost, behind: g.cost - last.cost,
	}
	p.lo = max(0, first.k-m.mostGap(p.before, text)-1)
	p.freeBegin = m.Free.TextBegin - p.lo
	p.hi = min(text, p.middle.TextEnd+pattern-p.middle.PatternEnd+m.mostGap(p.behind, text)+1)
	p.freeEnd = m.Free.TextEnd - (text - p.hi)
	return p
}

// endCells returns the number of cells of the matrices of the ends, of a pattern of so many letters.
func (p *gatedPlan) endCells(pattern int) int {
	return p.middle.PatternBegin*(p.middle.TextBegin-p.lo) + (pattern-p.middle.PatternEnd)*(p.hi-p.middle.TextEnd)
}

// ends aligns the ends of a pair. The alignments are in storage that the next pair uses.
func (x *insideMethod) ends(m *Model, pattern, text *sequence, plan *gatedPlan) (in Inside, err error) {
	p, t := pattern.letters(), text.letters()
	at := &plan.middle
	b, e := &x.before, &x.behind
	b.model.Free = Free{TextBegin: plan.freeBegin}
	if err := b.beside(p[:at.PatternBegin], t[plan.lo:at.TextBegin], plan.before); err != nil {
		return in, err
	}
	e.model.Free = Free{TextEnd: plan.freeEnd}
	if err := e.beside(p[at.PatternEnd:], t[at.TextEnd:plan.hi], plan.behind); err != nil {
		return in, err
	}
	in.Middle = *at
	in.Cost = b.result.cost + e.result.cost + m.FreeLetter*(plan.lo+text.n-plan.hi)
	if !x.scoreOnly {
		in.before, in.behind = b.result.cigar, e.result.cigar
		in.Place = Place{0, pattern.n, plan.lo + b.result.place.TextBegin, at.TextEnd + e.result.place.TextEnd}
	}
	return in, nil
}

// through aligns a pair whose optimal alignments pass two gates, or one.
func (x *insideMethod) through(dst cigar.CIGAR, m *Model, pattern, text *sequence, plan *gatedPlan) (spanResult, bool, error) {
	in, err := x.ends(m, pattern, text, plan)
	if err != nil {
		return spanResult{}, false, err
	}
	r := spanResult{cigar: dst[:0], place: in.Place}
	cost, between, err := x.between(in.Of(pattern.letters(), text.letters()))
	if err != nil {
		return r, false, err
	}
	r.cost = cost/m.Scale + in.Cost
	if !x.scoreOnly {
		r.cigar = in.Join(r.cigar, between)
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
