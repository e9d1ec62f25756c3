package align

import "unsafe"

// bandGo is the plain version of the band routines, for vectors of lanes lanes.
func bandGo(a *bandArgs, lanes int) { bandSteps(a, lanes, nil) }

// bandSteps is bandGo with a fence, or nil.
func bandSteps(a *bandArgs, lanes int, f *fenceSteps) {
	n := a.vectors * lanes
	slice := func(p *int16) []int16 { return unsafe.Slice(p, n) }
	even, odd, ins, del := slice(a.even), slice(a.odd), slice(a.ins), slice(a.del)
	text := unsafe.Slice(a.text, n+a.steps)
	history := a.history
	// row computes the H of an antidiagonal from the gap states and the H two before.
	row := func(h []int16, text []byte, reverse *byte) {
		for m, c := range unsafe.Slice(reverse, n) {
			d := h[m] + a.match
			if text[m] != c {
				d += a.mismatch
			}
			h[m] = min(d, ins[m], del[m])
		}
		if history != nil {
			copy(unsafe.Slice(history, n), h)
			history = (*int16)(unsafe.Add(unsafe.Pointer(history), a.stride))
		}
	}
	for c := range a.steps {
		reverse := unsafe.Add(unsafe.Pointer(a.reverse), -c)
		out := min(ins[0], even[0]+a.open)
		for m := range n - 1 {
			ins[m] = min(ins[m+1], even[m+1]+a.open)
			del[m] = min(del[m], even[m]+a.open)
		}
		ins[n-1], del[n-1] = f.fromRight(), min(del[n-1], even[n-1]+a.open)
		row(odd, text[c:], (*byte)(reverse))
		in := f.left(c, out)
		out = min(del[n-1], odd[n-1]+a.open)
		for m := n - 1; m > 0; m-- {
			ins[m] = min(ins[m], odd[m]+a.open)
			del[m] = min(del[m-1], odd[m-1]+a.open)
		}
		ins[0], del[0] = min(ins[0], odd[0]+a.open), in
		row(even, text[c:], (*byte)(unsafe.Add(reverse, -1)))
		f.right(c, out)
	}
	for _, s := range [4][]int16{even, odd, ins, del} {
		for m := range s {
			s[m] = min(s[m]+a.add, bandInf)
		}
	}
}

// goBand is for levels without kernels for bands. It is slow.
var goBand = &bandKernels{
	lanes: goBandLanes,
	wide:  func(a *bandArgs) { bandGo(a, goBandLanes) }, wideHistory: func(a *bandArgs) { bandGo(a, goBandLanes) },
}

const goBandLanes = 32
