package align

import "unsafe"

// null is the offset of a cell that no alignment reaches. It is far enough below
// zero that adding one per step never makes it a real offset, and far enough above
// the smallest int32 that it never wraps.
const null = -1 << 30

// computeArgs describes one step of the recurrence of computeGo (Marco-Sola et al.
// 2021, Equation 1) over n neighbouring diagonals from k0 on. Each pointer is to the
// element of diagonal k0 in its row; mo, ins and del are also read one
// diagonal to either side. n may be rounded up to whole vectors: rows have
// room for that.
type computeArgs struct {
	mx, mo, ins, del        *int32 // M[s-x], M[s-o-e], Ins[s-e], Del[s-e]
	outM, outIns, outDel    *int32 // M, Ins, Del of score s; M before extension
	n                       int
	k0, patternLen, textLen int32
	// left and right are the numbers of nulls to write before and behind the n
	// elements of each output row, whole vectors.
	left, right   int32
	_             int32
	pattern, text *byte // first letters
	// The same of a second cost of gaps, for computeLong alone.
	moLong, insLong, delLong *int32 // M[s-o-e], Ins[s-e], Del[s-e] of that cost
	outInsLong, outDelLong   *int32
}

// computeGo computes one wavefront by the recurrence of gap-affine wavefronts. It
// defines what the assembly computes. For the diagonals k = k0 .. k0+n-1,
//
//	Ins[s,k] = max(M[s-o-e,k+1], Ins[s-e,k+1])        pattern base against a gap
//	Del[s,k] = max(M[s-o-e,k-1], Del[s-e,k-1]) + 1    text base against a gap
//	M[s,k]   = max(M[s-x,k] + 1, Ins[s,k], Del[s,k])
//
// where an M outside 0 <= h <= textLen, 0 <= h-k <= patternLen becomes null,
// then extends the Ms along runs of matches, and surrounds the three rows with
// nulls. Offsets are h. (Ins and Del are in SAM's sense, the paper's D and I.)
func computeGo(a *computeArgs) {
	n := a.n
	// row returns the elements from diagonal k0+shift on. All have the same length: no access
	// needs a check.
	row := func(p *int32, shift int) []int32 {
		return unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(p), 4*shift)), n)
	}
	outM, outIns, outDel := row(a.outM, 0), row(a.outIns, 0), row(a.outDel, 0)
	mx, below, above := row(a.mx, 0), row(a.mo, -1), row(a.mo, 1)
	ins, del := row(a.ins, 1), row(a.del, -1)
	plen, tlen, k := uint32(a.patternLen), uint32(a.textLen), a.k0
	for i := range outM {
		in := max(above[i], ins[i])
		de := max(below[i], del[i]) + 1
		outIns[i], outDel[i] = in, de
		m := max(mx[i]+1, in, de)
		if uint32(m) > tlen || uint32(m-k) > plen {
			m = null
		}
		outM[i] = m
		k++
	}
	extend(outM, int(a.k0), unsafe.Pointer(a.pattern), unsafe.Pointer(a.text))
	for _, out := range [3]*int32{a.outM, a.outIns, a.outDel} {
		guard(out, -int(a.left), 0)
		guard(out, n, n+int(a.right))
	}
}

// computeLongGo computes one wavefront where gaps have two costs: each has its own Ins and Del,
// and M is the furthest of all.
func computeLongGo(a *computeArgs) {
	n := a.n
	mx := unsafe.Slice(a.mx, n)
	around := func(p *int32) []int32 { // one diagonal to either side
		return unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(p), -4)), n+2)
	}
	mo, ins, del := around(a.mo), around(a.ins), around(a.del)
	moLong, insLong, delLong := around(a.moLong), around(a.insLong), around(a.delLong)
	outM, outIns, outDel := unsafe.Slice(a.outM, n), unsafe.Slice(a.outIns, n), unsafe.Slice(a.outDel, n)
	outInsLong, outDelLong := unsafe.Slice(a.outInsLong, n), unsafe.Slice(a.outDelLong, n)
	plen, tlen, k := uint32(a.patternLen), uint32(a.textLen), a.k0
	for i := range outM {
		outIns[i], outDel[i] = max(mo[i+2], ins[i+2]), max(mo[i], del[i])+1
		outInsLong[i], outDelLong[i] = max(moLong[i+2], insLong[i+2]), max(moLong[i], delLong[i])+1
		m := max(mx[i]+1, outIns[i], outDel[i], outInsLong[i], outDelLong[i])
		if uint32(m) > tlen || uint32(m-k) > plen {
			m = null
		}
		outM[i] = m
		k++
	}
	extend(outM, int(a.k0), unsafe.Pointer(a.pattern), unsafe.Pointer(a.text))
	for _, out := range [5]*int32{a.outM, a.outIns, a.outDel, a.outInsLong, a.outDelLong} {
		guard(out, -int(a.left), 0)
		guard(out, n, n+int(a.right))
	}
}

// guard writes null to the elements [from, to) relative to p.
func guard(p *int32, from, to int) {
	g := unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(p), 4*from)), to-from)
	for i := range g {
		g[i] = null
	}
}
