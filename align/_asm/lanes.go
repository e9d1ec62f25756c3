package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairLanes emits the routine that computes bands of as many pairs as a vector has lanes of 16
// bits: see align.lanesArgs.
func (v *vectors) pairLanes() {
	TEXT("lanes"+v.suffix, NOSPLIT, "func(args *byte)")
	Doc("lanes" + v.suffix + " computes rows of the bands of several pairs: see lanesArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	pointer := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(lanesArgs.at(args, field), r)
		return r
	}
	pattern, text, h, ins := pointer("pattern"), pointer("text"), pointer("h"), pointer("ins")
	rows, width, stride, costs := pointer("rows"), pointer("width"), pointer("stride"), pointer("costs")
	constant := func(name string) reg.VecVirtual {
		r := v.reg()
		v.load(Mem{Base: costs, Disp: goConst(name) * v.size}, r)
		return r
	}
	x, open, extend, null := constant("lanesMismatch"), constant("lanesOpen"), constant("lanesExtend"), constant("lanesNull")
	letters := v.size / 2

	Label("row")
	var p reg.VecVirtual
	if v.size == 64 {
		p = YMM()
		VMOVDQU(Mem{Base: pattern}, p)
	} else {
		p = XMM()
		VMOVDQU(Mem{Base: pattern}, p)
	}
	out, t, e, left := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: h, Index: stride, Scale: 1}, out)
	from, at := GP64(), GP64()
	MOVQ(h, from)
	MOVQ(text, t)
	MOVQ(ins, e)
	MOVQ(width, left)
	XORQ(at, at)
	del, diagonal := v.reg(), v.reg()
	v.copy(null, del)
	v.load(Mem{Base: from}, diagonal)
	Label("cell")
	// Insertions come from the next diagonal of the row before.
	next, g, i := v.reg(), v.reg(), v.reg()
	v.load(Mem{Base: from, Index: at, Scale: 1, Disp: v.size}, next)
	VPADDUSW(open, next, g)
	VPADDUSW(Mem{Base: e, Index: at, Scale: 1, Disp: v.size}, extend, i)
	VPMINUW(g, i, i)
	v.store(i, Mem{Base: e, Index: at, Scale: 1})
	if v.size == 64 {
		differ := K()
		VPCMPUB(U8(4), Mem{Base: t}, p, differ)
		VPADDUSW(x, diagonal, differ, diagonal)
	} else {
		b, w := XMM(), YMM()
		VPCMPEQB(Mem{Base: t}, p, b)
		VPMOVSXBW(b, w)
		VPANDN(x, w, w)
		VPADDUSW(w, diagonal, diagonal)
	}
	VPMINUW(i, diagonal, diagonal)
	c := v.reg()
	VPMINUW(del, diagonal, c)
	v.store(c, Mem{Base: out, Index: at, Scale: 1})
	// A deletion behind another one costs no less than one that is lengthened.
	VPADDUSW(open, diagonal, diagonal)
	VPADDUSW(extend, del, del)
	VPMINUW(diagonal, del, del)
	v.copy(next, diagonal)
	ADDQ(U8(uint8(v.size)), at)
	ADDQ(U8(uint8(letters)), t)
	DECQ(left)
	JNZ(LabelRef("cell"))
	v.store(null, Mem{Base: out, Index: at, Scale: 1})
	MOVQ(out, h)
	ADDQ(U8(uint8(letters)), pattern)
	ADDQ(U8(uint8(letters)), text)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
