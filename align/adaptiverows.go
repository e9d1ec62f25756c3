package align

import "unsafe"

// rowRing holds the rows of the last scores of one kind, by score modulo their number,
// a power of two. Nulls stand between rows.
type rowRing struct {
	rows [][]int32
	own  [][]int32 // the ring's own storage; a row may be stored elsewhere
}

// newRowRing has room for the rows of n successive scores.
func newRowRing(n int) rowRing {
	size := 1
	for size < n {
		size *= 2
	}
	return rowRing{make([][]int32, size), make([][]int32, size)}
}

func (r *rowRing) index(s int) int { return s & (len(r.rows) - 1) }

// at returns the row of score s; negative scores have rows that are still null.
func (r *rowRing) at(s int) []int32 { return r.rows[r.index(s)] }

// put makes b the row of score s.
func (r *rowRing) put(s int, b []int32) { r.rows[r.index(s)] = b }

// reuse makes the ring's own storage the row of score s.
func (r *rowRing) reuse(s int) []int32 {
	i := r.index(s)
	r.rows[i] = r.own[i]
	return r.rows[i]
}

// unshare copies the row of score s to the ring's own storage.
func (r *rowRing) unshare(s int) {
	i := r.index(s)
	if &r.rows[i][0] != &r.own[i][0] {
		copy(r.own[i], r.rows[i])
		r.rows[i] = r.own[i]
	}
}

// rowLanes is the number of elements that rows are rounded up to: the largest vector.
// As many nulls stand between rows.
const rowLanes = 16

// adaptiveRows are the rows of an adaptive band, in one piece of storage in which each
// begins at a whole vector.
type adaptiveRows struct {
	m, fromI, fromD rowRing

	width   int // elements of a row: the band in whole vectors
	storage []int32
	none    []int32 // nulls
	// The following are arguments: see adaptiveArgs.
	last, from, ahead []int32
	todo              []int32 // apart
}

func newAdaptiveRows(pen Penalties) adaptiveRows {
	return adaptiveRows{
		m:     newRowRing(max(pen.Mismatch, pen.GapOpen) + 1),
		fromI: newRowRing(pen.GapExtend + 1),
		fromD: newRowRing(pen.GapExtend + 1),
	}
}

// layout places all rows for a band and sets the arguments that point to them.
func (r *adaptiveRows) layout(band int, a *adaptiveArgs) {
	r.width = (band + rowLanes - 1) &^ (rowLanes - 1)
	count := 4
	for _, ring := range r.rings() {
		count += len(ring.rows)
	}
	each := r.width + rowLanes
	if need := count*each + 2*rowLanes; cap(r.storage) < need {
		r.storage = make([]int32, need)
	} else {
		r.storage = r.storage[:need]
	}
	at := rowLanes
	// Small storage may not begin at a whole vector.
	if off := int(uintptr(unsafe.Pointer(&r.storage[0])) / 4 % rowLanes); off != 0 {
		at += rowLanes - off
	}
	take := func() []int32 {
		b := r.storage[at:][:r.width:r.width]
		at += each
		return b
	}
	r.last, r.none, r.from, r.ahead = take(), take(), take(), take()
	for _, ring := range r.rings() {
		for i := range ring.own {
			ring.own[i] = take()
		}
	}
	if need := r.width + rowLanes; len(r.todo) < need {
		r.todo = make([]int32, need)
	}
	a.last, a.from, a.todo = &r.last[0], &r.from[0], &r.todo[0]
	a.ahead = (*uint32)(unsafe.Pointer(&r.ahead[0]))
	a.n = r.width
}

// clear fills all rows with nulls.
func (r *adaptiveRows) clear() {
	fillNull(r.storage)
	clear(r.ahead)
	for _, ring := range r.rings() {
		copy(ring.rows, ring.own)
	}
}

func (r *adaptiveRows) rings() [3]*rowRing { return [3]*rowRing{&r.m, &r.fromI, &r.fromD} }
