package seqio

import (
	"fmt"
	"slices"
	"strings"
)

// Column is a column of TSV.
type Column uint8

// The columns. Where the pair is a stretch of longer sequences, lengths are those of the
// whole sequences, and positions count in them: from 0, ends exclusive. A query that was reversed
// keeps the positions of the input.
const (
	QueryName Column = iota
	TargetName
	QueryLength
	TargetLength
	QueryStart
	QueryEnd
	TargetStart
	TargetEnd
	Strand // + or -, of the query
	Score
	Identity   // share of the CIGAR's columns that are matches, rounded so that only 1 is 1
	Matches    // columns
	Mismatches // columns
	Gaps       // runs of I and of D
	GapLetters // columns of I and of D
	CIGARText
	CSText // minimap2's cs, short
)

// columnTable has the names of all columns in their order, and what they show.
var columnTable = []struct {
	name, about string
	traced      bool // needs a CIGAR
}{
	{"query_name", "The name of the query", false},
	{"target_name", "The name of the target", false},
	{"query_length", "Letters of the whole query", false},
	{"target_length", "Letters of the whole target", false},
	{"query_start", "Where the alignment begins in the query, from 0", false},
	{"query_end", "Where it ends in the query, exclusive", false},
	{"target_start", "Where the alignment begins in the target, from 0", false},
	{"target_end", "Where it ends in the target, exclusive", false},
	{"strand", "+, or - for a query that was reversed", false},
	{"score", "The score", false},
	{"identity", "Matches divided by all columns of the alignment, with six digits; only equal sequences have 1", true},
	{"matches", "Columns of equal letters", true},
	{"mismatches", "Columns of different letters", true},
	{"gaps", "Insertions and deletions, each of one or more letters", true},
	{"gap_letters", "Letters of all gaps", true},
	{"cigar", "The alignment, in the style of --cigar-style", true},
	{"cs", "The alignment as the cs tag of minimap2, in its short form", true},
}

// String returns the name of a column, as it stands in the header.
func (c Column) String() string { return columnTable[c].name }

// About says what a column shows, in a sentence without its point.
func (c Column) About() string { return columnTable[c].about }

// Traced reports whether a column needs a CIGAR.
func (c Column) Traced() bool { return columnTable[c].traced }

// Located reports whether a column is a begin or an end of the alignment.
func (c Column) Located() bool { return c >= QueryStart && c <= TargetEnd }

// Columns returns all columns.
func Columns() []Column {
	all := make([]Column, len(columnTable))
	for i := range all {
		all[i] = Column(i)
	}
	return all
}

// ParseColumns reads names of columns with commas between them. None may be there twice.
func ParseColumns(s string) ([]Column, error) {
	var list []Column
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(Columns(), func(c Column) bool { return c.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		if slices.Contains(list, Column(i)) {
			return nil, fmt.Errorf("column %s is named twice", name)
		}
		list = append(list, Column(i))
	}
	return list, nil
}
