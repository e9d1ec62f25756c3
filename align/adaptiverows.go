package align

import "unsafe"

// gapRing holds the rows of the last scores of one kind, by score modulo their number,
// a power of two. Nulls stand between rows.
type gapRing struct {
	buf   []int32
	count int // rows
	each  int // elements from one to the next
}

// index is the element at which the row of score s begins.
func (r *gapRing) index(s int) int { return s & (r.count - 1) * r.each }

// at returns the row of score s; negative scores have rows that are still null.
func (r *gapRing) at(s int) []int32 { return r.buf[r.index(s):][: r.each-rowLanes : r.each-rowLanes] }

// mBlock holds M rows of successive scores, one behind the other.
type mBlock struct {
	buf   []int32
	first int // score of the first row
	width int
}

// at returns the row of score s.
func (b *mBlock) at(s int) []int32 {
	i := (s - b.first) * b.width
	return b.buf[i : i+b.width : i+b.width]
}

// end is the score of the first row for which there is no room.
func (b *mBlock) end() int { return b.first + len(b.buf)/b.width }

// rowLanes is the number of elements that rows are rounded up to: the largest vector.
// As many nulls stand between rows of a ring.
const rowLanes = 16

// blockScores is the most scores of a block of M rows, besides those before them.
const blockScores = 64

// adaptiveRows are the rows of an adaptive band. Those of the rings are in one piece of storage in
// which each begins at a whole vector.
type adaptiveRows struct {
	m            mBlock
	fromI, fromD gapRing

	width   int     // elements of a row: the band in whole vectors
	own     []int32 // storage of a block whose rows are not stored for the traceback
	storage []int32
	none    []int32 // nulls
	// The following are arguments: see adaptiveArgs.
	last, from, ahead []int32
	todo              []int32 // apart
}

func newAdaptiveRows(pen Penalties) adaptiveRows {
	count := 1
	for count < pen.GapExtend+1 {
		count *= 2
	}
	return adaptiveRows{fromI: gapRing{count: count}, fromD: gapRing{count: count}}
}

// layout places all rows for a band and sets the arguments that point to them.
func (r *adaptiveRows) layout(band int, a *adaptiveArgs) {
	r.width = (band + rowLanes - 1) &^ (rowLanes - 1)
	each := r.width + rowLanes
	count := 4 + 2*r.fromI.count
	r.storage = roomFor(r.storage, count*each+2*rowLanes)
	at := rowLanes
	// Small storage may not begin at a whole vector.
	if off := int(uintptr(unsafe.Pointer(&r.storage[0])) / 4 % rowLanes); off != 0 {
		at += rowLanes - off
	}
	take := func(rows int) []int32 {
		b := r.storage[at:][: rows*each : rows*each]
		at += rows * each
		return b
	}
	for _, b := range [4]*[]int32{&r.last, &r.none, &r.from, &r.ahead} {
		*b = take(1)[:r.width]
	}
	r.fromI.each, r.fromD.each = each, each
	r.fromI.buf, r.fromD.buf = take(r.fromI.count), take(r.fromD.count)
	r.todo = roomFor(r.todo, r.width+rowLanes)
	a.last, a.from, a.todo = &r.last[0], &r.from[0], &r.todo[0]
	a.ahead = (*uint32)(unsafe.Pointer(&r.ahead[0]))
	a.ins, a.del = &r.fromI.buf[0], &r.fromD.buf[0]
	a.each, a.ring = 4*each, 4*each*r.fromI.count
	a.n = r.width
}

// clear fills all rows but those of M with nulls.
func (r *adaptiveRows) clear() {
	fillNull(r.storage)
	clear(r.ahead)
}

// openGaps adds the gaps that open at score s to what the gaps of score s+e come from,
// which is the extended gaps of score s so far.
func (r *adaptiveRows) openGaps(s int, p *Penalties) {
	m := r.m.at(s - p.GapOpen)
	for _, ring := range [2]*gapRing{&r.fromI, &r.fromD} {
		to := ring.at(s + p.GapExtend)
		for i, h := range m {
			to[i] = max(to[i], h)
		}
	}
}
