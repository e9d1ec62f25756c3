package align

import (
	"unsafe"
)

// adaptiveArgs describes steps of the adaptive band's recurrence, which adaptiveWavefronts
// states, over the n diagonals from k0 on: the band and, up to whole vectors, some more. Each
// pointer to a row is to the element of diagonal k0. M rows of successive scores are one behind
// the other, n elements each; ins and del are rings of rows, which are also read one diagonal to
// either side, where they hold nulls.
type adaptiveArgs struct {
	mx, mo, outM *int32 // M[s-x], M[s-o] and M[s] of the first score s
	ins, del     *int32 // fromI and fromD, first rows of the rings
	// in and out are where in the rings the rows of s and s+e are; ring is the size of a ring,
	// each the distance of its rows, all of them in bytes.
	in, out, ring, each int
	last                *int32 // ends of the diagonals, null outside matrix and band
	// ahead is a look-ahead table: the letters of each diagonal from offset from on, as
	// the assembly has last compared them, a bit for each that differs, the first one on
	// top. Bits are 0 for diagonals whose letters have not been compared yet.
	from          *int32
	ahead         *uint32
	todo          *int32 // work space of the assembly: n elements and a vector
	n             int
	pattern, text *byte // first letters
	// The scores are up to scores of them, or up to the first one that reaches offset textLen
	// on diagonal k0+end; end is negative if that one is outside the band.
	scores, end int
	done        int // result: how many there were
	offset      int // work space of the assembly
	k0, textLen int32
	furthest    int32 // result: the largest offset of all rows, or less than 0
	_           int32
}

// adaptiveGo computes the rows of M, fromI and fromD of some scores. It defines what the assembly
// computes. Any negative number is null.
//
// The assembly compares 32 letters at a time, which lasts for several scores: the cells
// of a diagonal are near each other. From then on a shift and the number of leading zeros
// give the number of matches, for a vector of cells at once. Cells whose letters have not
// been compared, or that match up to the last letter compared, are listed in todo and
// extended after all others.
func adaptiveGo(a *adaptiveArgs) {
	n := a.n
	// rows returns a row some bytes behind p, and shift elements.
	row := func(p *int32, bytes, shift int) []int32 {
		return unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(p), bytes+4*shift)), n)
	}
	pattern, text := unsafe.Pointer(a.pattern), unsafe.Pointer(a.text)
	limits := unsafe.Slice(a.last, n)
	in, out := a.in, a.out
	a.furthest = null
	for a.done = 0; a.done < a.scores; {
		at := 4 * n * a.done
		mx, mo, outM := row(a.mx, at, 0), row(a.mo, at, 0), row(a.outM, at, 0)
		ins, del := row(a.ins, in, 1), row(a.del, in, -1)
		outIns, outDel := row(a.ins, out, 0), row(a.del, out, 0)
		for i, last := range limits {
			in, de := min(ins[i], last), min(del[i]+1, last)
			outIns[i], outDel[i] = max(in, mo[i]), max(de, mo[i])
			m := min(max(mx[i]+1, in, de), last)
			if m >= 0 {
				m = int32(int(m) + matchesFrom(pattern, text, int(m)-int(a.k0)-i, int(m)))
			}
			outM[i] = m
			a.furthest = max(a.furthest, m)
		}
		a.done++
		if a.end >= 0 && outM[a.end] >= a.textLen {
			return
		}
		if in += a.each; in == a.ring {
			in = 0
		}
		if out += a.each; out == a.ring {
			out = 0
		}
	}
}
