package align

import "math"

// relativeCosts are the costs of a model less FreeLetter for each letter: the relative cost of
// cell (i,j) is its cost less (i+j)·FreeLetter. With f = FreeLetter,
//
//	match -2f    mismatch x-2f    gap of l letters  its cost - l·f
//
// Then every begin cell has the relative cost 0 if an alignment begins there, and what is left
// out behind an end cell adds the same to all of them: an optimal alignment ends in a cell of
// the least relative cost. It is -2/Scale times the similarity of the alignment so far.
type relativeCosts struct {
	match, mismatch int32
	gap, long       gapCosts
}

// gapCosts are the relative costs of one piece: of the first letter and of each further one.
type gapCosts struct{ open, extend int32 }

func newRelativeCosts(m *Model) relativeCosts {
	f := m.FreeLetter
	r := relativeCosts{
		match: int32(-2 * f), mismatch: int32(m.Mismatch - 2*f),
		gap: gapCosts{int32(m.Gap.Open + m.Gap.Extend - f), int32(m.Gap.Extend - f)},
	}
	r.long = r.gap
	if m.Long != (Gap{}) {
		r.long = gapCosts{int32(m.Long.Open + m.Long.Extend - f), int32(m.Long.Extend - f)}
	}
	return r
}

// mayBegin reports whether an alignment may begin in cell (i,j).
func (m *Model) mayBegin(i, j int) bool {
	switch m.Span {
	case Local:
		return true
	case EndsFree:
		return j == 0 && i <= m.Free.PatternBegin || i == 0 && j <= m.Free.TextBegin
	}
	return i == 0 && j == 0
}

// mayEnd reports whether an alignment of pattern and text letters may end in cell (i,j).
func (m *Model) mayEnd(i, j, pattern, text int) bool {
	switch m.Span {
	case Local, Extension:
		return true
	case EndsFree:
		return i == pattern && text-j <= m.Free.TextEnd || j == text && pattern-i <= m.Free.PatternEnd
	}
	return i == pattern && j == text
}

// diagonals are neighbouring ones, first..last.
type diagonals struct{ first, last int }

func (d diagonals) has(k int) bool { return d.first <= k && k <= d.last }

// count returns how many they are.
func (d diagonals) count() int { return d.last - d.first + 1 }

// wider returns them with so many more on either side.
func (d diagonals) wider(by int) diagonals { return diagonals{d.first - by, d.last + by} }

// diagonals returns those that alignments of pattern and text letters begin on and those that they
// end on, unless that is anywhere.
func (m *Model) diagonals(pattern, text int) (begins, ends diagonals) {
	end := text - pattern
	if m.Span != EndsFree {
		return diagonals{0, 0}, diagonals{end, end}
	}
	f := m.Free
	return diagonals{-min(f.PatternBegin, pattern), min(f.TextBegin, text)},
		diagonals{end - min(f.TextEnd, text), end + min(f.PatternEnd, pattern)}
}

// Allows reports whether an alignment of pattern and text letters may have the place p.
func (m *Model) Allows(p Place, pattern, text int) bool {
	return 0 <= p.PatternBegin && p.PatternBegin <= p.PatternEnd && p.PatternEnd <= pattern &&
		0 <= p.TextBegin && p.TextBegin <= p.TextEnd && p.TextEnd <= text &&
		m.mayBegin(p.PatternBegin, p.TextBegin) && m.mayEnd(p.PatternEnd, p.TextEnd, pattern, text)
}

// spanCell is a cell with its relative cost.
type spanCell struct {
	v, h int // letters of the pattern and of the text before it
	cost int
}

// before reports whether c is to be reported in place of d where alignments may end in both.
func (c spanCell) before(d spanCell) bool {
	if c.cost != d.cost {
		return c.cost < d.cost
	}
	return c.v < d.v || c.v == d.v && c.h < d.h
}

// noEnd is where no end has been found.
var noEnd = spanCell{cost: math.MaxInt}

func (c spanCell) found() bool { return c.cost < math.MaxInt }
