package align

import "wfagpu/cigar"

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

// bounded finishes the wavefronts of the loaded pair: with a bound on its score, outside whose cone
// they are not computed, and with checkpoints in place of all rows.
func (a *Aligner) bounded(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	w, c := a.waves, a.checks
	bound := a.upperBound()
	if a.stopped() {
		return 0, dst, errStopped
	}
	w.within = cone{k: w.end, s: bound, extend: w.pen.GapExtend}
	c.start(w, a.memory, a.stop)
	for !w.reached() {
		if a.stopped() {
			return 0, dst, errStopped
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
