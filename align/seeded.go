package align

import "wfagpu/cigar"

// seeded aligns pairs of few errors by wavefronts that hold little more than what the score
// takes: an alignment that follows runs of equal letters bounds the score, and for high
// scores seeds at its errors trim the wavefronts.
type seeded struct {
	along greedy
	seeds seeds
	waves trimmed
	// excess is by what share of it the scores of the last pairs exceed what the seeds prove.
	excess float64
}

func newSeeded(k *kernels, pen Penalties, w *wavefronts) *seeded {
	s := &seeded{along: greedy{kern: k, pen: pen}, seeds: newSeeds(k, pen), excess: 0.25}
	s.waves = trimmed{wavefronts: w, seeds: &s.seeds}
	return s
}

// Pairs of fewer letters, both sequences together, or of a higher score for each of them are not
// tried. Of shorter ones the score is to be lower still.
const (
	seededLetters = 2000
	seededRate    = 0.04
	seededLong    = 8000
	seededLow     = 0.025
)

// jumpSpare is how far above what seeds prove, and a quarter of that, the bound of an alignment
// with a long gap may be.
const jumpSpare = 256

// seedsBound is the bound on the score from which on seeds are looked for.
const seedsBound = 200

// Costs in nanoseconds, as in choose.go.
const (
	trimmedStep  = 150.0 // one score
	trimmedWidth = 1.5   // diagonals for each unit between the bound and what seeds prove
)

// fits reports whether a pair of total letters, whose score is expected to be guess, is to be
// tried.
func (d *seeded) fits(total, guess int) bool {
	rate := float64(guess) / float64(total+1)
	return total >= seededLetters && rate <= seededRate && (total >= seededLong || rate <= seededLow)
}

// trySeeded aligns the loaded pair by wavefronts that a bound or seeds keep narrow, if an
// alignment with few errors is found and other methods cost more, and reports whether it did.
// guess is the expected score, 0 where unknown; it returns a better one in place of the score
// if it can.
func (a *Aligner) trySeeded(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	d := a.seeded
	total := a.pattern.n + a.text.n
	if !d.fits(total, guess) || !d.along.run(&a.pattern, &a.text) {
		return guess, dst, false, nil
	}
	d.seeds.stop = a.stop
	bound := min(d.along.cost, a.limit)
	if bound < seedsBound {
		return a.within(dst, bound)
	}
	d.seeds.find(&a.pattern, &a.text, d.along.errors, bound)
	least := d.seeds.least(0, 0)
	if least > a.limit {
		return 0, dst, true, a.beyond(&a.stats.Wavefront)
	}
	if d.along.jumped && bound > least+least/4+jumpSpare {
		return guess, dst, false, nil // across a repeat, perhaps
	}
	spare := max(16+int(1.2*float64(least)*d.excess), bound-bound/4-least)
	return a.trimmed(dst, least, min(spare, bound-least), bound)
}

// trimmingPays reports whether trimmed wavefronts for scores up to spare above what seeds prove,
// least, cost less than a band and fit the memory.
func (a *Aligner) trimmingPays(least, spare int) bool {
	width := trimmedWidth * float64(spare) / float64(a.pen.GapExtend)
	steps := float64(least + spare)
	if !a.scoreOnly && 4*steps*width > float64(prefixBytes(a.memory)) {
		return false
	}
	if a.band == nil {
		return true
	}
	band, _ := a.costs.band(a.band, least+spare)
	return steps*(trimmedStep+wavefrontCell*width) <= band
}

// within aligns the loaded pair, of whose score bound is a bound, by wavefronts within the cone of
// that score.
func (a *Aligner) within(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, bool, error) {
	w := a.waves
	w.start(&a.pattern, &a.text, !a.scoreOnly)
	w.limit(bound)
	for !w.reached() && w.s <= bound {
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case a.full():
			return a.bounding(dst, bound, bound)
		}
		w.step()
	}
	return a.fromWavefronts(dst, bound)
}

// bounding aligns the loaded pair, of whose score bound is a bound, in a band or else by wavefronts
// that keep within the memory. It does so only where a long gap hides such a bound from other
// methods, which otherwise find a lower one, and else returns the expected score guess.
func (a *Aligner) bounding(dst cigar.CIGAR, guess, bound int) (int, cigar.CIGAR, bool, error) {
	if !a.seeded.along.jumped {
		return guess, dst, false, nil
	}
	if a.band != nil && a.costs.pruned(a.band, bound) < a.costs.bounded(bound, 0) {
		if s, c, ok, err := a.boundedBand(dst, bound); ok || err != nil {
			return s, c, ok, err
		}
	}
	s, c, err := a.wavefronts(dst, bound)
	return s, c, true, err
}

// trimmed aligns the loaded pair, of whose score bound is a bound and least what the seeds prove,
// by trimmed wavefronts while they pay: at first for scores up to spare above that.
func (a *Aligner) trimmed(dst cigar.CIGAR, least, spare, bound int) (int, cigar.CIGAR, bool, error) {
	t := &a.seeded.waves
	for a.trimmingPays(least, spare) {
		t.bound = min(least+spare, bound)
		t.start(&a.pattern, &a.text, !a.scoreOnly)
		for !t.reached() && t.s <= t.bound {
			switch {
			case stopped(a.stop):
				return 0, dst, false, errStopped
			case a.full():
				return a.bounding(dst, t.bound, bound)
			}
			t.step()
		}
		if t.s <= t.bound {
			if !a.seeded.along.jumped {
				a.seeded.observe(t.s, least)
			}
			return a.fromWavefronts(dst, bound)
		}
		if t.bound == bound {
			return a.fromWavefronts(dst, bound)
		}
		spare = min(spare+spare/2+1, bound-least)
	}
	return a.bounding(dst, least+spare, bound)
}

// observe records the score of a pair and what the seeds proved.
func (d *seeded) observe(s, least int) {
	const weight = 1.0 / 16
	d.excess += weight * (float64(s-least)/float64(least+1) - d.excess)
}

// fromWavefronts finishes a pair whose wavefronts have reached the end, or gone beyond bound.
func (a *Aligner) fromWavefronts(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, bool, error) {
	w := a.waves
	switch {
	case w.s <= bound:
	case a.seeded.along.cost > a.limit: // nobody knows of an alignment up to the limit
		return 0, dst, true, a.beyond(&a.stats.Wavefront)
	default:
		return 0, dst, false, errBound
	}
	a.stats.Wavefront++
	if a.scoreOnly {
		return w.s, dst, true, nil
	}
	c, err := w.traceback(dst)
	return w.s, c, true, err
}
