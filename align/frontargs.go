package align

import "unsafe"

// frontArgs describes one antidiagonal of cells, n of them by letters of the pattern, by the recurrence of
// frontGo. Each pointer is to the element of the first cell; last, before, ins and insLong are also read one
// element before it. n may be rounded up to whole vectors: rows and letters have room for that.
type frontArgs struct {
	now, last, before *int32 // the cells, and those of the two antidiagonals before
	ins, del          *int32 // gaps that end in the cells, before and after
	insLong, delLong  *int32 // the same of the second cost of gaps
	pattern, text     *byte  // the letters of the first cell, of the text reversed
	n                 int

	match, mismatch, open, extend, openLong, extendLong int32 // relative costs

	// Of each lane the least cell, and which one of the n it is: the first of several.
	least, at [frontLanes]int32
}

// frontLanes is the most lanes of a kernel. Kernels of fewer leave the other ones alone.
const frontLanes = 16

// unreached is more than any cell costs, and so far from the largest number that the gaps of a pair may be added.
const unreached = maxRelative / 2

// frontGo computes an antidiagonal. It defines what the assembly computes. For each cell, from the last to the first,
//
//	Ins[i] = min(Ins[i-1] + extend, last[i-1] + open)      of the pattern's letter i-1 against a gap
//	Del[i] = min(Del[i] + extend, last[i] + open)
//	now[i] = min(before[i-1] + match or mismatch, Ins[i], Del[i])
//
// where there are two costs of gaps each has its own. Cells behind the n become unreached.
func frontGo(a *frontArgs) {
	n := a.n
	row := func(p *int32, shift int) []int32 {
		return unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(p), 4*shift)), n)
	}
	now, last, lastUp, before := row(a.now, 0), row(a.last, 0), row(a.last, -1), row(a.before, -1)
	ins, insUp, del := row(a.ins, 0), row(a.ins, -1), row(a.del, 0)
	insLong, insLongUp, delLong := row(a.insLong, 0), row(a.insLong, -1), row(a.delLong, 0)
	pattern, text := unsafe.Slice(a.pattern, n), unsafe.Slice(a.text, n)
	least, at := int32(unreached), 0
	for i := n - 1; i >= 0; i-- {
		in := min(insUp[i]+a.extend, lastUp[i]+a.open)
		de := min(del[i]+a.extend, last[i]+a.open)
		inLong := min(insLongUp[i]+a.extendLong, lastUp[i]+a.openLong)
		deLong := min(delLong[i]+a.extendLong, last[i]+a.openLong)
		ins[i], del[i], insLong[i], delLong[i] = in, de, inLong, deLong
		step := a.match
		if pattern[i] != text[i] {
			step = a.mismatch
		}
		c := min(before[i]+step, in, de, inLong, deLong)
		now[i] = c
		if c <= least {
			least, at = c, i
		}
	}
	for l := range a.least {
		a.least[l], a.at[l] = least, int32(at)
	}
}

func (a *frontArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// first returns the least cell and which one it is, the first of several.
func (a *frontArgs) first(lanes int) (least int32, at int) {
	least, first := a.least[0], a.at[0]
	for l := 1; l < lanes; l++ {
		if c := a.least[l]; c < least || c == least && a.at[l] < first {
			least, first = c, a.at[l]
		}
	}
	return least, int(first)
}
