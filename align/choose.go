package align

import "wfagpu/cigar"

// Costs in nanoseconds that decide when a pair is handed from wavefronts to
// the band. Only their ratios matter, and only for speed.
const (
	wavefrontStep = 40.0 // one score
	wavefrontCell = 1.2  // one offset, its extension included
	bandSetup     = 400.0
	bandVector    = 2.2 // one vector on one antidiagonal
	bandBlockCost = 150.0
)

// maxHistory is how many bytes of costs a band may store at once for tracing:
// more than that leaves the cache, and computing again is faster.
const maxHistory = 512 << 10

// firstLook is the score at which the rest of a pair is first predicted; it is
// looked at again whenever the score has grown by half.
const firstLook = 6

// predict estimates the final score of a pair of total letters whose
// wavefront of score s has come to antidiagonal far.
func predict(s, far, total int) int {
	far = max(1, far)
	return s + int(float64(s)*float64(total-far)/float64(far)) + 1
}

// bandPays reports whether a band should finish the pair, whose score is
// expected and whose wavefronts have come to score done, and whether a band of
// fixed width is the way.
func (a *Aligner) bandPays(expected, done int) (pays, fixed bool) {
	f, b := a.front, a.band
	s, now := float64(expected), float64(done)
	e := float64(f.pen.GapExtend)
	wave := wavefrontStep*(s-now) + wavefrontCell*(s*s-now*now)/e
	r := b.reach(expected)
	if r < 0 {
		return false, false
	}
	width := float64(2*r + 1 + abs(b.end))
	vectors := float64(int(width)/b.width + 1)
	rows := float64(b.total)
	fixedCost := bandSetup + rows*bandVector*vectors
	prunedCost := bandSetup + rows*bandVector*(3+2+vectors/2) + 2*rows/blockRows*bandBlockCost
	fixed = fixedCost < prunedCost && rows*vectors*float64(b.kern.lanes)*2 <= maxHistory
	if !fixed {
		fixedCost = prunedCost
	}
	return fixedCost < wave, fixed
}

// tryBand aligns the loaded pair within a band and reports whether it could.
// guess is the expected score.
func (a *Aligner) tryBand(dst cigar.CIGAR, guess int, fixed bool) (int, cigar.CIGAR, bool, error) {
	b := a.band
	keep := !a.scoreOnly
	var s int
	if fixed {
		r := b.allow(max(0, b.reach(guess)))
		s = b.fixed(keep)
		if s > b.certified(r) {
			fixed = false
			guess = s
		}
	}
	if !fixed {
		return a.prunedBand(dst, guess)
	}
	return a.fromBand(dst, s)
}

// fromBand finishes a pair of which the band has the optimal score s.
func (a *Aligner) fromBand(dst cigar.CIGAR, s int) (int, cigar.CIGAR, bool, error) {
	a.stats.Banded++
	if a.scoreOnly {
		return s, dst, true, nil
	}
	c, err := a.band.backtrace(dst, s)
	return s, c, true, err
}

// prunedBand finds an upper bound and then the optimum below it.
func (a *Aligner) prunedBand(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	b := a.band
	keep := !a.scoreOnly
	worst := b.pen.Gap(b.pattern.n) + b.pen.Gap(b.text.n)
	b.allow(max(0, b.reach(min(2*guess+64, worst))))
	bound := b.narrow()
	r := b.reach(bound)
	if bound > maxBandScore || r < 0 {
		return 0, dst, false, nil
	}
	b.allow(r)
	s := b.pruned(bound, keep)
	if s > bound {
		return 0, dst, false, nil
	}
	return a.fromBand(dst, s)
}
