package gpu

import (
	"fmt"
	"math/bits"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
)

// Models whose pairs the kernels of the span family align: one pass each, over the whole
// matrix. Where a kernel of the gated family takes patterns within texts, its pass comes before that.

// span makes t a task of the span family. The error is the cause of a fallback.
func (p *policy) span(t *task) error {
	pattern, text := int(t.pattern), int(t.text)
	if len(p.kernels.Kernels) == 0 {
		return errScores
	}
	k := p.kernels.Span(pattern, text)
	if k < 0 { // costs of pairs of these lengths exceed the kernels' values
		return errScores
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(p.model.Worst(pattern, text)), 0
	return nil
}

// gatedSpan makes t a task of the gated family, or reports that the pair is none for it: where the matrix is large,
// the pass takes little beside it unless most fail, and else if most pairs are likely to be aligned.
func (p *policy) gatedSpan(t *task, r *rates, maxBounds []int) bool {
	pattern, text := int(t.pattern), int(t.text)
	if !p.gatesMatrix(pattern, text, r) && !r[t.class].gated {
		return false
	}
	k := p.kernels.Gated
	bound := 1 << bits.Len(uint(max(2*p.gatedScore(max(pattern, text)), leastGated)-1))
	if bound = min(bound, maxBounds[k]); !p.kernels.Kernels[k].Takes(pattern, text, bound) {
		return false
	}
	t.kernel, t.bound, t.attempts = uint8(k), int32(bound), 0
	return true
}

// gatesMatrix reports whether a gated pass comes first as the matrix is large.
func (p *policy) gatesMatrix(pattern, text int, r *rates) bool {
	return p.kernels.Gated >= 0 && pattern*text >= p.matrix && !r[lengthClass(max(pattern, text))].rests && p.kernels.Kernels[p.kernels.Gated].Takes(pattern, text, leastGated)
}

// exactWork returns how long an exact pass takes that is not a gated one; see estimator.
func (p *policy) exactWork(length, bound int) func(score int) float64 {
	if !p.spans {
		return p.kernels.ExactWork(length, bound)
	}
	work := 0.0
	if k := p.kernels.Span(length, length); k >= 0 {
		work = p.kernels.Kernels[k].Work(length, length, 0, 0)
	}
	return func(int) float64 { return work }
}

// trivial returns the cost of a pair with an empty sequence, free letters included, and the
// place of its alignment, which is a gap or empty.
func trivial(m *align.Model, pattern, text int) (cost int, place align.Place) {
	switch m.Span {
	case align.Extension, align.Local:
		return m.FreeLetter * (pattern + text), align.Place{}
	case align.Global:
		return m.Cost(pattern) + m.Cost(text), align.Place{PatternEnd: pattern, TextEnd: text}
	}
	// As many letters as possible are left out, those at the end first.
	f := m.Free
	place.PatternEnd = pattern - min(pattern, f.PatternEnd)
	place.PatternBegin = min(place.PatternEnd, f.PatternBegin)
	place.TextEnd = text - min(text, f.TextEnd)
	place.TextBegin = min(place.TextEnd, f.TextBegin)
	pattern, text = pattern-(place.PatternEnd-place.PatternBegin), text-(place.TextEnd-place.TextBegin)
	return m.FreeLetter*(pattern+text) + m.Cost(place.PatternEnd-place.PatternBegin) + m.Cost(place.TextEnd-place.TextBegin), place
}

// finishSpan copies the result of a task of the span family to the batch: ahead of the elements
// of its alignment are the positions at which it begins.
func (d *decoder) finishSpan(t *task, r *abi.Result, out *align.Result) error {
	if int(r.Score) > d.policy.limit {
		out.Score, out.CIGAR, out.Place = align.Beyond, out.CIGAR[:0], align.Place{}
		d.stats.Beyond++
		return nil
	}
	if d.policy.kernels.Gated >= 0 {
		d.seen.add(int(r.Score), int(max(t.pattern, t.text)), int(t.class))
	}
	out.Score = d.policy.model.Score(int(r.Score), int(t.pattern)+int(t.text))
	if d.scoreOnly {
		if d.policy.model.Span != align.Global {
			out.Place = align.Place{}
		}
		return nil
	}
	end := uint64(r.Cigar) + uint64(r.CigarLength)
	if r.CigarLength < 2 || end > uint64(len(d.cigars)) {
		return fmt.Errorf("internal error: no alignment of %d and %d letters from the GPU", t.pattern, t.text)
	}
	elems := d.cigars[r.Cigar:end]
	place := align.Place{PatternBegin: int(elems[0]), TextBegin: int(elems[1])}
	elems = elems[2:]
	out.CIGAR = append(out.CIGAR[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elems)), len(elems))...)
	pattern, text := out.CIGAR.QueryLen(), out.CIGAR.TargetLen()
	place.PatternEnd, place.TextEnd = place.PatternBegin+pattern, place.TextBegin+text
	out.Place = place
	return nil
}
