package align

import (
	"bytes"
	"sync/atomic"
)

// insidePart aligns a part of the pattern with a part of the text.
type insidePart struct {
	model         Model
	toEnd         bool // local alignments end where both sequences do
	methods       []spanMethod
	choice        *spanChoice // the first one
	pattern, text sequence
	result        spanResult // whose CIGAR has storage
}

// prepare makes the part one of a model.
func (p *insidePart) prepare(k *kernels, m *Model, o Options) {
	p.model = *m
	p.choice = newSpanChoice(k, o.ScoreOnly, o.Memory)
	p.methods = []spanMethod{p.choice, &spanMatrix{scoreOnly: o.ScoreOnly, memory: o.Memory}}
}

func (p *insidePart) stopOn(stop *atomic.Bool) {
	for _, m := range p.methods {
		m.stopOn(stop)
	}
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
	tail := 0
	if p.toEnd {
		tail = min(len(pattern), len(text)) + 1
	}
	v, h := p.pattern.guarded(len(pattern)+tail, patternPad), p.text.guarded(len(text)+tail, textPad)
	copy(v, pattern)
	copy(h, text)
	if tail > 0 {
		other := otherLetter(pattern, text)
		if other == patternEnd || !p.model.costsFit(len(v), len(h)) {
			return errSpanMethod
		}
		fill(v[len(pattern):], other)
		fill(h[len(text):], other)
	}
	for _, method := range p.methods {
		if by, ok, err := method.align(r.cigar, &p.model, &p.pattern, &p.text); ok || err != nil {
			*r = by
			if err == nil && !p.cutTail(tail) {
				err = errSpanMethod
			}
			return err
		}
	}
	return errSpanMethod
}

// cutTail takes so many equal letters from the end of the result, and reports whether they are there. Alignments that end
// elsewhere leave out some of these, or have others beside the letters before them. Before a gate that costs more: alignments
// that are not on its diagonal spoil the seed before it, too, and seeds that lie between others are gates if the alignment
// that is known costs less there than two errors.
func (p *insidePart) cutTail(letters int) bool {
	r := &p.result
	if letters == 0 || len(r.cigar) == 0 {
		return true
	}
	last := len(r.cigar) - 1
	n := r.cigar[last].Len() - letters
	if n < 0 || r.cigar[last]&15 != runMatch || r.place.PatternEnd != p.pattern.n || r.place.TextEnd != p.text.n {
		return false
	}
	r.cigar = r.cigar[:last].AppendElem(runMatch, n)
	r.place.PatternEnd -= letters
	r.place.TextEnd -= letters
	return true
}

// otherLetter returns a letter that neither sequence has, patternEnd if there is none.
func otherLetter(pattern, text []byte) byte {
	for c := byte(textEnd - 1); ; c-- {
		if c == patternEnd || bytes.IndexByte(pattern, c) < 0 && bytes.IndexByte(text, c) < 0 {
			return c
		}
	}
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
