package align

import "math"

// Span is which part of a pair an alignment must cover.
type Span uint8

const (
	// Global alignments cover both sequences.
	Global Span = iota
	// EndsFree alignments may leave out up to Free letters at the ends.
	EndsFree
	// Extension alignments begin where both sequences begin and end anywhere.
	Extension
	// Local alignments begin and end anywhere.
	Local
)

// EndsAnywhere reports whether an alignment may end in every cell.
func (s Span) EndsAnywhere() bool { return s == Extension || s == Local }

// FreeAll is a number of free letters that no sequence exceeds.
const FreeAll = math.MaxInt32

// Free is how many letters an ends-free alignment may leave out at the begin and at the end
// of the pattern and of the text. An alignment that leaves out letters of the pattern at
// one end leaves out none of the text there.
type Free struct {
	PatternBegin, PatternEnd int
	TextBegin, TextEnd       int
}

// Place is the part of a pair that an alignment covers: positions from 0, the ends exclusive.
type Place struct {
	PatternBegin, PatternEnd int
	TextBegin, TextEnd       int
}

// Whole returns the place of an alignment of all of p.
func (p *Pair) Whole() Place {
	return Place{PatternEnd: len(p.Pattern), TextEnd: len(p.Text)}
}

// Gap is the cost of gaps: one of length l costs Open + l·Extend.
type Gap struct{ Open, Extend int }
