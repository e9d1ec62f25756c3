package align

import (
	"math/bits"
	"sync/atomic"
)

// replayable computes the lines of a pair in order, each from the ones before: the columns of
// a matrix, or the wavefronts of all scores.
type replayable interface {
	// next computes the next line.
	next()
	// line returns the last line, which next overwrites.
	line() *row
	// lineSize is the number of elements of the last line.
	lineSize() int
	// save appends the state after the last line to dst; restore returns to it.
	save(dst []int32) []int32
	restore(state []int32, at int)
}

// replay stores lines for a traceback in bounded memory. Half of the memory holds one block
// of neighbouring lines, the other half states from which blocks are computed again, the last
// block first. Where the states are too far apart for a block, more are saved between them:
// n lines in room for l lines and c states take about log(n/l)/log(c) further computations.
type replay struct {
	src    replayable
	margin int // how far before a line the traceback looks, long gaps apart
	memory int // elements

	last        int // last line computed
	savedStates     // by line
	spacing     int // lines from one state to the next

	block  []row // lines from+1 on
	from   int
	arena  arena
	held   row // a copy of line heldAt
	heldAt int
	stop   *atomic.Bool // see Aligner
}

// minStates is the least number of states kept.
const minStates = 4

// start begins with line 0, which src has computed. Lines are stored in about memory bytes,
// from there on as many as fit; none without memory.
func (r *replay) start(src replayable, margin, memory int, stop *atomic.Bool) {
	// An eighth is for what slices hold in reserve.
	r.src, r.margin, r.memory, r.stop = src, margin, (memory-memory/8+3)/4, stop
	r.drop(0)
	r.last, r.heldAt = 0, -1
	if r.begin(-1); memory == 0 {
		return
	}
	r.push()
	r.spacing = max(1, r.capacity()-margin)
	r.block = append(r.block, r.copyLine())
}

// begin empties the block; it continues after line from.
func (r *replay) begin(from int) {
	r.from, r.block = from, r.block[:0]
	r.arena.reset()
}

// Bounds of a block: more lines leave the cache, and each has a header of some elements.
const (
	maxLines   = 1 << 12
	lineHeader = 10
)

// capacity is the number of lines as long as the last one that a block holds.
func (r *replay) capacity() int {
	return max(min(r.memory/2/(r.src.lineSize()+lineHeader), maxLines), 2*r.margin+2)
}

// most is the number of states that may be kept.
func (r *replay) most() int {
	return max(minStates, r.memory/2/(len(r.states[len(r.states)-1].data)+lineHeader))
}

// advance computes the next line, and stores it while the block starts at line 0 and has room.
func (r *replay) advance() {
	r.src.next()
	r.last++
	if r.memory == 0 {
		return
	}
	if len(r.block) > 0 {
		if len(r.block) >= r.capacity() {
			r.begin(-1)
		} else {
			r.block = append(r.block, r.copyLine())
		}
	}
	if r.last-r.states[len(r.states)-1].at < r.spacing {
		return
	}
	if len(r.states) >= r.most() {
		r.thin()
		r.spacing *= 2
		return
	}
	r.push()
}

func (r *replay) push() {
	var data []int32
	if n := len(r.spare); n > 0 {
		data, r.spare = r.spare[n-1][:0], r.spare[:n-1]
	}
	r.add(r.last, r.src.save(data))
}

// copyLine stores the last line.
func (r *replay) copyLine() row {
	l := r.src.line()
	if l.empty() {
		return emptyRow
	}
	// Sizes in steps: longer lines may take the place of shorter ones.
	n := len(l.buf)
	step := 1 << max(0, bits.Len(uint(n))-4)
	buf := r.arena.take((n + step - 1) &^ (step - 1))[:n]
	copy(buf, l.buf)
	return row{lo: l.lo, hi: l.hi, buf: buf}
}

// at returns line p for a traceback whose cell is on line now or, in a long gap, was: then
// hold is the one line after p that it goes on to read.
func (r *replay) at(p, now, hold int) *row {
	switch {
	case r.has(p):
	case p == r.heldAt:
		return &r.held
	default:
		r.hold(hold)
		if r.load(p, now); !r.has(p) { // stopped
			return &emptyRow
		}
	}
	return &r.block[p-r.from-1]
}

func (r *replay) has(p int) bool { return p > r.from && p <= r.from+len(r.block) }

// hold keeps a copy of line p if it is in the block.
func (r *replay) hold(p int) {
	if p == r.heldAt || !r.has(p) {
		return
	}
	l := &r.block[p-r.from-1]
	r.held.lo, r.held.hi, r.heldAt = l.lo, l.hi, p
	r.held.buf = append(r.held.buf[:0], l.buf...)
}

// load makes a block that holds line p, and the lines up to now as far as there is room. It
// makes none when it is stopped.
func (r *replay) load(p, now int) {
	if stopped(r.stop) {
		r.begin(-1)
		return
	}
	i := len(r.states) - 1
	for i > 0 && r.states[i].at >= p {
		i--
	}
	r.restore(i)
	for room := r.capacity(); p-r.last > room-r.margin && r.last < p-1; {
		// Too far for a block: save states on the way.
		r.drop(i + 1)
		free := max(1, r.most()-len(r.states))
		step := min(max((p-r.last)/(free+1), room-r.margin, 1), p-1-r.last)
		for range step {
			if stopped(r.stop) {
				r.begin(-1)
				return
			}
			r.src.next()
			r.last++
		}
		r.push()
		i++
	}
	r.begin(r.last)
	if r.last == 0 {
		r.begin(-1)
		r.block = append(r.block, r.copyLine())
	}
	for room := r.capacity(); r.last < max(p, now) && len(r.block) < room; {
		if stopped(r.stop) {
			r.begin(-1)
			return
		}
		r.src.next()
		r.last++
		r.block = append(r.block, r.copyLine())
	}
}

// stateAt returns the state after line p, from which a block was computed.
func (r *replay) stateAt(p int) []int32 {
	for i := len(r.states) - 1; ; i-- {
		if r.states[i].at == p {
			return r.states[i].data
		}
	}
}

// restore returns to state i.
func (r *replay) restore(i int) {
	r.last = r.states[i].at
	r.src.restore(r.states[i].data, r.last)
}

// passes estimates how often lines are computed, n in all, for a traceback with memory bytes to
// store them in: once without memory.
func passes(n, margin, lineSize, stateSize, memory int) int {
	if memory == 0 {
		return 1
	}
	lines := max(min(memory/8/(lineSize+lineHeader), maxLines), 2*margin+2)
	states := max(minStates, memory/8/(stateSize+lineHeader))
	p := 1
	for ; lines < n; lines *= states {
		p++
	}
	return p
}
