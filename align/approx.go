package align

import (
	"fmt"
	"math"

	"wfagpu/cigar"
)

// Approx selects the approximate mode: wavefronts of a fixed number of
// diagonals that follow the most promising one (Aguado-Puig et al. 2023,
// section 2.3.5). Scores are upper bounds on the optimum; approxfront.go has
// the rule to the letter.
type Approx struct {
	// Band is the number of diagonals, the paper's β, MinBand to MaxBand; 0
	// means automatic: see First and Wider.
	Band int
	// Lambda is after how many scores the band may move, the paper's λ, up to
	// MaxLambda; 0 means 50.
	Lambda int
}

// Limits of Approx.Band. Fewer diagonals than MinBand lose nearly every gap;
// more than MaxBand are no saving.
const (
	MinBand = 8
	MaxBand = 1 << 16
)

// MaxLambda is beyond any use.
const MaxLambda = 1 << 20

// autoLambda is rare enough that moving costs little. How fast the window moves
// hardly depends on it.
const autoLambda = 50

// autoExact is the length below which pairs are aligned exactly where the band
// is automatic: that takes about the same time.
const autoExact = 512

// autoPace is after how many scores the pace of a pair in its first window is
// tested.
const autoPace = 300

// autoBands are the automatic bands: pairs whose longer sequence has at least
// from letters, and fewer than the next, begin with band, and go on with wider
// when they stray. Each is a few diagonals less than a multiple of 64, because a
// GPU's warp computes that many at a time and leaves some of them free between the
// two ends of the window (cuda/approx.cuh). Lengths are powers of two so that
// pairs of one launch begin with one band.
//
// A first window strays easily: what it does not find is found for little more in
// the next one. Its pace is tested because it is too narrow to see where a pair
// goes on after a gap of a hundred letters: what it follows then is as good as
// unrelated. Unrelated letters make about 1.7/x letters a score, with x the cost of
// a mismatch, noisy reads 4/x and more. The pace of real reads varies, so that of
// wider windows is not tested.
var autoBands = []struct{ from, band, stray, wider int }{
	{autoExact, 60, 15, 316},
	{2048, 124, 31, 316},
	{math.MaxInt, 316, 126, 572},
	{math.MaxInt, 572, 200, 0},
}

// AdaptiveBand is a band as it is used for a pair.
type AdaptiveBand struct {
	Band, Lambda int
	// MaxDrift is the furthest that the most promising diagonal may be from the
	// middle when the window moves. Beyond it the result is not to be trusted,
	// and the pair begins again with a wider window.
	MaxDrift int
	// StallInterval is after how many moves it is tested whether the pair still gets on.
	// If the most promising cell has come less than half as much closer to the
	// end as it did at best, or less than unrelated letters might, the pair has
	// strayed, too. 0 is for no test.
	StallInterval int
}

func (a Approx) window(band, stray int) AdaptiveBand {
	w := AdaptiveBand{Band: band, Lambda: a.Lambda, MaxDrift: stray}
	if w.Lambda == 0 {
		w.Lambda = autoLambda
	}
	return w
}

// First returns the window for a pair of sequences of these lengths. It depends
// on nothing else, so that every machine gives the same scores. ok is false for
// a pair that is to be aligned exactly.
func (a Approx) First(pattern, text int) (w AdaptiveBand, ok bool) {
	if min(pattern, text) == 0 {
		return w, false
	}
	if a.Band != 0 {
		return a.window(a.Band, math.MaxInt32), true
	}
	for _, b := range autoBands {
		if max(pattern, text) >= b.from {
			w, ok = a.window(b.band, b.stray), true
			w.StallInterval = max(1, autoPace/w.Lambda)
		}
	}
	return w, ok
}

// Wider returns the window after one from which a pair has strayed. ok is false
// when there is none: the pair is to be aligned exactly.
func (a Approx) Wider(w AdaptiveBand) (wider AdaptiveBand, ok bool) {
	next := 0
	for _, b := range autoBands {
		switch {
		case a.Band == 0 && b.band == w.Band:
			next = b.wider
		case next != 0 && b.band == next:
			return a.window(b.band, b.stray), true
		}
	}
	return w, false
}

// Validate reports whether the values are in range.
func (a Approx) Validate() error {
	switch {
	case a.Band != 0 && (a.Band < MinBand || a.Band > MaxBand):
		return fmt.Errorf("band of %d diagonals is outside %d..%d", a.Band, MinBand, MaxBand)
	case a.Lambda < 0 || a.Lambda > MaxLambda:
		return fmt.Errorf("lambda %d is outside 1..%d", a.Lambda, MaxLambda)
	}
	return nil
}

// tryApprox aligns the loaded pair approximately and reports whether it could.
//
// A score with an alignment is the alignment's own cost, which is now and then
// less than that of score-only mode (see backtrace).
func (a *Aligner) tryApprox(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	switch ok := a.approxWavefronts(!a.scoreOnly); {
	case a.stopped():
		return 0, dst, false, errStopped
	case !ok:
		return 0, dst, false, nil
	case a.scoreOnly:
		return a.approx.s, dst, true, nil
	}
	c, cost, err := a.approx.backtrace(dst)
	return cost, c, true, err
}

// approxWavefronts runs the loaded pair in one window after the other until it
// stays in one, and reports whether it did. keep is for a traceback.
func (a *Aligner) approxWavefronts(keep bool) bool {
	w, ok := a.wanted.First(a.pattern.n, a.text.n)
	if !ok {
		return false
	}
	for {
		switch a.approx.run(&a.pattern, &a.text, w, keep, a.stop) {
		case approxReached:
			a.approxStats.Aligned++
			return true
		case approxLost:
			ok = false
		case approxStrayed:
			a.approxStats.Widened++
			w, ok = a.wanted.Wider(w)
		}
		if !ok {
			a.approxStats.Failed++
			return false
		}
	}
}

// BandResult is what one window of the approximate mode makes of a pair.
type BandResult struct {
	// Score is what score-only mode reports, Cost what the alignment costs.
	Score, Cost int
	CIGAR       cigar.CIGAR
	Drifted     bool // the window is not where it should be
	Lost        bool // no cell is left, or no score up to the limit has the end
}

// AlignWindow aligns a pair within one window and leaves it at that, for tests
// of engines that follow the same rule. The Aligner must be one with
// Options.Approx, the value of which is not used; its stats stay as they are.
func (a *Aligner) AlignWindow(pattern, text []byte, w AdaptiveBand) (r BandResult, err error) {
	if err := a.load(pattern, text); err != nil {
		return r, err
	}
	switch f := a.approx; f.run(&a.pattern, &a.text, w, !a.scoreOnly, nil) {
	case approxStrayed:
		r.Drifted = true
	case approxLost:
		r.Lost = true
	default:
		r.Score = f.s * a.scale
		if !a.scoreOnly {
			r.CIGAR, r.Cost, err = f.backtrace(nil)
			r.Cost *= a.scale
		}
	}
	return r, err
}

// ApproxStats counts the pairs of the approximate mode. Those that are too
// short for it are counted in Stats alone.
type ApproxStats struct {
	Aligned int64 // by the approximate mode itself
	Widened int64 // times that a pair was begun again with a wider window, or exactly
	Failed  int64 // left to an exact method, so counted in Stats, too
}

// ApproxStats sums what all workers have done so far. It waits for workers in
// use.
func (e *Engine) ApproxStats() ApproxStats {
	var s ApproxStats
	e.each(func(a *Aligner) {
		s.Aligned += a.approxStats.Aligned
		s.Widened += a.approxStats.Widened
		s.Failed += a.approxStats.Failed
	})
	return s
}
