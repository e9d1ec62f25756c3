package align

import (
	"errors"
	"fmt"

	"wfagpu/cigar"
)

// Model is the alignment model that every engine takes its begin, end, components and scale
// from. Its costs are minimised: a match costs 0, and with Scoring.Match A every letter of
// the pair is worth A/2 and an alignment costs what it has less than all of these, doubled:
//
//	mismatch 2(A+x)    gap 2o + l(2e+A)    letter left out at a free end A
//
// (Eizenga and Paten 2022, Improving the time and space complexity of the WFA algorithm and
// generalizing its scoring.) Then all costs are divided by their greatest common divisor.
type Model struct {
	Span       Span
	Free       Free // of EndsFree
	Mismatch   int
	Gap, Long  Gap // Long is zero unless gaps have two costs, of which each is the lower one of some
	FreeLetter int // each letter left out at a free end, 0 for Global
	Scale      int // the divisor

	match int
}

// NewModel returns the model of a span and a scoring. Free matters for EndsFree alone.
func NewModel(span Span, free Free, s Scoring) (Model, error) {
	if err := s.Validate(); err != nil {
		return Model{}, err
	}
	if s.Match == 0 && span.EndsAnywhere() {
		return Model{}, errors.New("local and extension alignments need a match score: without one the empty alignment is the best")
	}
	switch {
	case span > Local:
		return Model{}, fmt.Errorf("span %d is unknown", span)
	case span == EndsFree && min(free.PatternBegin, free.PatternEnd, free.TextBegin, free.TextEnd) < 0:
		return Model{}, fmt.Errorf("a number of free letters is negative: %+v", free)
	}
	m := Model{
		Span: span, Mismatch: s.Mismatch, Gap: Gap{s.GapOpen, s.GapExtend}, Long: s.LongGap,
		FreeLetter: s.Match, Scale: 1, match: s.Match,
	}
	if span == EndsFree {
		m.Free = free
	}
	if m.Long != (Gap{}) && m.Long.Open+m.Long.Extend <= m.Gap.Open+m.Gap.Extend {
		// The second cost is the lower one of every gap.
		m.Gap, m.Long = m.Long, Gap{}
	}
	if s.Match > 0 {
		m.Mismatch = 2 * (s.Match + s.Mismatch)
		m.Gap = m.Gap.shifted(s.Match)
		if m.Long != (Gap{}) {
			m.Long = m.Long.shifted(s.Match)
		}
	}
	if span == Global {
		m.FreeLetter = 0
	}
	g := GreatestDivisor(m.Mismatch, m.Gap.Open, m.Gap.Extend, m.Long.Open, m.Long.Extend, m.FreeLetter)
	m.Mismatch /= g
	m.Gap, m.Long = m.Gap.divided(g), m.Long.divided(g)
	m.FreeLetter /= g
	m.Scale = g
	return m, nil
}

func (g Gap) shifted(match int) Gap { return Gap{2 * g.Open, 2*g.Extend + match} }
func (g Gap) divided(by int) Gap    { return Gap{g.Open / by, g.Extend / by} }

// Plain reports whether alignments are global and gaps have one cost, so that Affine is all of the
// model.
func (m *Model) Plain() bool { return m.Span == Global && m.Long == (Gap{}) }

// Affine returns the penalties of a model with one cost of gaps.
func (m *Model) Affine() Penalties { return Penalties{m.Mismatch, m.Gap.Open, m.Gap.Extend} }

// values are what the columns of an alignment cost, as penalties.
func (m *Model) values() cigar.Values {
	return cigar.Values{
		Mismatch: m.Mismatch, GapOpen: m.Gap.Open, GapExtend: m.Gap.Extend,
		LongOpen: m.Long.Open, LongExtend: m.Long.Extend,
	}
}

// Score returns the score to report of an alignment of reduced cost c, free letters
// included, of a pair with that many letters together.
func (m *Model) Score(c, letters int) int {
	c *= m.Scale
	if m.match == 0 {
		return c
	}
	return (m.match*letters - c) / 2
}

// Cost returns the cost of a gap of l letters, 0 for none.
func (m *Model) Cost(l int) int {
	if l <= 0 {
		return 0
	}
	c := m.Gap.Open + l*m.Gap.Extend
	if m.Long != (Gap{}) {
		c = min(c, m.Long.Open+l*m.Long.Extend)
	}
	return c
}

// last returns the cost of long gaps.
func (m *Model) last() Gap {
	if m.Long != (Gap{}) {
		return m.Long
	}
	return m.Gap
}

// Worst returns an upper bound of the reduced cost, free letters included, of the optimal
// alignment of sequences of some lengths.
func (m *Model) Worst(pattern, text int) int {
	worst := min(m.Cost(pattern)+m.Cost(text), m.Mismatch*min(pattern, text)+m.Cost(abs(pattern-text)))
	if m.Span.EndsAnywhere() {
		return min(worst, m.FreeLetter*(pattern+text))
	}
	return worst
}
