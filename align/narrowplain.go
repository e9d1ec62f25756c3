package align

import "unsafe"

// narrowRows are the rows of a score in narrow wavefronts.
type narrowRows struct{ m, ins, del [narrowLanes]int32 }

var nullRows = func() (r narrowRows) {
	for i := range r.m {
		r.m[i], r.ins[i], r.del[i] = null, null, null
	}
	return r
}()

// narrowPlain is the kernel for narrow wavefronts in plain Go, for one end. It computes the lanes
// that a score can reach from diagonal 0 alone; the others are null.
func narrowPlain(a *narrowArgs) {
	const size = 4 * narrowStride
	origin, extend := -int(a.first), a.extend/size
	open := a.open/size - extend
	pattern, text := unsafe.Pointer(a.pattern), unsafe.Pointer(a.text)
	plen, tlen, end := uint32(a.patternLen), uint32(a.textLen), a.end&(narrowLanes-1)
	at := unsafe.Pointer(a.row)
	for s := a.score; ; s++ {
		reach := 0
		if s >= open+extend {
			reach = (s - open) / extend
		}
		lo, hi := max(0, origin-reach), min(narrowLanes-1, origin+reach)
		row := (*narrowRows)(at)
		if s > a.score {
			mx := &(*narrowRows)(unsafe.Add(at, -a.mismatch)).m
			mo := &(*narrowRows)(unsafe.Add(at, -a.open)).m
			before := (*narrowRows)(unsafe.Add(at, -a.extend))
			*row = nullRows
			for i := lo; i <= hi; i++ {
				i := i & (narrowLanes - 1)
				in, de := int32(null), int32(null)
				if i < narrowLanes-1 {
					in = max(mo[i+1], before.ins[i+1])
				}
				if i > 0 {
					de = max(mo[i-1], before.del[i-1]) + 1
				}
				row.ins[i], row.del[i] = in, de
				m := max(mx[i]+1, in, de)
				if uint32(m) <= tlen && uint32(m-a.first-int32(i)) <= plen {
					h := int(m)
					row.m[i] = int32(h + matchesFrom(pattern, text, h+origin-i, h))
				}
			}
		} else {
			for i := lo; i <= hi; i++ {
				if h := int(row.m[i&(narrowLanes-1)]); h >= 0 {
					row.m[i&(narrowLanes-1)] = int32(h + matchesFrom(pattern, text, h+origin-i, h))
				}
			}
		}
		if row.m[end] == a.textLen || s >= a.stop {
			a.score = s
			return
		}
		at = unsafe.Add(at, size)
	}
}
