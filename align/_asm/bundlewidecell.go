package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cell emits the code of a cell, of row i of those at a time. It returns H and Ins for the next row.
func (b bundleWide) cell(f *wideFrame, r *wideRow, text reg.GPVirtual, above reg.VecVirtual, ins [2]reg.VecVirtual, column reg.VecVirtual, i int) (reg.VecVirtual, [2]reg.VecVirtual) {
	d := b.reg()
	if b.isAVX512() {
		same := K()
		VPCMPUB(U8(0), Mem{Base: text}, r.letters, same)
		VPADDW(f.equal, r.diagonal, same, r.diagonal)
		VPSUBUSW(f.mismatch, r.diagonal, d)
	} else {
		x, same := XMM(), YMM()
		VPCMPEQB(Mem{Base: text}, r.letters, x)
		VPMOVSXBW(x, same)
		VPAND(f.equal, same, same)
		VPADDW(same, r.diagonal, r.diagonal)
		VPSUBUSW(f.mismatch, r.diagonal, d)
	}
	b.copy(above, r.diagonal)
	gaps := max(1, b.pieces)
	h := b.reg()
	VPMAXUW(ins[0], r.del[0], h)
	for p := 1; p < gaps; p++ {
		VPMAXUW(ins[p], h, h)
		VPMAXUW(r.del[p], h, h)
	}
	VPMAXUW(d, h, h)
	var mark func(word int, x, y reg.VecVirtual, gap bool)
	if b.keep {
		mark = b.marker(f, h, d, i)
	}
	names := [2]string{"", "Long"}
	if b.keep {
		for p := range gaps {
			mark(goConst("markIns"+names[p]), ins[p], h, true)
			mark(goConst("markDel"+names[p]), r.del[p], h, true)
		}
		if b.isAVX512() {
			higher := K()
			VPCMPUW(U8(6), r.most, h, higher)
			VMOVDQU16(column, higher, r.mostFrom)
			VPMAXUW(h, r.most, r.most)
		} else {
			most, same := b.reg(), b.reg()
			VPMAXUW(h, r.most, most)
			VPCMPEQW(most, r.most, same)
			VPBLENDVB(same, r.mostFrom, column, r.mostFrom)
			b.copy(most, r.most)
		}
	} else {
		VPMAXUW(h, r.most, r.most)
	}
	var next [2]reg.VecVirtual
	for p := range gaps {
		open := b.reg()
		VPSUBUSW(f.open[p], h, open)
		if b.pieces == 0 {
			next[0] = open
			b.copy(open, r.del[0])
			continue
		}
		for side, gap := range [2]reg.VecVirtual{ins[p], r.del[p]} {
			g := b.reg()
			VPSUBUSW(f.extend[p], gap, g)
			VPMAXUW(open, g, g)
			if b.keep {
				mark(goConst([2]string{"markIns", "markDel"}[side]+names[p]+"Open"), open, g, false)
			}
			if side == 0 {
				next[p] = g
			} else {
				b.copy(g, r.del[p])
			}
		}
	}
	return h, next
}

// marker returns what emits the code that stores where two vectors are equal; with gap, only where h is
// not d.
func (b bundleWide) marker(f *wideFrame, h, d reg.VecVirtual, i int) func(word int, x, y reg.VecVirtual, gap bool) {
	at := Mem{Base: f.marks}
	if i > 0 {
		at.Index, at.Scale = f.line, uint8(i)
	}
	if b.isAVX512() {
		gaps := K()
		VPCMPUW(U8(4), h, d, gaps)
		return func(word int, x, y reg.VecVirtual, gap bool) {
			k := K()
			if gap {
				VPCMPUW(U8(0), x, y, gaps, k)
			} else {
				VPCMPUW(U8(0), x, y, k)
			}
			KMOVD(k, at.Offset(4*word))
		}
	}
	mismatch := b.reg()
	VPCMPEQW(h, d, mismatch)
	return func(word int, x, y reg.VecVirtual, gap bool) {
		k, bits := b.reg(), GP32()
		VPCMPEQW(x, y, k)
		if gap {
			VPANDN(k, mismatch, k)
		}
		VPMOVMSKB(k, bits)
		MOVL(bits, at.Offset(4*word))
	}
}
