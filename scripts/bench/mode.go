package main

import "strings"

// mode is a kind of alignment: exact or approximate, with or without a CIGAR.
type mode string

const (
	exactCIGAR  mode = "exact"
	exactScore  mode = "score only"
	approxCIGAR mode = "approximate"
	approxScore mode = "approximate, score only"
)

// modes are in the order of the paper's tables.
var modes = []mode{exactCIGAR, approxCIGAR, exactScore, approxScore}

func (m mode) scoreOnly() bool { return m == exactScore || m == approxScore }
func (m mode) approx() bool    { return m == approxCIGAR || m == approxScore }

func modeOf(approx, scoreOnly bool) mode {
	switch {
	case approx && scoreOnly:
		return approxScore
	case approx:
		return approxCIGAR
	case scoreOnly:
		return exactScore
	}
	return exactCIGAR
}

// parseModes reads a list such as "exact,score,approx,approx-score".
func parseModes(list string) (map[mode]bool, bool) {
	names := map[string]mode{"exact": exactCIGAR, "score": exactScore, "approx": approxCIGAR, "approx-score": approxScore}
	wanted := map[mode]bool{}
	for _, name := range strings.Split(list, ",") {
		m, ok := names[name]
		if !ok {
			return nil, false
		}
		wanted[m] = true
	}
	return wanted, true
}
