package aligntest

import (
	"bytes"
	"fmt"

	"wfagpu/align"
)

// Case is a pair to align. Its name says how it was made, with the seed where
// there is one.
type Case struct {
	Name          string
	Pattern, Text []byte
}

// PenaltySets are those the suite runs: the usual ones, every order of the
// three costs, common divisors, no opening cost, and the ends of the range.
func PenaltySets() []align.Penalties {
	return []align.Penalties{
		{Mismatch: 2, GapOpen: 3, GapExtend: 1},
		{Mismatch: 4, GapOpen: 6, GapExtend: 2},
		{Mismatch: 1, GapOpen: 0, GapExtend: 1},
		{Mismatch: 1, GapOpen: 2, GapExtend: 1},
		{Mismatch: 3, GapOpen: 1, GapExtend: 4},
		{Mismatch: 5, GapOpen: 3, GapExtend: 2},
		{Mismatch: 6, GapOpen: 2, GapExtend: 3},
		{Mismatch: 1, GapOpen: 1, GapExtend: 1},
		{Mismatch: 255, GapOpen: 255, GapExtend: 255},
		{Mismatch: 255, GapOpen: 0, GapExtend: 1},
		{Mismatch: 1, GapOpen: 255, GapExtend: 1},
		{Mismatch: 7, GapOpen: 0, GapExtend: 3},
		{Mismatch: 10, GapOpen: 20, GapExtend: 30},
		{Mismatch: 2, GapOpen: 0, GapExtend: 255},
	}
}

// NewBatch copies the cases into a batch, each sequence into memory of its own.
func NewBatch(cases []Case) *align.Batch {
	b := &align.Batch{First: 1}
	for _, c := range cases {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: bytes.Clone(c.Pattern), Text: bytes.Clone(c.Text)})
	}
	return b
}

// describe is what a failure prints: enough to repeat it by hand.
func describe(c Case, o align.Options) string {
	const most = 3000 // bases; beyond it the name has to do
	mode := "CIGAR"
	if o.ScoreOnly {
		mode = "score only"
	}
	s := fmt.Sprintf("%s, penalties %v, %s, level %q, memory %d, lengths %d and %d",
		c.Name, o.Penalties, mode, o.Level, o.Memory, len(c.Pattern), len(c.Text))
	if len(c.Pattern)+len(c.Text) <= most {
		s += fmt.Sprintf("\n  pattern %q\n  text    %q", c.Pattern, c.Text)
	}
	return s
}
