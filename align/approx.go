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

func (a Approx) validate() error {
	switch {
	case a.Band != 0 && (a.Band < MinBand || a.Band > MaxBand):
		return fmt.Errorf("band of %d diagonals is outside %d..%d", a.Band, MinBand, MaxBand)
	case a.Lambda < 0:
		return fmt.Errorf("lambda %d is below 1", a.Lambda)
	}
	return nil
}

// resolve fills in what is automatic for a pair of n and m letters. It
// depends on nothing else, so that every machine gives the same scores.
func (a Approx) resolve(n, m int) Approx {
	if a.Band == 0 {
		switch longest := max(n, m); {
		case longest <= 300:
			a.Band = 64
		case longest <= 2000:
			a.Band = 128
		case longest <= 5000:
			a.Band = 256
		case longest <= 20000:
			a.Band = 512
		default:
			a.Band = 1024
		}
	}
	if a.Lambda == 0 {
		a.Lambda = autoLambda
	}
	return a
}

// tryApprox aligns the loaded pair approximately and reports whether it could.
//
// A score with an alignment is the alignment's own cost, which is now and then
// less than that of score-only mode (see backtrace).
func (a *Aligner) tryApprox(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	f := a.approx
	s, ok := f.run(&a.pattern, &a.text, a.wanted, !a.scoreOnly, a.stop)
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
