// Package oneband gives the tests of engines access to one adaptive band. Package align
// fills Align in; package aligntest exports it with its types.
package oneband

import "wfagpu/cigar"

// Result is what one adaptive band makes of a pair.
type Result struct {
	// Score is what score-only mode reports, Cost what the alignment costs: at most
	// Score, and now and then less.
	Score, Cost int
	CIGAR       cigar.CIGAR
	Drifted     bool // the pair has drifted out of the band
	Lost        bool // no cell is left, or no score up to the score bound reaches the end
}

// Align aligns a pair within one band. aligner is an *align.Aligner with Options.Approx,
// the value of which has no influence; band is an align.AdaptiveBand. Counts of pairs
// stay as they are.
var Align func(aligner any, pattern, text []byte, band any) (Result, error)
