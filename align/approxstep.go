package align

import (
	"math/bits"
	"unsafe"
)

// approxArgs describes one step of the approximate mode over the n diagonals
// from k0 on, which are its window and, up to whole vectors, some more. Each
// pointer is to the element of diagonal k0 in its row; ins and del are also
// read one diagonal to either side, where they hold nulls.
type approxArgs struct {
	mx, mo, ins, del     *int32 // M[s-x], M[s-o], fromI[s], fromD[s]
	outM, outIns, outDel *int32 // M[s], fromI[s+e], fromD[s+e]
	last                 *int32 // the last cells, null outside matrix and window
	// ahead are the letters of each diagonal from offset from on, as the
	// assembly has last looked at them: a bit for each that differs, the first
	// one on top. Bits are 0 for diagonals at which it has not looked yet.
	from          *int32
	ahead         *uint32
	todo          *int32 // work space of the assembly: n elements and a vector
	n             int
	pattern, text *byte // first letters
	k0            int32
	furthest      int32 // what the step found: the largest offset, or less than 0
}

// approxGo sets, for diagonals k = k0 .. k0+n-1,
//
//	I          = min(fromI[s,k+1], last(k))
//	D          = min(fromD[s,k-1] + 1, last(k))
//	M[s,k]     = min(max(M[s-x,k] + 1, I, D), last(k)), extended along matches
//	fromI[s+e] = max(I, M[s-o,k])
//	fromD[s+e] = max(D, M[s-o,k])
//
// and furthest. Any negative number is null.
//
// The assembly compares letters 32 at a time, which lasts for several scores:
// the cells of a diagonal are not far from each other. From then on a shift and
// the number of leading zeros tell how far a cell's matches go, for a vector of
// cells at once. Those of which nothing is known, or that match up to the last
// letter looked at, are marked in todo and come after all others.
func approxGo(a *approxArgs) {
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
			h := int(m)
			v := h - int(a.k0) - i
			x := load64(pattern, v) ^ load64(text, h)
			for x == 0 {
				v += 8
				h += 8
				x = load64(pattern, v) ^ load64(text, h)
			}
			m = int32(h + bits.TrailingZeros64(x)>>3)
		}
		outM[i] = m
		furthest = max(furthest, m)
	}
	a.furthest = furthest
}
