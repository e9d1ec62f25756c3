package align

import "wfagpu/cigar"

// wavefronts aligns the loaded pair by wavefronts, unless on the way a band proves quicker. bound is
// a bound on its score, 0 where none is known yet.
func (a *exact) wavefronts(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, error) {
	if a.sweeps.pays(bound, 0) {
		if s, c, ok, err := a.sweeps.try(dst, bound); ok || err != nil {
			return s, c, err
		}
	}
	w := a.waves
	w.start(a.pattern, a.text, !a.scoreOnly)
	if bound > 0 {
		w.limit(bound)
	}
	next := firstPrediction
	near := newLikely(w, a.limit)
	if bound > 0 {
		near.end(!a.scoreOnly)
	}
	for !w.reached() {
		switch {
		case stopped(a.stop):
			return 0, dst, errStopped
		case w.s > a.limit:
			return 0, dst, beyond(&a.stats.Wavefront)
		case bound > 0 && w.s > bound:
			return 0, dst, errBound
		case near.update():
			near.end(!a.scoreOnly)
			continue
		}
		full := a.full(w)
		if bound == 0 && (w.s >= next || full) {
			next += next/2 + 1
			guess := min(predict(w.s, w.furthest(), a.letters()), a.limit+1)
			if a.editPays(guess, w.s) {
				if s, c, ok, err := a.tryEdit(dst, guess); ok || err != nil {
					return s, c, err
				}
			}
			if w.s >= guess/8 && a.planesPay(guess, w.s) { // few scores predict little
				if s, c, ok, err := a.tryPlanes(dst, guess); ok || err != nil {
					return s, c, err
				}
			}
			if w.s > guess/sweepSeen && a.sweeps.pays(guess, w.s) {
				if s, c, ok, err := a.sweeps.try(dst, likelyBound(guess)); ok || err != nil {
					return s, c, err
				}
			}
			if w.s >= guess/8 && a.fencePays(guess) {
				s, c, ok, err := a.fence.try(dst, guess)
				if ok || err != nil {
					return s, c, err
				}
				if bound = s; bound > 0 {
					near.end(!a.scoreOnly)
					w.limit(bound)
				}
			}
			pays, fixed := false, false
			if a.band != nil {
				pays, fixed = a.costs.bandPays(a.band, guess, w.s)
			}
			switch {
			case pays && fixed && !full:
				if s, c, ok, err := a.inBand.try(dst, guess); ok || err != nil {
					return s, c, err
				}
			case !pays && a.unequal.matrixPays(guess, w.s):
				return a.inBand.matrix(dst)
			case pays || full || guess > boundedScore && w.s > guess/16:
				s, c, ok, err := a.inBand.bounded(dst, guess, w.s, &bound)
				if ok || err != nil {
					return s, c, err
				}
				if a.sweeps.pays(bound, w.s) {
					if s, c, ok, err := a.sweeps.try(c, bound); ok || err != nil {
						return s, c, err
					}
				}
				near.end(!a.scoreOnly)
				w.limit(bound)
				continue
			}
		}
		if full {
			s, c, err := a.checks.align(dst, w, bound, a.memory, a.stop)
			switch {
			case err == nil:
				a.stats.Checkpointed++
			case err == errBound && bound > a.limit:
				err = beyond(&a.stats.Checkpointed)
			}
			return s, c, err
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
