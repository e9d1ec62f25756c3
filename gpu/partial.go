package gpu

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/passes"
)

// partials are pairs of a call whose alignments from the gated family have open parts. The parts are
// pieces: the host puts their alignments in place of them.
type partials struct {
	pieceCall
	pairs    []partial
	elements cigar.CIGAR // of all alignments, in turn, as the kernel has written them
}

// partial is an alignment with open parts, each of which is three elements; see abi.OpenPattern.
type partial struct {
	index    int32 // of the pair in its batch
	cost     int   // of what is not open
	begin    int   // of the alignment in the text
	elements int   // number of elements
	parts    int
}

// takePartials returns partials of a call, none yet. The call does not end before they are filled.
func (x *assembler) takePartials(c *call) *partials {
	p, _ := x.idlePartials.Get().(*partials)
	if p == nil {
		p = &partials{pieceCall: pieceCall{assembler: x, by: cmp.Or(x.closer, x), bounds: true}}
	}
	p.begin(c)
	p.pairs, p.elements = p.pairs[:0], p.elements[:0]
	return p
}

// add adds a pair with the elements of its alignment, which it copies, and returns an upper bound of what
// the alignment costs, and the sum of the squares of those of the parts. The error is an internal one.
func (p *partials) add(t *passes.Task, cost int, elements []uint32) (most int, squares float64, err error) {
	pair := &p.call.batch.Pairs[t.Index]
	n, m, parts := 0, 0, 0
	if p.policy.Spans && len(elements) >= positionElements {
		m, elements = int(elements[1]), elements[positionElements:]
	}
	begin := m
	most = cost
	from := len(p.elements)
	p.elements = append(p.elements, unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elements)), len(elements))...)
	for rest := p.elements[from:]; len(rest) > 0; {
		part, ok := firstOpen(rest)
		if !ok {
			pattern, text := rest[:1].QueryLen(), rest[:1].TargetLen()
			if pattern+text == 0 {
				break // not an element of an alignment
			}
			n, m, rest = n+pattern, m+text, rest[1:]
			continue
		}
		if n+part.pattern > len(pair.Pattern) || m+part.text > len(pair.Text) {
			break
		}
		p.pieceCall.add(pair.Pattern[n:n+part.pattern], pair.Text[m:m+part.text], part.cost)
		n, m = n+part.pattern, m+part.text
		most += part.cost
		squares += float64(part.cost) * float64(part.cost)
		parts++
		rest = rest[openElements:]
	}
	left := len(pair.Text) - m // behind the alignment of a pattern within a text
	if n != len(pair.Pattern) || left < 0 || left > 0 && !p.policy.Spans || parts == 0 || most > int(t.Bound) {
		return 0, 0, fmt.Errorf("internal error: no alignment with open parts of %d and %d letters from the GPU", t.Pattern, t.Text)
	}
	p.pairs = append(p.pairs, partial{t.Index, cost, begin, len(elements), parts})
	return most, squares, nil
}

// openPart is the letters of an open part, and an upper bound of its cost.
type openPart struct{ pattern, text, cost int }

// openElements is the number of elements of an open part.
const openElements = 3

// firstOpen returns the open part that elements begin with, if they do.
func firstOpen(elements cigar.CIGAR) (part openPart, ok bool) {
	if len(elements) < openElements {
		return part, false
	}
	for i, e := range elements[:openElements] {
		if int(e&15) != abi.OpenPattern+i || e.Len() == 0 {
			return part, false
		}
	}
	return openPart{elements[0].Len(), elements[1].Len(), elements[2].Len()}, true
}

// fill has the parts aligned and puts them in their places, in another goroutine. Of the pairs' results
// nothing else is used until then.
func (p *partials) fill() {
	go func() {
		p.align()
		p.join()
		p.end()
		p.idlePartials.Put(p)
	}()
}

// join makes the results of all pairs, unless their call has ended.
func (p *partials) join() {
	elements, results, expected := p.elements, p.batch.Results, p.expected
	for i := range p.pairs {
		if p.call.ended.Load() {
			return
		}
		t := &p.pairs[i]
		if err := p.joinPair(t, elements[:t.elements], results[:t.parts], expected[:t.parts]); err != nil {
			p.call.fail(err)
		}
		elements, results, expected = elements[t.elements:], results[t.parts:], expected[t.parts:]
	}
}

// joinPair makes the result of a pair from the elements of its alignment and the results of its parts. A
// pair of which a part falls back falls back. The error is an internal one.
func (p *partials) joinPair(t *partial, elements cigar.CIGAR, parts []align.Result, expected []int) error {
	cost := t.cost
	for i := range parts {
		switch r := &parts[i]; {
		case r.Err != nil:
			p.fallBack(t.index, r.Err)
			return nil
		case r.Score < 0 || r.Score > expected[i]:
			return fmt.Errorf("internal error: a part of a pair costs %d, but not more than %d on the GPU", r.Score, expected[i])
		default:
			cost += r.Score
		}
	}
	pair, out := &p.call.batch.Pairs[t.index], p.call.batch.PrepareResult(int(t.index))
	if cost > p.policy.Limit {
		p.stats.passBeyond(out)
		return nil
	}
	out.Score = p.call.score(&p.policy.Model, cost, len(pair.Pattern)+len(pair.Text))
	for len(parts) > 0 {
		at := slices.IndexFunc(elements, func(e cigar.Elem) bool { return e&15 == abi.OpenPattern })
		out.CIGAR = align.Joined(align.Joined(out.CIGAR, elements[:at]), parts[0].CIGAR)
		elements, parts = elements[at+openElements:], parts[1:]
	}
	out.CIGAR = align.Joined(out.CIGAR, elements)
	if p.policy.Spans {
		out.Place = align.Place{PatternEnd: len(pair.Pattern), TextBegin: t.begin, TextEnd: t.begin + out.CIGAR.TargetLen()}
	}
	if p.call.whole() {
		p.stats.addAligned(p.policy.Counter(uint8(p.policy.Kernels.Gated)), 1)
	}
	return nil
}
