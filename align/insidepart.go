package align

// insidePart aligns a part of the pattern with a part of the text.
type insidePart struct {
	model         Model
	methods       []spanMethod
	choice        *spanChoice // the first one
	pattern, text sequence
	result        spanResult // whose CIGAR has storage
}

// beside aligns letters beside a gate, of which an alignment of cost bound is known. At no cost the
// pattern is equal to the letters of the text at the gate, and every other alignment costs more.
func (p *insidePart) beside(pattern, text []byte, bound int) error {
	if bound > 0 || len(pattern) == 0 {
		return p.align(pattern, text, bound)
	}
	n, out := len(pattern), len(text)-len(pattern)
	r := &p.result
	*r = spanResult{cost: p.model.FreeLetter * out, cigar: r.cigar[:0].AppendElem(runMatch, n), place: Place{PatternEnd: n, TextEnd: n}}
	if p.model.Free.TextBegin > 0 {
		r.place.TextBegin, r.place.TextEnd = out, n+out
	}
	return nil
}

// align aligns letters under the model. bound is what an alignment of them is likely to cost at most,
// FreeLetter as isInside says.
func (p *insidePart) align(pattern, text []byte, bound int) error {
	r := &p.result
	*r = spanResult{cigar: r.cigar[:0]}
	if len(pattern) == 0 {
		p.leaveOut(len(text))
		return nil
	}
	bound += p.model.FreeLetter * (len(text) - len(pattern))
	p.choice.rate = costRate(max(0, float64(bound)/float64(len(pattern)+1)))
	copy(p.pattern.guarded(len(pattern), patternPad), pattern)
	copy(p.text.guarded(len(text), textPad), text)
	for _, method := range p.methods {
		if by, ok, err := method.align(r.cigar, &p.model, &p.pattern, &p.text); ok || err != nil {
			*r = by
			return err
		}
	}
	return errSpanMethod
}

// leaveOut makes the result where there are no letters of the pattern: as many of the text's letters as
// may be are left out, at the one side of a gate or at the other one.
func (p *insidePart) leaveOut(letters int) {
	f := p.model.Free
	out := min(letters, f.TextBegin+f.TextEnd)
	p.result.cost = p.model.FreeLetter*out + p.model.Cost(letters-out)
	p.result.cigar = p.result.cigar.AppendElem(runDel, letters-out)
	p.result.place.TextEnd = letters - out
	if f.TextBegin > 0 {
		p.result.place = Place{TextBegin: out, TextEnd: letters}
	}
}
