package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// exact aligns one pair at a time globally, with one cost of gaps. All its methods have the same
// results.
type exact struct {
	given

	few     exactNarrow
	waves   *wavefronts
	along   greedy
	gated   *gated
	seeded  *seeded
	checks  *checkpoints
	inBand  exactBand
	band    *banded    // inBand's
	edit    *edit      // nil unless the penalties are 1,0,1
	planes  *planeBand // nil unless the level and the penalties have it
	unequal unequal
	sweeps  *exactSweep // nil if the level has none
	fence   *exactFence // nil if the level has none

	// waits is set where pairs may wait for one of the groups; waitsFor is that of the last one.
	waits    bool
	groups   bandGroups
	waitsFor *bandGroup
	// bundle has pairs that wait, too; nil for models that it does not take.
	bundle *bundle
	lanes  *exactLanes // for similar pairs, or nil
}

func newExact(g given) *exact {
	a := &exact{given: g}
	k, pen := g.kern, g.pen
	a.costs.pen = pen
	a.waves, a.checks = newWavefronts(k, pen), newCheckpoints(k, pen)
	a.few = exactNarrow{given: &a.given, narrow: newNarrow(k.narrow, pen)}
	if k.band != nil && bandTakes(pen) {
		for _, g := range k.groups {
			a.groups = append(a.groups, newBandGroup(g, pen))
		}
		a.band = newBanded(k.band, pen)
	}
	if k.planes && pen == planePenalties {
		a.planes = newPlaneBand(pen)
		for _, g := range k.groups {
			a.groups = append(a.groups, newBandGroup(g, pen))
		}
	}
	if a.edit = newEdit(k, pen); a.edit != nil {
		a.few.edit = a.edit.narrow
	}
	a.sweeps = newExactSweep(&a.given)
	a.unequal = unequal{given: &a.given, band: a.band, edit: a.edit, sweeps: a.sweeps, worth: unequalCost}
	a.inBand = exactBand{given: &a.given, band: a.band, bounds: bounds{given: &a.given, band: a.band}, unequal: &a.unequal}
	a.fence = newExactFence(&a.given, a.band)
	a.along = greedy{kern: k, pen: pen, narrow: a.few.narrow, score: g.scoreOnly}
	a.gated = newGated(&a.given, &a.along, a.few.narrow)
	if k.narrowWide.run != nil {
		a.gated.wide = newNarrow(k.narrowWide, pen)
	}
	a.gated.other, a.gated.otherCost = a.alignBounded, a.boundedCost
	a.seeded = newSeeded(&a.given, a.waves, a.band)
	return a
}

// stopOn interrupts the alignment when stop is set; nil for never.
func (a *exact) stopOn(stop *atomic.Bool) {
	a.stop = stop
	if a.band != nil {
		a.band.stop = stop
	}
	if a.edit != nil {
		a.edit.stop = stop
	}
	if a.planes != nil {
		a.planes.stop = stop
	}
	if a.bundle != nil {
		a.bundle.stop = stop
	}
}

// align aligns a pair. A pair that waits for a group, see waits, ends with errWaits.
func (a *exact) align(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, error) {
	a.pattern, a.text = pattern, text
	if min(a.pattern.n, a.text.n) == 0 {
		a.stats.Wavefront++
		if !a.scoreOnly {
			dst = dst.AppendElem(runIns, a.pattern.n)
			dst = dst.AppendElem(runDel, a.text.n)
		}
		return a.pen.Gap(a.pattern.n + a.text.n), dst, nil
	}
	if a.pen.LengthGap(a.pattern.n, a.text.n) > a.limit {
		return 0, dst, beyond(&a.stats.Wavefront)
	}
	if a.band != nil {
		a.band.load(a.pattern, a.text)
	}
	if s, c, ok, err := a.tryUnequal(dst); ok || err != nil {
		return s, c, err
	}
	s, c, err := a.choose(dst)
	switch err {
	case nil:
		a.costs.observe(s, a.pattern.n, a.text.n)
	case errBeyond:
		a.costs.observe(a.limit, a.pattern.n, a.text.n)
	}
	return s, c, err
}

// alignPart aligns a part of a pair, which is not counted and waits for no group.
func (a *exact) alignPart(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, error) {
	waits, stats := a.waits, *a.stats
	a.waits = false
	s, c, err := a.align(dst, pattern, text)
	a.waits, *a.stats = waits, stats
	return s, c, err
}

// alignBounded aligns a part of a pair, of whose score bound is a bound. The part is not counted and waits
// for no group.
func (a *exact) alignBounded(dst cigar.CIGAR, pattern, text *sequence, bound int) (int, cigar.CIGAR, error) {
	if min(pattern.n, text.n) == 0 {
		return a.alignPart(dst, pattern, text)
	}
	dear := a.costs.bounded(bound, 0) > boundedPart
	if dear && a.unequal.alongGapCost(pattern.n, text.n, bound) < a.partCost(pattern.n, text.n, bound) {
		return a.alignAlongGap(dst, pattern, text)
	}
	if dear && a.edit == nil {
		return a.alignPart(dst, pattern, text)
	}
	defer func(stats Stats) { *a.stats = stats }(*a.stats)
	a.pattern, a.text = pattern, text
	if a.band != nil {
		a.band.load(pattern, text)
	}
	if dear {
		if s, c, ok, err := a.tryEdit(dst, bound); ok || err != nil {
			return s, c, err
		}
	}
	return a.alignWithin(dst, bound)
}

// boundedCost estimates what a part of n and m letters costs alignBounded.
func (a *exact) boundedCost(n, m, bound int) float64 {
	return min(a.partCost(n, m, bound), a.unequal.alongGapCost(n, m, bound))
}

// partCost is boundedCost without directed wavefronts.
func (a *exact) partCost(n, m, bound int) float64 {
	cost := a.costs.bounded(bound, 0)
	if a.edit != nil {
		cost = min(cost, a.edit.cost(n, m, bound))
	}
	return cost
}

// boundedPart is what wavefronts within a bound on the score of a part cost at most, in nanoseconds, where
// methods that may do with less are not tried.
const boundedPart = 1e5

// tryUnequal aligns the loaded pair where its lengths differ much, and reports whether it did.
// The score of such a pair tells nothing about its neighbours', so it is not observed.
func (a *exact) tryUnequal(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	s, dst, by, err := a.unequal.align(dst)
	switch {
	case err != nil || by == byNone:
		return s, dst, false, err
	case by == byMatrix:
		a.stats.Banded++
	default:
		a.stats.Wavefront++
	}
	return s, dst, true, nil
}

// choose aligns the loaded pair by the method that the expected score selects, from earlier pairs or
// from the first wavefronts.
func (a *exact) choose(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if a.lanes != nil {
		a.lanes.pairs++
	}
	expected := min(a.costs.expected(a.pattern.n, a.text.n), a.limit+1) // by earlier pairs
	guess := expected
	if a.few.usable() {
		s, c, done, err := a.few.try(dst, guess)
		if done {
			return s, c, err
		}
		guess = s
	}
	var along *greedy // an alignment along runs of equal letters
	if a.findAlong(guess) {
		along = &a.along
		if s, c, ok, err := a.gated.align(dst); ok || err != nil {
			return s, c, err
		}
		if guess > 0 {
			guess = min(guess, along.cost)
		}
		if s, c, ok, err := a.tryAlongGap(dst, guess); ok || err != nil {
			return s, c, err
		}
	}
	if guess > 0 && a.editPays(guess, 0) {
		if s, c, ok, err := a.tryEdit(dst, guess); ok || err != nil {
			return s, c, err
		}
	}
	if a.edit == nil {
		s, c, end, err := a.seeded.align(dst, guess, along)
		switch {
		case err != nil || end == seededDone:
			return s, c, err
		case end == seededBounds:
			return a.alignWithin(dst, s)
		}
		guess = s
	}
	if a.lanesPay(guess) {
		return 0, dst, errWaits
	}
	bound := 0
	if guess > 0 && a.fencePays(guess) {
		s, c, ok, err := a.fence.try(dst, guess)
		if ok || err != nil {
			return s, c, err
		}
		bound = s
	}
	if a.waits && guess > 0 && a.bundlePays(guess) {
		a.bundle.add(a.pattern, a.text)
		return 0, dst, errWaits
	}
	if a.waits && guess > 0 {
		g := a.groups.promising(guess, a.text.n-a.pattern.n, a.letters())
		if g != nil && g.cost(a.letters()) <= a.costs.wavefronts(guess, 0) {
			a.waitsFor = g
			return 0, dst, errWaits
		}
	}
	if guess > 0 && a.planesPay(guess, 0) {
		if s, c, ok, err := a.tryPlanes(dst, guess); ok || err != nil {
			return s, c, err
		}
	}
	if guess > 0 && a.sweeps.pays(expected, 0) { // guess may be far too high
		if s, c, ok, err := a.sweeps.try(dst, likelyBound(expected)); ok || err != nil {
			return s, c, err
		}
	}
	if guess > 0 && a.band != nil {
		if pays, fixed := a.costs.bandPays(a.band, guess, 0); pays {
			var s int
			var c cigar.CIGAR
			var ok bool
			var err error
			if fixed {
				s, c, ok, err = a.inBand.try(dst, guess)
			} else {
				s, c, ok, err = a.inBand.bounded(dst, guess, 0, &bound)
			}
			if ok || err != nil {
				return s, c, err
			}
		}
	}
	return a.wavefronts(dst, bound)
}

// alignWithin aligns the loaded pair, of whose score bound is a bound, in a band or else by
// wavefronts.
func (a *exact) alignWithin(dst cigar.CIGAR, bound int) (int, cigar.CIGAR, error) {
	if a.band != nil && a.costs.pruned(a.band, bound) < a.costs.bounded(bound, 0) {
		if s, c, ok, err := a.inBand.within(dst, bound); ok || err != nil {
			return s, c, err
		}
	}
	return a.wavefronts(dst, bound)
}
