package align

import "unsafe"

// plainWidth is the width of rows in plain Go that have more diagonals than narrowLanes.
const plainWidth = 2 * narrowLanes

// narrowRows are the rows of a score in narrow wavefronts of plain Go: M, Ins and Del, all of one width. Their last
// elements are null: they are above the last diagonal and, of the row before, below the first one.
type narrowRows interface {
	[3 * narrowLanes]int32 | [3 * plainWidth]int32
}

// plainNarrow returns the kernel for such rows.
func plainNarrow[R narrowRows]() narrowKernel {
	var rows R
	width := len(rows) / 3
	return narrowKernel{run: narrowPlain[R], lanes: width - 1, width: width}
}

// narrowPlain is the kernel for narrow wavefronts in plain Go, for one end. It computes the lanes that a score can
// reach from diagonal 0 alone, and from which the end is within the bound; the others are null.
func narrowPlain[R narrowRows](a *narrowArgs) {
	var rows R
	size := 4 * len(rows) // the compiler knows it
	ins, del, lanes := size/3, 2*size/3, len(rows)/3-1
	origin, end, extend := -int(a.first), int(a.end)&lanes, a.extend/size
	open := a.open/size - extend
	pattern, text := unsafe.Pointer(a.pattern), unsafe.Pointer(a.text)
	plen, tlen := uint32(a.patternLen), uint32(a.textLen)
	// How many lanes a score has come from diagonal 0, and may be from the end: each further one costs extend. M is
	// to be nearer by those of an opening. more and less are how many scores they stay so.
	reach, left, opening := max(0, (a.score-open)/extend), lanes, 0
	more, less := (reach+1)*extend-(a.score-open), 2*maxNarrowScore
	if a.bound > 0 {
		left, opening = (a.bound-a.score)/extend, open/extend
		less = a.bound - a.score - left*extend + 1
	}
	at := unsafe.Pointer(a.row)
	for s := a.score; ; {
		lo, hi := max(0, origin-reach, end-left), min(lanes-1, origin+reach, end+left)
		if s > a.score {
			mx, mo, before := unsafe.Add(at, -a.mismatch), unsafe.Add(at, -a.open), unsafe.Add(at, -a.extend)
			*(*R)(at) = *(*R)(unsafe.Pointer(&nullRow))
			k := int32(lo - origin)
			for i := lo; i <= hi; i++ {
				in := max(offset(mo, i+1), offset(unsafe.Add(before, ins), i+1))
				de := max(offset(mo, i-1), offset(unsafe.Add(before, del), i-1)) + 1
				setOffset(unsafe.Add(at, ins), i, in)
				setOffset(unsafe.Add(at, del), i, de)
				m := max(offset(mx, i)+1, in, de)
				if uint32(m) > tlen || uint32(m-k) > plen {
					m = null
				}
				setOffset(at, i, m)
				k++
			}
		}
		// In a loop of its own: selections that letters' addresses depend on would be branches.
		near := max(0, left-opening)
		for i, to := max(lo, end-near), min(hi, end+near); i <= to; i++ {
			if h := int(offset(at, i)); h >= 0 {
				setOffset(at, i, int32(h+matchesFrom(pattern, text, h+origin-i, h)))
			}
		}
		if offset(at, end) == a.textLen || s >= a.stop {
			a.score = s
			return
		}
		s++
		at = unsafe.Add(at, size)
		if more--; more == 0 {
			reach, more = reach+1, extend
		}
		if less--; less == 0 {
			left, less = left-1, extend
		}
	}
}

// offset returns element i of a row.
func offset(row unsafe.Pointer, i int) int32 { return *(*int32)(unsafe.Add(row, 4*i)) }

func setOffset(row unsafe.Pointer, i int, h int32) { *(*int32)(unsafe.Add(row, 4*i)) = h }
