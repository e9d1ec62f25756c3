package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// adaptiveAligner aligns a pair within one adaptive band.
type adaptiveAligner struct {
	adaptiveWavefronts
	history  adaptiveHistory
	bound    int // score bound: the optimum is no more, or more than most
	most     int
	progress progress
}

// bandEnd is how a pair ends in an adaptive band.
type bandEnd uint8

const (
	bandReached bandEnd = iota // the end cell, with score s
	bandLost                   // all cells are null, or the score bound is exceeded, or stopped
	bandDrifted
)

// newAdaptiveAligner returns an aligner whose traceback takes about memory bytes. It has no bound on
// scores but that of the lengths.
func newAdaptiveAligner(k *kernels, pen Penalties, memory int) *adaptiveAligner {
	a := &adaptiveAligner{adaptiveWavefronts: newAdaptiveWavefronts(k, pen), most: math.MaxInt}
	a.history.f, a.history.memory = &a.adaptiveWavefronts, memory
	return a
}

// run computes the wavefronts of a pair up to its score. keep stores rows for a traceback.
// stop, if not nil, interrupts it.
func (a *adaptiveAligner) run(pattern, text *sequence, band AdaptiveBand, keep bool, stop *atomic.Bool) bandEnd {
	a.bound = min(a.pen.Worst(pattern.n, text.n), a.most)
	a.progress = newProgress(max(pattern.n, text.n))
	a.load(pattern, text, band)
	a.history.start(keep, stop)
	a.begin()
	for !a.reached() {
		if a.s == a.nextAdjust && (!a.adjust() || a.progress.stalls(a.distance, a.AdaptiveBand, a.pen.Mismatch)) {
			return bandDrifted
		}
		if a.empty() || a.s >= a.bound || a.history.stopped() {
			return bandLost
		}
		a.advance(a.history.trim(min(a.nextAdjust, a.bound)))
	}
	a.history.score = a.s
	return bandReached
}

// traceback writes the alignment that run, with keep, has found to dst, and returns its
// cost, which is at most s.
func (a *adaptiveAligner) traceback(dst cigar.CIGAR) (cigar.CIGAR, int, error) {
	p := a.pen
	t := traceback{pattern: a.pattern, text: a.text, pen: p, score: a.s}
	dst, err := t.run(dst, &a.history)
	if a.history.stopped() {
		err = errStopped
	}
	if err != nil {
		return dst, 0, err
	}
	cost, err := dst.Score(p.Mismatch, p.GapOpen, p.GapExtend)
	return dst, cost, err
}
