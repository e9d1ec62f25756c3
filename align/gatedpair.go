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
func (x *gateEnds) plan(m *Model, pattern, text int, first, last *gateSeed) gatedPlan {
	p := planBeside(&x.gates.model, pattern, text, gatedPlan{
		middle: Place{first.v, last.v + gateLetters, first.v + first.k, last.v + last.k + gateLetters},
		before: first.cost, behind: x.gates.cost - last.cost,
	})
	if m.Span == Extension {
		p.lo, p.freeBegin = 0, 0
	}
	return p
}

// planBeside completes a plan that has the middle and the costs.
func planBeside(m *Model, pattern, text int, p gatedPlan) gatedPlan {
	at := p.middle
	p.lo = max(0, at.TextBegin-at.PatternBegin-m.mostGap(p.before, text)-1)
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
func (x *gateEnds) ends(m *Model, pattern, text *sequence, plan *gatedPlan) (in Inside, err error) {
	p, t := pattern.letters(), text.letters()
	at := &plan.middle
	b, e := &x.before, &x.behind
	b.model.Free = Free{TextBegin: plan.freeBegin}
	if err := x.besideGate(b, p[:at.PatternBegin], t[plan.lo:at.TextBegin], plan.before); err != nil {
		return in, err
	}
	e.model.Free = Free{TextEnd: plan.freeEnd}
	if err := x.besideGate(e, p[at.PatternEnd:], t[at.TextEnd:plan.hi], plan.behind); err != nil {
		return in, err
	}
	in.Middle = *at
	in.Cost = b.result.cost + e.result.cost + m.FreeLetter*(plan.lo+text.n-plan.hi)
	if !x.scoreOnly {
		in.before, in.behind = b.result.cigar, e.result.cigar
		begin, end := &b.result.place, &e.result.place
		in.Place = Place{begin.PatternBegin, at.PatternEnd + end.PatternEnd, plan.lo + begin.TextBegin, at.TextEnd + end.TextEnd}
	}
	return in, nil
}

// besideGate aligns letters beside a gate, of which an alignment of cost bound is known. Where wavefronts
// show the other end of the alignment to be reported, that is done globally.
func (x *gateEnds) besideGate(part *insidePart, pattern, text []byte, bound int) error {
	f, w := &part.model.Free, x.ahead
	if bound == 0 || min(len(pattern), len(text)) == 0 || w == nil || !w.worth(len(pattern), len(text), bound) {
		return part.beside(pattern, text, bound)
	}
	backwards := part == &x.before
	cost, few, many, err := w.find(pattern, text, f.TextBegin+f.TextEnd, bound, backwards)
	if err != nil {
		return err
	}
	r := &part.result
	switch {
	case cost < 0 || few == 0:
		return part.beside(pattern, text, bound)
	case x.scoreOnly:
		*r = spanResult{cost: cost, cigar: r.cigar[:0]}
		return nil
	case backwards && few < many:
		// Alignments of that cost begin in several cells.
		f.TextBegin = many - few
		out := len(text) - many
		err := part.align(pattern, text[out:], cost)
		r.place.TextBegin += out
		r.place.TextEnd += out
		return err
	}
	*r = spanResult{cost: cost, cigar: r.cigar[:0], place: Place{0, len(pattern), 0, few}}
	if backwards {
		r.place.TextBegin, r.place.TextEnd = len(text)-few, len(text)
	}
	_, alignment, err := x.between(x.short, pattern, text[r.place.TextBegin:r.place.TextEnd])
	r.cigar = append(r.cigar, alignment...)
	return err
}

// through aligns a pair whose optimal alignments pass two gates, or one. known is an alignment along which
// the gates are, nil for runs of equal letters.
func (x *gateEnds) through(dst cigar.CIGAR, m *Model, pattern, text *sequence, plan *gatedPlan, known *partAlignment) (spanResult, bool, error) {
	in, err := x.ends(m, pattern, text, plan)
	if err != nil {
		return spanResult{}, false, err
	}
	r := spanResult{cigar: dst[:0], place: in.Place}
	if known != nil {
		cost, between := known.between(x.alignment[:0], m, in.Middle.PatternBegin, in.Middle.PatternEnd)
		x.alignment, r.cost = between, cost+in.Cost
		if !x.scoreOnly {
			r.cigar = in.Join(r.cigar, between)
		}
		return r, true, nil
	}
	middle, middleText := in.Of(pattern.letters(), text.letters())
	cost, between, err := x.between(x.middle, middle, middleText)
	if err != nil {
		return r, false, err
	}
	r.cost = cost/m.Scale + in.Cost
	if !x.scoreOnly {
		r.cigar = in.Join(r.cigar, between)
	}
	return r, true, nil
}

// between aligns letters between two cells globally and returns the cost, not reduced.
func (x *gateEnds) between(a *Aligner, pattern, text []byte) (int, cigar.CIGAR, error) {
	if err := a.load(pattern, text); err != nil {
		return 0, nil, err
	}
	c, alignment, err := a.align(x.alignment[:0])
	x.alignment = alignment
	return c * a.model.Scale, alignment, err
}
