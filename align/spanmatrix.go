package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// spanMatrix aligns every pair under every model by the plain dynamic program (Gotoh 1982,
// Smith and Waterman 1981), one column per letter of the longer sequence. Its time is the
// product of the lengths. Cells hold relative costs. The shorter sequence may be either: the
// rule speaks of costs alone, and costs do not change when the two trade places.
type spanMatrix struct {
	scoreOnly bool
	memory    int // bytes of columns for the traceback

	model           *Model
	relative        relativeCosts
	pattern, text   *sequence
	shorter, longer []byte
	swapped         bool    // the longer sequence is the pattern
	column          row     // by letters of the shorter sequence
	gap, long       []int32 // gaps across columns, of the two costs
	at              int     // columns computed
	least           int32   // of the last column, from its second cell on
	floor           int32   // most that a cell costs: where an alignment begins it costs 0
	end             spanCell
	lines           replay
	trace           spanTraceback
	stop            *atomic.Bool
}

// maxRelative is more than any relative cost.
const maxRelative = 1 << 30

// stopCells is about how many cells are computed between two looks at the stop flag.
const stopCells = 1 << 20

func (x *spanMatrix) stopOn(stop *atomic.Bool) { x.stop = stop }

// align takes every pair.
func (x *spanMatrix) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	x.load(m, pattern, text)
	memory := x.memory
	if x.scoreOnly {
		memory = 0
	}
	x.lines.start(x, 1, memory, x.stop)
	x.end = spanCell{cost: math.MaxInt}
	if m.Span.EndsAnywhere() {
		x.end.cost = 0 // the empty alignment
	}
	x.look()
	looks := stopCells/len(x.gap) + 1
	for i := range x.longer {
		if i%looks == 0 && stopped(x.stop) {
			return spanResult{}, false, errStopped
		}
		x.lines.advance()
		x.look()
	}
	end := x.end
	end.cost += m.FreeLetter * (pattern.n + text.n)
	if x.scoreOnly {
		return spanResult{cost: end.cost, cigar: dst[:0]}, true, nil
	}
	x.trace = spanTraceback{model: m, pattern: pattern, text: text, cells: x}
	return x.trace.result(dst, end, x.stop)
}

// load sets the pair and computes column 0.
func (x *spanMatrix) load(m *Model, pattern, text *sequence) {
	x.model, x.relative, x.pattern, x.text = m, newRelativeCosts(m), pattern, text
	x.shorter, x.longer = pattern.letters(), text.letters()
	x.swapped = len(x.shorter) > len(x.longer)
	if x.swapped {
		x.shorter, x.longer = x.longer, x.shorter
	}
	x.at, x.floor = 0, maxRelative
	if m.Span == Local {
		x.floor = 0
	}
	n := len(x.shorter) + 1
	if cap(x.gap) < n {
		x.gap, x.long, x.column.buf = make([]int32, n+n/4), make([]int32, n+n/4), make([]int32, n+n/4)
	}
	x.gap, x.long, x.column.buf = x.gap[:n], x.long[:n], x.column.buf[:n]
	x.column.lo, x.column.hi = 0, n-1
	along, second := int32(maxRelative), int32(maxRelative)
	x.least = maxRelative
	for i := range x.column.buf {
		c := min(along, second)
		if x.begins(i, 0) {
			c = min(c, 0)
		}
		x.column.buf[i] = c
		x.gap[i], x.long[i] = maxRelative, maxRelative
		along = min(along+x.relative.gap.extend, c+x.relative.gap.open)
		second = min(second+x.relative.long.extend, c+x.relative.long.open)
	}
}

// begins reports whether an alignment may begin in element i of a column.
func (x *spanMatrix) begins(i, column int) bool {
	if x.swapped {
		i, column = column, i
	}
	return x.model.mayBegin(i, column)
}

// next computes the next column.
func (x *spanMatrix) next() {
	x.at++
	h := x.column.buf
	g := min(x.gap[0]+x.relative.gap.extend, h[0]+x.relative.gap.open)
	l := min(x.long[0]+x.relative.long.extend, h[0]+x.relative.long.open)
	x.gap[0], x.long[0] = g, l
	diagonal := h[0]
	h[0] = min(g, l)
	if x.begins(0, x.at) {
		h[0] = min(h[0], 0)
	}
	if x.relative.long == x.relative.gap {
		x.affine(diagonal)
	} else {
		x.twoPiece(diagonal)
	}
}

// affine computes a column from its second cell on; diagonal is the first cell of the last one.
func (x *spanMatrix) affine(diagonal int32) {
	c := &x.relative
	letter, match, differs := x.longer[x.at-1], c.match, c.mismatch-c.match
	open, extend, floor := c.gap.open, c.gap.extend, x.floor
	least, along := int32(maxRelative), x.column.buf[0]+open
	h := x.column.buf[1:]
	gap, letters := x.gap[1:][:len(h)], x.shorter[:len(h)]
	for i, before := range h {
		g := min(gap[i]+extend, before+open)
		gap[i] = g
		differ := int32(letters[i] ^ letter)
		best := min(diagonal+match+differs&(-differ>>31), g, floor)
		diagonal = before
		least = min(least, best)
		h[i] = min(best, along)
		along = min(along+extend, best+open) // opening from along itself costs no less
	}
	x.least = least
}

// twoPiece is affine with two costs of gaps.
func (x *spanMatrix) twoPiece(diagonal int32) {
	c := &x.relative
	letter, match, differs := x.longer[x.at-1], c.match, c.mismatch-c.match
	open, extend, open2, extend2, floor := c.gap.open, c.gap.extend, c.long.open, c.long.extend, x.floor
	least, along, second := int32(maxRelative), x.column.buf[0]+open, x.column.buf[0]+open2
	h := x.column.buf[1:]
	gap, long, letters := x.gap[1:][:len(h)], x.long[1:][:len(h)], x.shorter[:len(h)]
	for i, before := range h {
		g := min(gap[i]+extend, before+open)
		l := min(long[i]+extend2, before+open2)
		gap[i], long[i] = g, l
		differ := int32(letters[i] ^ letter)
		best := min(diagonal+match+differs&(-differ>>31), g, l, floor)
		diagonal = before
		least = min(least, best)
		h[i] = min(best, along, second)
		along = min(along+extend, best+open)
		second = min(second+extend2, best+open2)
	}
	x.least = least
}

func (x *spanMatrix) line() *row    { return &x.column }
func (x *spanMatrix) lineSize() int { return len(x.gap) }

func (x *spanMatrix) save(dst []int32) []int32 {
	return append(append(append(dst, x.column.buf...), x.gap...), x.long...)
}

func (x *spanMatrix) restore(state []int32, at int) {
	n := len(x.gap)
	copy(x.column.buf, state)
	copy(x.gap, state[n:])
	copy(x.long, state[2*n:])
	x.at = at
}
