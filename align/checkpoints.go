package align

import (
	"errors"
	"sync/atomic"

	"wfagpu/cigar"
)

// errBound means that a pair costs more than an alignment of it.
var errBound = errors.New("internal error: no alignment has a score as low as the bound")

// checkpoints stores wavefronts for a traceback in bounded memory: all M rows of the first
// scores, then states, from which blocks of M rows are computed again, the last block first.
// A traceback at score s of diagonal k looks back at diagonals k ± (s-r)/e of score r alone, so
// a block is a cone. Where one is too large, states are saved on the way, in the cone: of
// states S/c scores apart each of c cones has S²/c²e offsets.
type checkpoints struct {
	savedStates             // by score
	held        int         // elements in their storage and spare
	waves       *wavefronts // of all scores
	back        *wavefronts // of the block

	room, block int // elements for states and for a block
	least       int // scores from one state to the next
	spacing     int
	prefix      int // M rows up to this score are stored by waves
	stop        *atomic.Bool
}

// spacingRows is the number of scores between states at first, leastCheckpoints the number of
// states that may be kept.
const (
	spacingRows      = 64
	leastCheckpoints = 4
)

func newCheckpoints(k *kernels, pen Penalties) *checkpoints {
	c := &checkpoints{back: newWavefronts(k, pen)}
	c.least = max(spacingRows, 4*(c.back.stateRows(compM)+2*c.back.stateRows(compIns)))
	return c
}

// prefixBytes is the part of memory for the rows of the first scores.
func prefixBytes(memory int) int { return memory / 4 }

// start goes on from waves, which have stored their rows so far. It stores about memory bytes.
func (c *checkpoints) start(waves *wavefronts, memory int, stop *atomic.Bool) {
	c.waves, c.stop = waves, stop
	c.drop(0)
	// Of eight parts two are for the first rows, two for a block, and one for what slices
	// hold in reserve.
	part := memory / 4 / 8
	c.room, c.block = 3*part, 2*part
	c.spacing, c.prefix = c.least, waves.s
	waves.forget()
	c.push(waves)
	c.back.load(waves.pattern, waves.text)
	c.back.kept = c.back.kept[:0]
}

// push saves a state. Storage that is too small for it makes room for larger storage.
func (c *checkpoints) push(w *wavefronts) {
	need := w.stateSize()
	i := len(c.spare) - 1
	for i >= 0 && cap(c.spare[i]) < need {
		i--
	}
	var data []int32
	if i >= 0 {
		data = c.spare[i][:0]
		c.spare = append(c.spare[:i], c.spare[i+1:]...)
	} else {
		for n := len(c.spare); n > 0 && c.held+need > c.room; n-- {
			c.held -= cap(c.spare[n-1])
			c.spare = c.spare[:n-1]
		}
		data = make([]int32, 0, need)
		c.held += cap(data)
	}
	c.add(w.s, w.save(data))
}

// advance is called after each score of waves.
func (c *checkpoints) advance() {
	last := c.states[len(c.states)-1]
	if c.waves.s-last.at < c.spacing {
		return
	}
	// A quarter is for the states of the traceback.
	if len(c.states) >= leastCheckpoints && c.used+len(last.data) > c.room-c.room/4 {
		c.thin()
		c.spacing *= 2
		if c.waves.s-c.states[len(c.states)-1].at < c.spacing {
			return
		}
	}
	c.push(c.waves)
}

// align finishes the wavefronts of a pair, whose first are stored, with states in place of all
// rows. Its score is at most bound.
func (c *checkpoints) align(dst cigar.CIGAR, w *wavefronts, bound, memory int, stop *atomic.Bool) (int, cigar.CIGAR, error) {
	c.start(w, memory, stop)
	for !w.reached() {
		switch {
		case c.stopped():
			return 0, dst, errStopped
		case w.s > bound:
			return 0, dst, errBound
		}
		w.step()
		c.advance()
	}
	t := traceback{pattern: w.pattern, text: w.text, pen: w.pen, score: w.s}
	dst, err := t.run(dst, coneRows{c})
	if c.stopped() {
		err = errStopped
	}
	return w.s, dst, err
}

func (c *checkpoints) stopped() bool { return stopped(c.stop) }
