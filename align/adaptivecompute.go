package align

import (
	"unsafe"
)

// adaptiveArgs describes one step of the adaptive band's recurrence, which
// adaptiveWavefronts states, over the n diagonals from k0 on: the band and, up to whole
// vectors, some more. Each pointer is to the element of diagonal k0 in its row; ins and
// del are also read one diagonal to either side, where they hold nulls.
type adaptiveArgs struct {
	mx, mo, ins, del     *int32 // M[s-x], M[s-o], fromI[s], fromD[s]
	outM, outIns, outDel *int32 // M[s], fromI[s+e], fromD[s+e]
	last                 *int32 // ends of the diagonals, null outside matrix and band
	// ahead is a look-ahead table: the letters of each diagonal from offset from on, as
	// the assembly has last compared them, a bit for each that differs, the first one on
	// top. Bits are 0 for diagonals whose letters have not been compared yet.
	from          *int32
	ahead         *uint32
	todo          *int32 // work space of the assembly: n elements and a vector
	n             int
	pattern, text *byte // first letters
	k0            int32
	furthest      int32 // result: the largest offset, or less than 0
}

// adaptiveGo computes outM, outIns, outDel and furthest. It defines what the assembly
// computes. Any negative number is null.
//
// The assembly compares 32 letters at a time, which lasts for several scores: the cells
// of a diagonal are near each other. From then on a shift and the number of leading zeros
// give the number of matches, for a vector of cells at once. Cells whose letters have not
// been compared, or that match up to the last letter compared, are listed in todo and
// extended after all others.
func adaptiveGo(a *adaptiveArgs) {
	n := a.n
	mx, mo := unsafe.Slice(a.mx, n), unsafe.Slice(a.mo, n)
	ins := unsafe.Slice(a.ins, n+1)
	del := unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(a.del), -4)), n)
	outM, outIns, outDel := unsafe.Slice(a.outM, n), unsafe.Slice(a.outIns, n), unsafe.Slice(a.outDel, n)
	pattern, text := unsafe.Pointer(a.pattern), unsafe.Pointer(a.text)
	furthest := int32(null)
	for i, last := range unsafe.Slice(a.last, n) {
		in, de := min(ins[i+1], last), min(del[i]+1, last)
		outIns[i], outDel[i] = max(in, mo[i]), max(de, mo[i])
		m := min(max(mx[i]+1, in, de), last)
		if m >= 0 {
			m = int32(int(m) + matchesFrom(pattern, text, int(m)-int(a.k0)-i, int(m)))
		}
		outM[i] = m
		furthest = max(furthest, m)
	}
	a.furthest = furthest
}
