package align

import (
	"fmt"
	"math"
)

// Approx selects the approximate mode, a heuristic: wavefronts within an adaptive band,
// a fixed number of diagonals that follows the cell nearest to the end (Aguado-Puig et
// al. 2023, section 2.3.5). Scores are upper bounds on the optimum. The comment of
// adaptiveWavefronts states the rule, the package comment which pairs are cut into pieces.
type Approx struct {
	// Band is the width in diagonals, the paper's β, MinBand to MaxBand; 0 means
	// automatic: see First and Wider.
	Band int
	// Lambda is the number of scores between two adjustments of the band, the paper's
	// λ, up to MaxLambda; 0 means 50, or more: see For.
	Lambda int

	dearness int  // how many times as many scores come between tests; 0 means as many
	wanders  bool // alignments may be far from the middle of the narrowest first band
	from     int  // letters of the shortest pairs in a band where it is automatic; 0 means autoExact
}

const (
	// dearErrors is how many times what they cost with the default penalties errors must cost to have scores of their
	// own between tests. With twice that there are twice as many scores.
	dearErrors = 2
	// wanderErrors is how many times what they cost with the default penalties, for what a letter of a gap costs,
	// errors may cost for the narrowest first band. Gaps that make up for dearer ones may be far from these.
	wanderErrors = 3
)

// For returns the rule for pairs with penalties. Where errors cost more, a pair takes more scores to get nearer to its
// end by as many letters: adjustments of the band, and tests of its progress in the first band, come after that many
// more scores, for dearErrors. Where they cost much more than letters of gaps, the first band is the next wider one.
// Where errors cost dearErrors times as much as usual, pairs shorter than dearExact letters are aligned exactly, and where they cost
// costlyErrors times as much, those shorter than longExact. That takes less time: a band takes as many scores as errors cost, exact methods
// hardly more than usual. So are pairs with edit distance, which has methods of its own.
func (a Approx) For(p Penalties) Approx {
	errors, usual := p.ThreeErrors(), DefaultPenalties.ThreeErrors()
	a.dearness = max(errors/(dearErrors*usual), 1)
	a.wanders = errors > wanderErrors*usual*p.GapExtend
	switch {
	case p == EditPenalties, errors >= costlyErrors*usual:
		a.from = longExact
	case errors >= dearErrors*usual:
		a.from = dearExact
	}
	return a
}

// scores returns as many scores as some are with the default penalties.
func (a Approx) scores(usual int) int { return usual * max(a.dearness, 1) }

// Bounds of Approx.Band. Fewer diagonals than MinBand lose nearly every gap; more than
// MaxBand save nothing.
const (
	MinBand = 8
	MaxBand = 1 << 16
)

// MaxLambda is the largest Approx.Lambda.
const MaxLambda = 1 << 20

// autoLambda, times Approx.dearness, is large enough for adjustments to cost little. How fast the band moves
// hardly depends on it.
const autoLambda = 50

// autoExact is the length below which pairs are aligned exactly where the band is
// automatic. On a GPU the band is the faster one from there on, on a CPU from about 1,000 letters on
// for noisy reads. With some penalties it is more: see Approx.For. Long pairs of few errors are aligned exactly, too; see Approx.Errors.
const autoExact = 512

// dearExact is autoExact where errors cost dearErrors times what they cost with the default penalties, longExact where they cost
// costlyErrors times that, and of edit distance. Powers of two are classes of lengths of a GPU.
const dearExact, longExact, costlyErrors = 1 << 10, 1 << 14, 4

// autoStall is the number of scores between two stall tests of a pair in its first band, times Approx.dearness,
// autoStallWider that in wider ones.
const autoStall, autoStallWider = 300, 1200

// autoBands are the automatic bands: a pair whose longer sequence has at least from
// letters, and fewer than the next entry's, begins with band, and goes on with wider when
// it drifts out. Each width is a few diagonals less than a multiple of 64, because a GPU's
// warp computes that many at a time and leaves some of them free between the two ends of
// the band (cuda/adaptivewarp.cuh). Lengths are powers of two so that pairs of one launch begin
// with one band.
//
// MaxDrift of the first band is small, because a restart in the next band costs little. Its
// progress is tested, because the first band is too narrow to find the continuation of a pair
// after a gap of a hundred letters: it then follows unrelated letters. Unrelated letters
// progress by about 1.7/x letters per score, with x the mismatch penalty, noisy reads by 4/x
// and more. The progress of real reads varies, so wider bands test it after more scores.
var autoBands = []struct{ from, band, maxDrift, wider int }{
	{autoExact, 60, 15, 316},
	{2048, 124, 31, 316},
	{math.MaxInt, 316, 126, 572},
	{math.MaxInt, 572, 200, 0},
}

// AdaptiveBand is the adaptive band of one pair.
type AdaptiveBand struct {
	// Band is the width in diagonals, Lambda the number of scores between two
	// adjustments.
	Band, Lambda int
	// MaxDrift is the largest distance, in diagonals, of the cell nearest to the end
	// from the band's middle. A pair that drifts further begins again with a wider band.
	MaxDrift int
	// StallInterval is the number of adjustments between two stall tests, 0 for none. A
	// pair has stalled if its progress towards the end is less than half of its best, or
	// no more than that of unrelated letters. It then counts as drifted. If its progress was no more
	// than that for a sixth of the interval, rounded up, its score is doubtful: it may have crossed
	// a long gap on the wrong diagonals. See Doubts.
	StallInterval int

	dearness int // Approx.dearness
}

// doubtInterval is the number of adjustments between two tests for a doubtful score.
func (b AdaptiveBand) doubtInterval() int { return (b.StallInterval + doubtShare - 1) / doubtShare }

// Doubts reports whether the score of a pair in the band is doubtful, given whether the tests found it so. If
// more than doubtScores scores are between two of them, all scores are.
func (b AdaptiveBand) Doubts(found bool) bool {
	return found || b.doubtInterval()*b.Lambda > doubtScores*max(b.dearness, 1)
}

// doubtShare is how many of the intervals between tests for a doubtful score are about one StallInterval. Those of
// more than doubtScores scores show little: a long gap that is undone nearby costs not much more.
const doubtShare, doubtScores = 6, 100

func (a Approx) adaptiveBand(band, maxDrift int) AdaptiveBand {
	w := AdaptiveBand{Band: band, Lambda: a.Lambda, MaxDrift: maxDrift, dearness: a.dearness}
	if w.Lambda == 0 {
		w.Lambda = a.scores(autoLambda)
	}
	return w
}

// First returns the first band for a pair of sequences of these lengths. It depends on
// the lengths and the penalties alone, so every engine reports the same scores. ok is false for a
// pair that is aligned exactly.
func (a Approx) First(pattern, text int) (band AdaptiveBand, ok bool) {
	if min(pattern, text) == 0 {
		return band, false
	}
	if a.Band != 0 {
		return a.adaptiveBand(a.Band, math.MaxInt32), true
	}
	if a.Exactly(max(pattern, text)) {
		return band, false
	}
	for _, b := range autoBands {
		if max(pattern, text) >= b.from {
			band, ok = a.adaptiveBand(b.band, b.maxDrift), true
			band.StallInterval = band.adjustmentsIn(a.scores(autoStall))
		}
	}
	if a.wanders {
		interval := band.StallInterval
		band, ok = a.Wider(band)
		band.StallInterval = interval
	}
	return band, ok
}

// Exactly reports whether pairs whose longer sequence has some letters are aligned exactly, whatever they are.
func (a Approx) Exactly(letters int) bool { return a.Band == 0 && letters < max(a.from, autoExact) }

// Wider returns the next band for a pair that has drifted out of band. ok is false if there
// is no wider band: the pair is aligned exactly.
func (a Approx) Wider(band AdaptiveBand) (wider AdaptiveBand, ok bool) {
	next := 0
	for _, b := range autoBands {
		switch {
		case a.Band == 0 && b.band == band.Band:
			next = b.wider
		case next != 0 && b.band == next:
			wider = a.adaptiveBand(b.band, b.maxDrift)
			wider.StallInterval = wider.adjustmentsIn(autoStallWider)
			return wider, true
		}
	}
	return band, false
}

// WiderUntested is Wider without tests of progress, for bounds, and for spans that are not global.
func (a Approx) WiderUntested(band AdaptiveBand) (wider AdaptiveBand, ok bool) {
	wider, ok = a.Wider(band)
	wider.StallInterval = 0
	return wider, ok
}

// adjustmentsIn returns the number of adjustments in some scores, at least one.
func (b AdaptiveBand) adjustmentsIn(scores int) int { return max(1, scores/b.Lambda) }

// Cuts reports whether pairs that leave their first band are cut into pieces, where they can be,
// and whether those of these lengths are so before, where they have a long gap: their lengths
// differ by more than the band may drift and the errors of noisy reads add up to, together. Of long
// pairs Errors tells more. See Cutter.
func (a Approx) Cuts(pattern, text int) (cuts, early bool) {
	band, ok := a.First(pattern, text)
	cuts = ok && a.Band == 0
	return cuts, cuts && abs(text-pattern) > band.MaxDrift+max(pattern, text)/earlyShare
}

// earlyShare is how many letters of the longer sequence make up for one that the other one lacks.
const earlyShare = 32

// Letters of a middle without a long gap in a pair that is cut, at most: before its first band a
// pair is cut at long gaps alone, one that has left its band at any middle, and one of a doubtful
// score where the score may be that of the middle, see DoubtedMiddle.
const (
	NoMiddle  = 0
	AnyMiddle = math.MaxInt
)

// DoubtedMiddle returns how many letters have cost at least half of a score if they are unrelated
// and were aligned on wrong diagonals.
func DoubtedMiddle(p Penalties, score int) int { return 8 * score / p.LongestStep() }

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
