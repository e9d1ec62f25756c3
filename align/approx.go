package align

import (
	"fmt"

	"wfagpu/cigar"
)

// Approx selects the approximate mode: wavefronts of a fixed number of
// diagonals that follow the most promising one (Aguado-Puig et al. 2023,
// section 2.3.5). Scores are upper bounds on the optimum; approxfront.go has
// the rule to the letter.
type Approx struct {
	// Band is the number of diagonals, the paper's β, MinBand to MaxBand;
	// 0 means a width that depends on the lengths of the pair alone.
	Band int
	// Lambda is after how many scores the band may move, the paper's λ;
	// 0 means 50.
	Lambda int
}

// Limits of Approx.Band. Fewer diagonals than MinBand lose nearly every gap;
// more than MaxBand are no saving.
const (
	MinBand = 8
	MaxBand = 1 << 16
)

// autoLambda is rare enough that moving costs little. The paper finds no
// difference in accuracy up to 100.
const autoLambda = 50

// autoExact is the length below which pairs are aligned exactly where the band
// is automatic.
const autoExact = 512

// autoBands are the automatic bands. Each is a few diagonals less than a multiple
// of 64, because a GPU's warp computes that many at a time and leaves some of them
// free between the two ends of the window (cuda/approx.cuh). Lengths are powers
// of two so that pairs of one launch have one band.
var autoBands = []struct{ below, band int }{
	{4096, 124},
	{32768, 252},
	{0, 572},
}

func (a Approx) validate() error {
	switch {
	case a.Band != 0 && (a.Band < MinBand || a.Band > MaxBand):
		return fmt.Errorf("band of %d diagonals is outside %d..%d", a.Band, MinBand, MaxBand)
	case a.Lambda < 0:
		return fmt.Errorf("lambda %d is below 1", a.Lambda)
	}
	return nil
}

// For returns the band and lambda for a pair of sequences of these lengths, with
// what is automatic filled in. That depends on nothing else, so that every
// machine gives the same scores. exact reports that the pair is short enough to
// be aligned exactly in about the same time, which an automatic band does.
func (a Approx) For(pattern, text int) (r Approx, exact bool) {
	if a.Band == 0 {
		longest := max(pattern, text)
		if longest < autoExact {
			return a, true
		}
		a.Band = autoBands[len(autoBands)-1].band
		for _, b := range autoBands {
			if longest < b.below {
				a.Band = b.band
				break
			}
		}
	}
	if a.Lambda == 0 {
		a.Lambda = autoLambda
	}
	return a, false
}

// tryApprox aligns the loaded pair approximately and reports whether it could.
//
// A score with an alignment is the alignment's own cost, which is now and then
// less than that of score-only mode (see backtrace).
func (a *Aligner) tryApprox(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	f := a.approx
	approx, exact := a.wanted.For(a.pattern.n, a.text.n)
	if exact {
		return 0, dst, false, nil
	}
	s, ok := f.run(&a.pattern, &a.text, approx, !a.scoreOnly, a.stop)
	switch {
	case a.stopped():
		return 0, dst, false, errStopped
	case !ok:
		a.approxStats.Failed++
		return 0, dst, false, nil
	}
	a.approxStats.Aligned++
	if a.scoreOnly {
		return s, dst, true, nil
	}
	c, cost, err := f.backtrace(dst)
	return cost, c, true, err
}

// ApproxStats counts the pairs of the approximate mode.
type ApproxStats struct {
	Aligned int64 // by the approximate mode itself
	Failed  int64 // left to an exact method, so counted in Stats, too
}

// ApproxStats sums what all workers have done so far. It waits for workers in
// use.
func (e *Engine) ApproxStats() ApproxStats {
	var s ApproxStats
	e.each(func(a *Aligner) {
		s.Aligned += a.approxStats.Aligned
		s.Failed += a.approxStats.Failed
	})
	return s
}
