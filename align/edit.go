package align

import (
	"math"
	"sync/atomic"
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
	trace  editTrace
	narrow *editNarrow // nil if the level has no kernels for it
	stop   *atomic.Bool
}

// newEdit returns nil for penalties other than 1,0,1.
func newEdit(k *kernels, pen Penalties) *edit {
	if pen != EditPenalties {
		return nil
	}
	e := &edit{narrow: newEditNarrow(k.editNarrow)}
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
	all := int(e.steps)
	check := all / firstCheck
	for steps := e.steps.first(); ; steps = editSteps {
		e.advance(steps)
		if e.t == all {
			break
		}
		if stopped(e.stop) {
			return 0, editBeyond
		}
		if !e.use() {
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

// margined returns a bound for a pair whose distance is expected to be s.
func margined(s int) int { return s + s/32 + int(1.5*math.Sqrt(float64(s))) + 4 }
