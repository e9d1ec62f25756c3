package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// insideMethod aligns similar pairs whose pattern lies within the text, in parts of the text that
// seeds show to be enough.
//
//   - A pattern with one mismatch or none is on a diagonal (gapless.go), and seeds may show that one with
//     several is, too (mismatches.go).
//   - Between gates along runs of equal letters the alignment consists of short parts (gatedinside.go).
//   - Between the first and the last gate, which all optimal alignments pass, the alignment is
//     global; what is before and behind them is short, or wavefronts show where it begins or ends
//     (gatedpair.go, gatedwaves.go).
//   - Patterns of up to some length are aligned near the diagonals of most seeds (insidenear.go,
//     lanewaits.go), short ones without a look at gates. Noisy ones are aligned on all diagonals where these are few
//     (laneall.go).
//   - Where there are no gates, a window has all optimal alignments (windowed.go).
type insideMethod struct {
	*gateEnds
	gapless gapless
	window  *window  // nil for models that it does not take
	global  *Aligner // of global alignments with CIGARs: short, or another one if that has scores alone
	known   partAlignment
	within  insidePart
	few     fewSeeds
	along   mismatches
	seeds   laneExpected
	narrow  *freeNarrow // of the model, or nil
	lanes   *laneQueue  // nil for models that it does not take
	queue   *laneQueue  // lanes while pairs may wait
	bundle  *bundle     // for whole texts while pairs may wait, or nil
	rate    costRate    // of the letters of patterns
	trials  laneTrials
	// Of pairs that wait on all diagonals.
	allTrials laneTrials
	// Of the searches for gates along global alignments and along runs of equal letters.
	globalPauses, runsPauses pauses
	runsEnds                 float64 // 1; tests have more
	stop                     *atomic.Bool
}

// newInsideMethod returns nil for models that it does not take.
func newInsideMethod(k *kernels, m *Model, o Options) (*insideMethod, error) {
	if !m.isInside() {
		return nil, nil
	}
	ends, err := newGateEnds(k, m, o)
	if err != nil {
		return nil, err
	}
	x := &insideMethod{gateEnds: ends, runsEnds: 1}
	if x.global = x.short; o.ScoreOnly {
		traced := globalOptions(o)
		traced.ScoreOnly = false
		if x.global, err = NewAligner(traced); err != nil {
			return nil, err
		}
	}
	x.gapless = newGapless(m)
	x.window = newWindow(m, &x.places)
	x.narrow = newFreeNarrow(k, m)
	x.lanes = newLaneQueue(k.lanes, m, &x.places, o.ScoreOnly, o.Memory)
	x.within.prepare(k, m, o)
	return x, nil
}

func (x *insideMethod) stopOn(stop *atomic.Bool) {
	x.stop = stop
	x.gateEnds.stopOn(stop)
	x.global.stopOn(stop)
	x.within.stopOn(stop)
}

// align takes the pairs that have gates or a window. While pairs may wait, it ends with errWaits for
// one that does.
func (x *insideMethod) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	x.places.load(text)
	if d, ok := x.gapless.find(&x.places, pattern); ok {
		return x.gapless.result(dst, d, pattern.n, text.n, x.scoreOnly), true, nil
	}
	if pattern.n > nearLetters {
		if r, ok, err := x.alongRuns(dst, m, pattern, text); ok || err != nil {
			return r, ok, err
		}
	}
	if r, ok, err := x.fewErrors(dst, pattern, text); ok || err != nil {
		return r, ok, err
	}
	x.gates.cost = -1
	var first, last *gateSeed
	if pattern.n > nearLetters {
		if first, last = x.look(pattern, text); first != nil {
			plan := x.plan(m, pattern.n, text.n, first, last)
			if x.lanes == nil || pattern.n > longLetters || x.gates.beside(first, last) <= nearEnds {
				return x.through(dst, m, pattern, text, &plan, nil)
			}
		}
	}
	if x.queue != nil && nearLetters <= pattern.n && pattern.n <= laneLetters && x.waitsOnAll(pattern, text) {
		return spanResult{}, false, errWaits
	}
	if x.lanes != nil && pattern.n <= laneLetters && x.mayShow(pattern.n, text.n) && x.seeds.find(x.lanes.kern, &x.places, pattern) {
		if x.narrow != nil {
			if r, ok, err := x.near(dst, pattern, text, &x.seeds.nearPlaces, &x.seeds.rate, -1); ok || err != nil {
				return r, ok, err
			}
		}
		if x.queue != nil && x.waits(pattern, text) {
			return spanResult{}, false, errWaits
		}
	}
	if pattern.n <= nearLetters {
		first, last = x.look(pattern, text)
	}
	if first != nil {
		plan := x.plan(m, pattern.n, text.n, first, last)
		return x.through(dst, m, pattern, text, &plan, nil)
	}
	if x.queue == nil && nearLetters < pattern.n && pattern.n <= longLetters {
		first, last, err := x.lookAlong(pattern, text)
		if err != nil {
			return spanResult{}, false, err
		}
		if first != nil && x.gates.beside(first, last) <= alongEnds+alongEnd*float64(pattern.n) {
			plan := x.plan(m, pattern.n, text.n, first, last)
			return x.through(dst, m, pattern, text, &plan, &x.known)
		}
	}
	return x.windowed(dst, m, pattern, text)
}

const (
	nearLetters = 600  // the most letters of a pattern that is aligned near the diagonals of most seeds without a look at gates
	longLetters = 2048 // from so many letters of a pattern on its ends beside gates are a small part of it
	longErrors  = 12   // letters of such a pattern for each cost that is expected, at most, where lanes are quicker than gates
	alongEnds   = 60e3 // nanoseconds of the ends beside gates along a global alignment, and
	alongEnd    = 20.0 // for each letter
	nearEnds    = 16e3 // nanoseconds of the ends beside gates for which gates are quicker
)

// mayShow reports whether seeds of a pair are likely to show what is beside a band. In long texts short ones have too
// many places for that, and long pairs of few errors take no longer by other methods, which need less storage.
func (x *insideMethod) mayShow(pattern, text int) bool {
	if pattern <= longLetters {
		return true
	}
	guess := x.rate.expected(pattern)
	return longErrors*guess >= pattern && 100*guess <= laneKnown*x.allSeeds(pattern, text)
}

// allSeeds returns what all seeds of a pair cost that are looked for in the whole text, 0 if there are none.
func (x *insideMethod) allSeeds(pattern, text int) int {
	letters := lettersOfSeeds(text)
	return laneCount(pattern, text, letters) * x.lanes.steps.of(letters).unit
}

// observe records the cost of a pair, by whichever method.
func (x *insideMethod) observe(cost, pattern, text int) {
	x.rate.observe(cost-x.gates.model.FreeLetter*(text-pattern), pattern)
}
