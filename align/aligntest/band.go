package aligntest

import (
	"wfagpu/align"
	"wfagpu/align/internal/oneband"
)

// BandResult is the outcome of aligning a pair in one adaptive band.
type BandResult = oneband.Result

// AlignBand aligns a pair within one adaptive band and stops there, for tests of engines that
// follow the same rule. The Aligner must be one with Options.Approx, the value of which has no
// influence; its counts of pairs stay as they are.
func AlignBand(a *align.Aligner, pattern, text []byte, band align.AdaptiveBand) (BandResult, error) {
	return oneband.Align(a, pattern, text, band)
}
