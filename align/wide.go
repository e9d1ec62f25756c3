package align

import (
	"errors"

	"wfagpu/cigar"
)

// errBound means that a pair costs more than an alignment of it.
var errBound = errors.New("internal error: no alignment has a score as low as the bound")

// wavefronts aligns the loaded pair by wavefronts of any width, unless a prediction on the
// way tells that a band is quicker.
func (a *Aligner) wavefronts(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	w := a.waves
	w.start(&a.pattern, &a.text, !a.scoreOnly)
	next := firstPrediction
	for !w.reached() {
		if a.stopped() {
			return 0, dst, errStopped
		}
		if w.s >= next && a.band != nil {
			next += next/2 + 1
			guess := predict(w.s, w.furthest(), a.pattern.n+a.text.n)
			if pays, fixed := a.costs.bandPays(a.band, guess, w.s); pays {
				if s, c, ok, err := a.tryBand(dst, guess, fixed); ok || err != nil {
					return s, c, err
				}
			}
		}
		if !a.scoreOnly && 4*w.arena.taken > prefixBytes(a.memory) {
			return a.bounded(dst)
		}
		w.step()
	}
	a.stats.Wavefront++
	if a.scoreOnly {
		return w.s, dst, nil
	}
	c, err := w.traceback(dst)
	return w.s, c, err
}

// bounded aligns the loaded pair, of whose wavefronts the first are stored: it finds a bound on
// the score and then goes on within a band or with checkpoints.
func (a *Aligner) bounded(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	bound := a.upperBound()
	if a.stopped() {
		return 0, dst, errStopped
	}
	if s, c, ok, err := a.bandWithin(dst, bound, a.waves.s); ok || err != nil {
		return s, c, err
	}
	return a.checkpointed(dst, bound)
}

// checkpointed goes on with the wavefronts of the loaded pair, whose score is at most bound: in the
// cone of that score, and with checkpoints in place of all rows.
func (a *Aligner) checkpointed(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, error) {
	w, c := a.waves, a.checks
	w.within = cone{k: w.end, s: bound, extend: w.pen.GapExtend}
	c.start(w, a.memory, a.stop)
	for !w.reached() {
		switch {
		case a.stopped():
			return 0, dst, errStopped
		case w.s > bound:
			return 0, dst, errBound
		}
		w.step()
		c.advance()
	}
	a.stats.Checkpointed++
	t := traceback{pattern: w.pattern, text: w.text, pen: w.pen, score: w.s}
	dst, err := t.run(dst, coneRows{c})
	if a.stopped() {
		err = errStopped
	}
	return w.s, dst, err
}

// bandWithin aligns the loaded pair, whose score is at most bound, within a band and reports
// whether it did. Where bound is too high for a band, expected scores are tried in its place, until
// a band costs more than the wavefronts from score done on.
func (a *Aligner) bandWithin(dst cigar.CIGAR, bound, done int) (int, cigar.CIGAR, bool, error) {
	if a.band == nil {
		return 0, dst, false, nil
	}
	pays := func(score, done int) bool {
		cost, _ := a.costs.band(a.band, score)
		return cost < a.costs.bounded(score, done)
	}
	if bound <= maxBandScore {
		if !pays(bound, done) {
			return 0, dst, false, nil
		}
		return a.boundedBand(dst, bound)
	}
	guess := predict(done, a.waves.furthest(), a.pattern.n+a.text.n)
	for guess += guess / 4; guess < maxBandScore && pays(guess, 0); guess *= 2 {
		s, ok, err := a.runBand(guess)
		switch {
		case !ok || err != nil:
			return 0, dst, false, err
		case s <= guess:
			return a.fromBand(dst, s)
		case s <= maxBandScore:
			return a.boundedBand(dst, s)
		}
	}
	return 0, dst, false, nil
}

// upperBound returns a bound on the score of the loaded pair: that of an adaptive band, or the
// score that no pair of these lengths exceeds.
func (a *Aligner) upperBound() int {
	worst := a.pen.Worst(a.pattern.n, a.text.n)
	if a.bounding == nil {
		a.bounding = newAdaptiveAligner(a.kern, a.pen, 0)
	}
	var auto Approx
	for band, ok := auto.First(a.pattern.n, a.text.n); ok; band, ok = auto.Wider(band) {
		switch a.bounding.run(&a.pattern, &a.text, band, false, a.stop) {
		case bandReached:
			return min(worst, a.bounding.s)
		case bandLost:
			return worst
		}
	}
	return worst
}
