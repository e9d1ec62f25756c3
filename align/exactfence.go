package align

import "wfagpu/cigar"

// exactFence aligns pairs in fenced bands.
type exactFence struct {
	*given
	fenced *fenced
	pauses pauses
}

// newExactFence returns nil if the level has no fenced bands.
func newExactFence(g *given, band *banded) *exactFence {
	m := Model{Span: Global, Mismatch: g.pen.Mismatch, Gap: Gap{g.pen.GapOpen, g.pen.GapExtend}, Scale: 1}
	f := newFenced(g.kern, &m, band)
	if f == nil {
		return nil
	}
	return &exactFence{given: g, fenced: f}
}

// Costs in nanoseconds, as in choose.go.
const (
	fenceSetup  = 2000.0
	fenceRow    = 10.0 // an antidiagonal, its seeds and its part of the traceback
	fenceVector = 2.5  // one vector on one antidiagonal
	fenceMemory = 3.0  // and one whose states are not in registers
	fenceShare  = 0.85 // of what other methods cost
)

// cost estimates what the loaded pair takes.
func (f *exactFence) cost() float64 {
	vectors, vector := (firstDiagonals+fencedDiagonals)/f.fenced.band.width, fenceVector
	if len(f.fenced.kern.fenced.registers) == 0 {
		vector = fenceMemory
	}
	return fenceSetup + float64(f.letters())*(fenceRow+vector*float64(vectors))
}

// fencePays reports whether a fenced band is to align the loaded pair, whose score is expected to be guess.
func (a *exact) fencePays(guess int) bool {
	f := a.fence
	if f == nil || !f.fenced.takes(guess) {
		return false
	}
	other := a.plainCost(guess)
	if a.waits {
		other = min(other, a.bundle.costOf(a.pattern.n, a.text.n))
	}
	return f.cost() < fenceShare*other && !f.pauses.leaves()
}

// try aligns the loaded pair, whose score is expected to be guess, and reports whether it could. If not it returns a
// bound on the score, 0 if it has found none.
func (f *exactFence) try(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	s, ok := f.fenced.bound(guess)
	if stopped(f.stop) {
		return 0, dst, false, errStopped
	}
	if !ok {
		f.pauses.record(false, 2)
		return 0, dst, false, nil
	}
	ok = f.fenced.certify(s, !f.scoreOnly, f.memory)
	switch {
	case stopped(f.stop):
		return 0, dst, false, errStopped
	case ok && s > f.limit:
		return 0, dst, true, beyond(&f.stats.Banded)
	case ok && !f.scoreOnly:
		// What comes in from beside the band may lead to the same score: then it may lead the traceback astray.
		var err error
		dst, err = f.fenced.traceback(dst, s)
		ok = err == nil
	}
	f.pauses.record(ok, 2)
	if ok {
		f.stats.Banded++
	}
	return min(s, f.limit+1), dst, ok, nil
}
