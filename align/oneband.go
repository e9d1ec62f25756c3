package align

import "wfagpu/align/internal/oneband"

func init() {
	oneband.Align = func(aligner any, pattern, text []byte, band any) (oneband.Result, error) {
		return alignBand(aligner.(*Aligner), pattern, text, band.(AdaptiveBand))
	}
}

// alignBand aligns a pair within one band; see oneband.
func alignBand(a *Aligner, pattern, text []byte, band AdaptiveBand) (r oneband.Result, err error) {
	if err := a.load(pattern, text); err != nil {
		return r, err
	}
	x := a.approx
	x.pattern, x.text = &a.pattern, &a.text
	switch x.run(band) {
	case bandDrifted:
		r.Drifted = true
	case bandLost:
		r.Lost = true
	default:
		r.Score, r.Doubtful = x.adaptive.s*a.model.Scale, x.adaptive.progress.doubtful
		if !a.exact.scoreOnly {
			r.CIGAR, r.Cost, err = x.adaptive.traceback(nil)
			r.Cost *= a.model.Scale
		}
	}
	return r, err
}
