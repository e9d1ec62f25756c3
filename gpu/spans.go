package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/passes"
)

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

// positionElements is the number of elements ahead of those of an alignment that is not global: the positions at
// which it begins.
const positionElements = 2

// finishSpan copies the result of a task of the span family to the batch: ahead of the elements
// of its alignment are the positions at which it begins.
func (d *decoder) finishSpan(t *passes.Task, r *abi.Result, out *align.Result) error {
	if int(r.Score) > d.policy.Limit {
		d.stats.passBeyond(out)
		return nil
	}
	if d.policy.Kernels.Within() {
		d.observe(t, int(r.Score))
	}
	d.prepare(out, t)
	out.Score = d.policy.Model.Score(int(r.Score), int(t.Pattern)+int(t.Text))
	if d.scoreOnly {
		if d.policy.Model.Span != align.Global {
			out.Place = align.Place{}
		}
		return nil
	}
	elems, err := d.elements(t, r, positionElements)
	if err != nil {
		return err
	}
	place := align.Place{PatternBegin: int(elems[0]), TextBegin: int(elems[1])}
	elems = elems[positionElements:]
	out.CIGAR = d.storage.copy(out.CIGAR, elems)
	pattern, text := out.CIGAR.Consumed()
	place.PatternEnd, place.TextEnd = place.PatternBegin+pattern, place.TextBegin+text
	out.Place = place
	return nil
}
