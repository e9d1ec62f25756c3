package align

import "wfagpu/cigar"

// seeded aligns pairs of few errors by wavefronts that hold little more than what the score
// takes: an alignment that follows runs of equal letters bounds the score, and for high
// scores seeds at its errors trim the wavefronts.
type seeded struct {
	*given
	band  *banded // what a pair costs in it is compared; or nil
	along *greedy // shared, or own
	own   greedy
	seeds seeds
	waves trimmed
	// excess is by what share of it the scores of the last pairs exceed what the seeds prove.
	excess float64
}

func newSeeded(g *given, w *wavefronts, b *banded) *seeded {
	d := &seeded{given: g, band: b, own: greedy{kern: g.kern, pen: g.pen}, seeds: newSeeds(g.kern, g.pen), excess: 0.25}
	d.waves = trimmed{wavefronts: w, seeds: &d.seeds}
	return d
}

// seededEnd is how seeded has ended.
type seededEnd uint8

const (
	seededNot    seededEnd = iota // other methods are better; the score is expected, 0 where unknown
	seededDone                    // the pair is aligned
	seededBounds                  // other methods are to align the pair, of whose score there is a bound
)

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

// fits reports whether a pair of total letters, whose score is expected to be guess apart from the gap between
// the lengths, is to be tried.
func (d *seeded) fits(total, guess int) bool {
	rate := float64(guess) / float64(total+1)
	return total >= seededLetters && rate <= seededRate && (total >= seededLong || rate <= seededLow)
}

// align aligns the pair by wavefronts that a bound or seeds keep narrow, if an alignment with few
// errors is found and other methods cost more. guess is the expected score, 0 where unknown. along
// has found such an alignment, or is nil. What it returns as the score depends on how it ends.
func (d *seeded) align(dst cigar.CIGAR, guess int, along *greedy) (int, cigar.CIGAR, seededEnd, error) {
	if d.along = along; along == nil {
		d.along = &d.own
	}
	if !d.fits(d.letters(), d.apart(guess)) || along == nil && !d.along.run(d.pattern, d.text) {
		return guess, dst, seededNot, nil
	}
	d.seeds.stop = d.stop
	bound := min(d.along.cost, d.limit)
	if bound < seedsBound {
		return d.within(dst, bound)
	}
	d.seeds.find(d.pattern, d.text, d.along.errors, bound)
	least := d.seeds.least(0, 0)
	if least > d.limit {
		return 0, dst, seededDone, beyond(&d.stats.Wavefront)
	}
	if d.along.jumped && bound > least+least/4+jumpSpare {
		return guess, dst, seededNot, nil // across a repeat, perhaps
	}
	spare := max(16+int(1.2*float64(least)*d.excess), bound-bound/4-least)
	return d.trimmed(dst, least, min(spare, bound-least), bound)
}

// pays reports whether trimmed wavefronts for scores up to spare above what seeds prove,
// least, cost less than a band and fit the memory.
func (d *seeded) pays(least, spare int) bool {
	width := trimmedWidth * float64(spare) / float64(d.pen.GapExtend)
	steps := float64(least + spare)
	if !d.scoreOnly && 4*steps*width > float64(prefixBytes(d.memory)) {
		return false
	}
	if d.band == nil {
		return true
	}
	band, _ := d.costs.band(d.band, least+spare)
	return steps*(trimmedStep+wavefrontCell*width) <= band
}

// within aligns the pair, of whose score bound is a bound, by wavefronts within the cone of
// that score.
func (d *seeded) within(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, seededEnd, error) {
	w := d.waves.wavefronts
	w.start(d.pattern, d.text, !d.scoreOnly)
	w.limit(bound)
	for !w.reached() && w.s <= bound {
		switch {
		case stopped(d.stop):
			return 0, dst, seededNot, errStopped
		case d.full(w):
			return d.leave(dst, bound, bound)
		}
		w.step()
	}
	return d.finish(dst, bound)
}

// leave leaves the pair, of whose score bound is a bound, to other methods. They are told of the
// bound only where a long gap hides such a bound from them; otherwise they find a lower one, and
// are told of the expected score guess.
func (d *seeded) leave(dst cigar.CIGAR, guess, bound int) (int, cigar.CIGAR, seededEnd, error) {
	switch {
	case !d.along.jumped:
		return guess, dst, seededNot, nil
	case d.along.cost > d.limit: // nobody knows of an alignment up to the limit
		return d.limit + 1, dst, seededBounds, nil
	}
	return bound, dst, seededBounds, nil
}

// trimmed aligns the pair, of whose score bound is a bound and least what the seeds prove,
// by trimmed wavefronts while they pay: at first for scores up to spare above that.
func (d *seeded) trimmed(dst cigar.CIGAR, least, spare, bound int) (int, cigar.CIGAR, seededEnd, error) {
	t := &d.waves
	w := t.wavefronts
	for d.pays(least, spare) {
		t.bound = min(least+spare, bound)
		t.start(d.pattern, d.text, !d.scoreOnly)
		for !t.reached() && t.s <= t.bound {
			switch {
			case stopped(d.stop):
				return 0, dst, seededNot, errStopped
			case d.full(w):
				return d.leave(dst, t.bound, bound)
			}
			t.step()
		}
		if t.s <= t.bound {
			if !d.along.jumped {
				d.observe(t.s, least)
			}
			return d.finish(dst, bound)
		}
		if t.bound == bound {
			return d.finish(dst, bound)
		}
		spare = min(spare+spare/2+1, bound-least)
	}
	return d.leave(dst, least+spare, bound)
}

// observe records the score of a pair and what the seeds proved.
func (d *seeded) observe(s, least int) {
	const weight = 1.0 / 16
	d.excess += weight * (float64(s-least)/float64(least+1) - d.excess)
}

// finish finishes a pair whose wavefronts have reached the end, or gone beyond bound.
func (d *seeded) finish(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, seededEnd, error) {
	w := d.waves.wavefronts
	switch {
	case w.s <= bound:
	case d.along.cost > d.limit: // nobody knows of an alignment up to the limit
		return 0, dst, seededDone, beyond(&d.stats.Wavefront)
	default:
		return 0, dst, seededNot, errBound
	}
	d.stats.Wavefront++
	if d.scoreOnly {
		return w.s, dst, seededDone, nil
	}
	c, err := w.traceback(dst)
	return w.s, c, seededDone, err
}
