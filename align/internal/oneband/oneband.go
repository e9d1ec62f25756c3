// Package oneband gives the tests of engines access to one adaptive band. Package align
// fills Align in; package aligntest exports it with its types.
package oneband

import "wfagpu/cigar"

// Result is the outcome of aligning a pair in one adaptive band.
type Result struct {
	// Score is the score of score-only mode, Cost the cost of the alignment: at most
	// Score, in rare cases less.
	Score, Cost int
	CIGAR       cigar.CIGAR
	Doubtful    bool // it has a score, which is doubtful
	Drifted     bool // the pair has drifted out of the band
	Lost        bool // all cells are null, or no score up to the bound reaches the end
}

// Align aligns a pair within one band. aligner is an *align.Aligner with Options.Approx,
// whose value does not matter; band is an align.AdaptiveBand. Counts of pairs do not
// change.
var Align func(aligner any, pattern, text []byte, band any) (Result, error)
