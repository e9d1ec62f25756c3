package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// Insider finds gates in pairs whose pattern lies within the text, or whose alignments end anywhere: of such a pair
// only the middle, between the first gate and the last one, is left to be aligned, globally. An engine in which that
// runs elsewhere has the results of Aligner. An Insider is not safe for concurrent use.
type Insider struct {
	kern          *kernels
	model         Model
	method        *gateEnds
	gapless       *gapless // nil for models whose alignments end anywhere
	pattern, text sequence
}

// Inside is a pair that has gates: what is left to be aligned, and all else.
type Inside struct {
	Middle Place // no sequence is empty there
	Cost   int   // all but that of the middle, reduced
	Place  Place // of the alignment; not in score-only mode

	before, behind cigar.CIGAR
}

const (
	// insideEnds is the most cells of the matrices of what is before and behind the gates that are always
	// aligned. More of them are if that takes insideCell nanoseconds at most for each cell of the pair's matrix:
	// all cores need about as long as a device for the whole matrix.
	insideEnds = 1 << 18
	insideCell = 0.004
)

// NewInsider returns an Insider, nil for models of which no pair has gates, or an error when the
// options are out of range.
func NewInsider(o Options) (*Insider, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	model, err := o.Model()
	if err != nil {
		return nil, err
	}
	x := &Insider{kern: kernelsFor(o.Level), model: model}
	if model.isInside() {
		g := newGapless(&model)
		x.gapless = &g
	} else if !model.Span.EndsAnywhere() || o.ZDrop > 0 {
		return nil, nil
	}
	if x.method, err = newGateEnds(x.kern, &model, o); err != nil {
		return nil, err
	}
	return x, nil
}

// StopOn makes Find end soon, without gates, once stop is set; nil is never.
func (x *Insider) StopOn(stop *atomic.Bool) { x.method.stopOn(stop) }

// Find finds gates near both ends of a pair, and aligns the ends. It reports whether there are any. Unless the pair
// is known to have few errors, it may leave it out if pairs before it have no gates.
func (x *Insider) Find(pattern, text []byte, few bool) (in Inside, ok bool) {
	if x.pattern.load(x.kern, pattern, patternPad) != nil || x.text.load(x.kern, text, textPad) != nil ||
		!x.model.costsFit(len(pattern), len(text)) {
		return in, false
	}
	y := x.method
	y.places.load(&x.text)
	if d, ok := x.onDiagonal(); ok {
		in.Middle = Place{0, len(pattern), d.k, d.k + len(pattern)}
		in.Cost = x.model.FreeLetter * (len(text) - len(pattern))
		if !y.scoreOnly {
			in.Place = in.Middle
		}
		return in, true
	}
	find := y.look
	if few {
		find = y.gates.find
	}
	first, last := find(&x.pattern, &x.text)
	if first == nil {
		return in, false
	}
	p := y.plan(&x.model, len(pattern), len(text), first, last)
	if p.endCells(len(pattern)) > insideEnds && y.gates.beside(first, last) > insideCell*float64(len(pattern))*float64(len(text)) {
		return in, false
	}
	in, err := y.ends(&x.model, &x.pattern, &x.text, &p)
	in.before, in.behind = append(cigar.CIGAR(nil), in.before...), append(cigar.CIGAR(nil), in.behind...)
	return in, err == nil
}

// onDiagonal finds the diagonal of a pattern that the text has.
func (x *Insider) onDiagonal() (d gaplessPlace, ok bool) {
	if x.gapless == nil {
		return d, false
	}
	d, ok = x.gapless.find(&x.method.places, &x.pattern)
	return d, ok && d.mismatch < 0
}

// Join appends the alignment of the pair to dst, with the one of the middle.
func (in *Inside) Join(dst, middle cigar.CIGAR) cigar.CIGAR {
	return Joined(Joined(Joined(dst, in.before), middle), in.behind)
}

// Of returns the letters of the middle of a pair's sequences.
func (in *Inside) Of(pattern, text []byte) (middlePattern, middleText []byte) {
	return pattern[in.Middle.PatternBegin:in.Middle.PatternEnd], text[in.Middle.TextBegin:in.Middle.TextEnd]
}
