package align

import (
	"math"

	"wfagpu/cigar"
)

// The span methods that SpanBy knows.
const (
	SpanByMatrix  = "the matrix"
	SpanBySweep   = "sweeps"
	SpanByBounded = "bounded sweeps"
	SpanByWaves   = "wavefronts"
	SpanByChoice  = "the choice"
	SpanByInside  = "parts of the text"
	SpanByParts   = "parts between gates"
)

// SpanBy aligns pairs by one method for spans.
type SpanBy struct {
	a      *Aligner
	method spanMethod
	inside *insideMethod
	ends   *gateEnds  // of SpanByInside
	parts  *gatedLong // of SpanByParts
	model  Model
}

// NewSpanBy returns one for options that need no defaults but the level.
func NewSpanBy(name string, o Options) (*SpanBy, error) {
	m, err := o.Model()
	if err != nil {
		return nil, err
	}
	if o, err = o.withDefaults(); err != nil {
		return nil, err
	}
	k := kernelsFor(o.Level)
	s := &SpanBy{a: &Aligner{kern: k}, model: m}
	switch name {
	case SpanByMatrix:
		s.method = &spanMatrix{scoreOnly: o.ScoreOnly, memory: o.Memory}
	case SpanByWaves:
		s.method = &wavesMethod{kern: k, scoreOnly: o.ScoreOnly, memory: o.Memory, budget: 1e6}
	case SpanByChoice:
		s.method = newSpanChoice(k, o.ScoreOnly, o.Memory)
	case SpanByInside:
		if m.Span.EndsAnywhere() {
			e, err := newAnyEnds(k, &s.model, o)
			if err != nil {
				return nil, err
			}
			e.least = 0
			s.method, s.ends = e, e.gateEnds
			return s, nil
		}
		g, err := newInsideMethod(k, &s.model, o)
		if err != nil || g == nil {
			return nil, err
		}
		s.method, s.inside, s.ends = g, g, g.gateEnds
	case SpanByParts:
		x, err := newGatedLong(k, &s.model, o)
		if err != nil || x == nil {
			return nil, err
		}
		s.method, s.parts = x, x
	case SpanBySweep:
		s.method = &sweepMethod{kern: k, scoreOnly: o.ScoreOnly, memory: o.Memory, bound: -1}
	case SpanByBounded:
		s.method = &sweepMethod{kern: k, scoreOnly: o.ScoreOnly, memory: o.Memory, bound: 1}
	}
	return s, nil
}

// Align aligns a pair; ok is false if it is not for the method.
func (s *SpanBy) Align(pattern, text []byte, dst cigar.CIGAR) (r Result, ok bool) {
	if r.Err = s.a.load(pattern, text); r.Err != nil {
		return r, false
	}
	if s.ends != nil {
		s.ends.gatesPauses.left = 0
	}
	if s.parts != nil {
		s.parts.pauses.left = 0
	}
	by, ok, err := s.method.align(dst, &s.model, &s.a.pattern, &s.a.text)
	return Result{Score: s.model.Score(by.cost, len(pattern)+len(text)), CIGAR: by.cigar, Place: by.place, Err: err}, ok
}

// AlignFew aligns a pair by few seeds, and AlignAlong between gates along a global alignment, both for
// SpanByInside; ok is false if that is not for the pair.
func (s *SpanBy) AlignFew(pattern, text []byte) (r Result, ok bool) {
	return s.inParts(pattern, text, func(x *insideMethod, p, t *sequence) (spanResult, bool, error) {
		return x.fewErrors(nil, p, t)
	})
}

func (s *SpanBy) AlignAlong(pattern, text []byte) (r Result, ok bool) {
	return s.inParts(pattern, text, func(x *insideMethod, p, t *sequence) (spanResult, bool, error) {
		x.globalPauses.left = 0
		first, last, err := x.lookAlong(p, t)
		if first == nil {
			return spanResult{}, false, err
		}
		plan := x.plan(&s.model, p.n, t.n, first, last)
		return x.through(nil, &s.model, p, t, &plan, &x.known)
	})
}

// AlignRuns aligns a pair along runs of equal letters, for SpanByInside, wherever there is a gate; ok is false
// if there is none.
func (s *SpanBy) AlignRuns(pattern, text []byte) (r Result, ok bool) {
	return s.inParts(pattern, text, func(x *insideMethod, p, t *sequence) (spanResult, bool, error) {
		x.runsPauses.left, x.runsEnds = 0, math.Inf(1)
		if x.middle.exact != nil {
			x.middle.exact.gated.share = math.Inf(1)
		}
		return x.alongRuns(nil, &s.model, p, t)
	})
}

func (s *SpanBy) inParts(pattern, text []byte, by func(x *insideMethod, p, t *sequence) (spanResult, bool, error)) (r Result, ok bool) {
	if r.Err = s.a.load(pattern, text); r.Err != nil {
		return r, false
	}
	s.inside.places.load(&s.a.text)
	res, ok, err := by(s.inside, &s.a.pattern, &s.a.text)
	return Result{Score: s.model.Score(res.cost, len(pattern)+len(text)), CIGAR: res.cigar, Place: res.place, Err: err}, ok
}

// SweepStorage returns how many bytes sweeps have stored for the traceback of the last pair, and in how many
// layers of borders.
func (s *SpanBy) SweepStorage() (bytes, layers int) {
	x := s.method.(*sweepMethod)
	n, l := x.narrow.cells.stored()
	w, m := x.wide.cells.stored()
	return 2*n + 4*w, max(l, m)
}

func (c *sweepStore[C]) stored() (cells, layers int) {
	lists := [][][]C{c.borders, c.states, c.spare, c.spareStates}
	for i := range c.layers {
		if l := &c.layers[i]; l.every > 0 {
			layers++
			lists = append(lists, l.borders)
		}
	}
	for _, list := range lists {
		for _, s := range list {
			cells += cap(s)
		}
	}
	return cells, layers
}
