package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// edit aligns by edit distance, at penalties 1,0,1, with bit-parallel dynamic programming: 64
// cells of a column to a word (Myers 1999; blocks with differences on their edges, Hyyrö 2003).
// It computes the cells that alignments of at most some bound can pass through (Ukkonen 1985),
// so a distance that is at most the bound is exact, and one above it is a bound for another run.
//
// For the traceback it keeps the differences on the edges of tiles of 64 by 64 cells, a word or
// two for 64 cells, and computes the tiles of the alignment again.
type edit struct {
	editState
	trace editTrace
	stop  *atomic.Bool
}

// newEdit returns nil for penalties other than 1,0,1.
func newEdit(k *kernels, pen Penalties) *edit {
	if pen != EditPenalties {
		return nil
	}
	e := &edit{}
	e.kern, e.letters.encoder = k.edit, k.editLetters
	return e
}

// editOutcome is how a run has ended.
type editOutcome uint8

const (
	editFound  editOutcome = iota // with the cost of some alignment, the least one if it is at most the bound
	editBeyond                    // no alignment costs at most the bound
	editLow                       // the bound is probably too low
)

// firstCheck is the share of the steps, as a divisor, after which the distance is first predicted.
const firstCheck = 16

// distance runs the pair for alignments of at most bound. Unless last is set it ends early with
// a prediction where that is above the bound.
func (e *edit) distance(bound int, keep editKeep, last bool) (int, editOutcome) {
	e.start(bound, keep)
	check := e.steps / firstCheck
	for steps := e.firstSteps(); ; steps = editSteps {
		e.advance(steps)
		if e.t == e.steps {
			break
		}
		if stopped(e.stop) {
			return 0, editBeyond
		}
		if !e.use(bound) {
			return e.predicted(), editBeyond
		}
		if e.t >= check && !last {
			check *= 2
			if p := e.predicted(); p > bound+bound/16+16 {
				return p, editLow
			}
		}
	}
	s, ok := e.score()
	if !ok {
		return e.predicted(), editBeyond
	}
	return s, editFound
}

// predicted estimates the distance from the cells that the window has come to.
func (e *edit) predicted() int { return int(float64(e.low) * float64(e.steps) / float64(e.t)) }

// maxCells bounds the cells kept, in bytes: more of them leave the cache.
const maxCells = 256 << 10

// keeps returns what to keep for the traceback of a pair whose distance is at most bound.
func (e *edit) keeps(bound int) editKeep {
	strips := e.lanesFor(min((bound+abs(e.end))/64+2, e.strips))
	if len(e.kern) == 0 {
		strips = (bound+abs(e.end))/64 + 2
	}
	if 16*e.steps*strips <= maxCells {
		return keepCells
	}
	return keepTiles
}

// margined returns a bound for a pair whose distance is expected to be s.
func margined(s int) int { return s + s/32 + int(1.5*math.Sqrt(float64(s))) + 4 }

// tryEdit aligns the loaded pair by edit distance, and reports whether it did.
func (a *Aligner) tryEdit(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	e := a.edit
	if !e.load(&a.pattern, &a.text) {
		return 0, dst, false, nil
	}
	total := a.pattern.n + a.text.n
	most := min(a.pen.Worst(a.pattern.n, a.text.n), a.limit)
	bound := min(margined(max(a.costs.expected(total), abs(e.end))), most)
	keep := keepNothing
	if !a.scoreOnly {
		keep = e.keeps(bound)
	}
	for {
		s, how := e.distance(bound, keep, bound == most)
		switch {
		case stopped(a.stop):
			return 0, dst, false, errStopped
		case how == editFound && s <= bound:
			a.stats.Banded++
			if a.scoreOnly {
				return s, dst, true, nil
			}
			c, err := e.trace.run(dst, &e.editState, &a.pattern, &a.text, s)
			return s, c, true, err
		case bound == most && most == a.limit:
			return 0, dst, true, a.beyond(&a.stats.Banded)
		case bound == most:
			return 0, dst, false, errBand
		case how == editFound:
			bound = min(s, most)
		default:
			bound = min(max(margined(s), bound+bound/2), most)
		}
	}
}
