package align

import "unsafe"

// heldRows are the rows of some scores, by score modulo their number, a power of
// two. Rows lie between nulls.
type heldRows struct {
	rows [][]int32
	own  [][]int32 // where rows are unless they are kept elsewhere
}

// newHeldRows has room for the rows of n scores in a row.
func newHeldRows(n int) heldRows {
	size := 1
	for size < n {
		size *= 2
	}
	return heldRows{make([][]int32, size), make([][]int32, size)}
}

func (r *heldRows) slot(s int) int { return s & (len(r.rows) - 1) }

// at returns the row of score s; negative scores have rows that are still null.
func (r *heldRows) at(s int) []int32 { return r.rows[r.slot(s)] }

// put makes b the row of score s.
func (r *heldRows) put(s int, b []int32) { r.rows[r.slot(s)] = b }

// reuse makes some older row's storage the row of score s.
func (r *heldRows) reuse(s int) []int32 {
	i := r.slot(s)
	r.rows[i] = r.own[i]
	return r.rows[i]
}

// change makes the row of score s one that may be changed.
func (r *heldRows) change(s int) {
	i := r.slot(s)
	if &r.rows[i][0] != &r.own[i][0] {
		copy(r.own[i], r.rows[i])
		r.rows[i] = r.own[i]
	}
}

// approxLanes is the number of elements to which rows are rounded up: the
// widest vector. As many nulls are between rows.
const approxLanes = 16

// approxRows is the storage of all rows of an approxFront, so that they begin at
// whole vectors.
type approxRows struct {
	width   int // elements of a row: the window in whole vectors
	storage []int32
	last    []int32 // see approxArgs
	none    []int32 // nulls
	from    []int32 // see approxArgs
	ahead   []int32
	todo    []int32 // apart
}

// layout gives all rows their places.
func (f *approxFront) layout() {
	r := &f.rows
	r.width = (f.Band + approxLanes - 1) &^ (approxLanes - 1)
	count := 4
	for _, h := range f.kinds() {
		count += len(h.rows)
	}
	each := r.width + approxLanes
	if need := count*each + 2*approxLanes; cap(r.storage) < need {
		r.storage = make([]int32, need)
	} else {
		r.storage = r.storage[:need]
	}
	at := approxLanes
	// Small storage may not begin at a whole vector.
	if off := int(uintptr(unsafe.Pointer(&r.storage[0])) / 4 % approxLanes); off != 0 {
		at += approxLanes - off
	}
	take := func() []int32 {
		b := r.storage[at:][:r.width:r.width]
		at += each
		return b
	}
	r.last, r.none, r.from, r.ahead = take(), take(), take(), take()
	for _, h := range f.kinds() {
		for i := range h.own {
			h.own[i] = take()
		}
	}
	if need := r.width + approxLanes; len(r.todo) < need {
		r.todo = make([]int32, need)
	}
	a := &f.args
	a.last, a.from, a.todo = &r.last[0], &r.from[0], &r.todo[0]
	a.ahead = (*uint32)(unsafe.Pointer(&r.ahead[0]))
	a.n = r.width
}

// clear fills all rows with nulls.
func (f *approxFront) clear() {
	fillNull(f.rows.storage)
	clear(f.rows.ahead)
	for _, h := range f.kinds() {
		copy(h.rows, h.own)
	}
}

func (f *approxFront) kinds() [3]*heldRows { return [3]*heldRows{&f.m, &f.fromI, &f.fromD} }

func fillNull(r []int32) {
	for i := range r {
		r[i] = null
	}
}
