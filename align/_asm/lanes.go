package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairLanes emits the routine that computes bands of as many pairs as a vector of AVX2 has bytes: see
// align.lanesArgs.
func pairLanes() {
	v := avx2()
	TEXT("lanesAVX2", NOSPLIT, "func(args *byte)")
	Doc("lanesAVX2 computes rows of the bands of several pairs: see lanesArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	pointer := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(lanesArgs.at(args, field), r)
		return r
	}
	pattern, text, h, ins := pointer("pattern"), pointer("text"), pointer("h"), pointer("ins")
	rows, costs, beside := pointer("rows"), pointer("costs"), pointer("beside")
	field := func(base reg.Register, name string) Mem { return Mem{Base: base, Disp: goConst(name) * v.size} }
	constant := func(name string) reg.VecVirtual {
		r := v.reg()
		v.load(field(costs, name), r)
		return r
	}
	x, insOpen, insExtend := constant("lanesMismatch"), constant("lanesInsOpen"), constant("lanesInsExtend")
	delOpen, delExtend := constant("lanesDelOpen"), constant("lanesDelExtend")
	out, t, left, at := GP64(), GP64(), GP64(), GP64()

	Label("row")
	p := v.reg()
	v.load(Mem{Base: pattern}, p)
	MOVQ(h, out)
	ADDQ(lanesArgs.at(args, "stride"), out)
	MOVQ(text, t)
	MOVQ(lanesArgs.at(args, "width"), left)
	XORQ(at, at)
	state := GP64()
	MOVQ(lanesArgs.at(args, "state"), state)
	// An insertion leads out of the band on the left.
	del, diagonal, g := v.reg(), v.reg(), v.reg()
	v.load(Mem{Base: h}, diagonal)
	VPADDUSB(diagonal, insOpen, g)
	VPADDUSB(Mem{Base: ins}, insExtend, del)
	VPMINUB(g, del, del)
	before := v.beside(field, costs, state, beside, "Left", del)
	VPMINUB(before, del, del)
	VPADDUSB(field(costs, "lanesLeftIn"), del, del)
	Label("cell")
	// Insertions come from the next diagonal of the row before.
	next, i := v.reg(), v.reg()
	g = v.reg()
	v.load(Mem{Base: h, Index: at, Scale: 1, Disp: v.size}, next)
	VPADDUSB(insOpen, next, g)
	VPADDUSB(Mem{Base: ins, Index: at, Scale: 1, Disp: v.size}, insExtend, i)
	VPMINUB(g, i, i)
	v.store(i, Mem{Base: ins, Index: at, Scale: 1})
	w := v.reg()
	VPCMPEQB(Mem{Base: t}, p, w)
	VPANDN(x, w, w)
	VPADDUSB(w, diagonal, diagonal)
	VPMINUB(i, diagonal, diagonal)
	c := v.reg()
	VPMINUB(del, diagonal, c)
	v.store(c, Mem{Base: out, Index: at, Scale: 1})
	// A deletion behind another one costs no less than one that is lengthened.
	VPADDUSB(delOpen, diagonal, diagonal)
	VPADDUSB(delExtend, del, del)
	VPMINUB(diagonal, del, del)
	v.copy(next, diagonal)
	ADDQ(U8(uint8(v.size)), at)
	ADDQ(U8(uint8(v.size)), t)
	DECQ(left)
	JNZ(LabelRef("cell"))
	// A deletion leads out of the band on the right.
	before = v.beside(field, costs, state, beside, "Right", del)
	VPSUBUSB(field(costs, "lanesRightIn"), del, del)
	VPSUBUSB(field(costs, "lanesBeforeIn"), before, before)
	VPMINUB(before, del, del)
	v.store(del, Mem{Base: out, Index: at, Scale: 1})
	MOVQ(out, h)
	ADDQ(U8(uint8(v.size)), pattern)
	ADDQ(U8(uint8(v.size)), text)
	ADDQ(Imm(uint64(goConst("lanesBeside")*v.size)), beside)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// beside goes on to the next row of one side, to which come costs out of the band, and sets cost to the
// least one there but Before, which it returns.
func (v *vectors) beside(field func(reg.Register, string) Mem, costs, state, beside reg.Register, side string, cost reg.VecVirtual) reg.VecVirtual {
	at := func(name string) Mem { return field(state, name+side) }
	inside, before, begin, t := v.reg(), v.reg(), v.reg(), v.reg()
	v.load(at("lanesInSeed"), inside)
	VPMINUB(cost, inside, inside)
	v.load(at("lanesBefore"), before)
	VPADDUSB(field(beside, "lanesSeed"+side), before, before)
	v.copy(inside, cost)
	// Where a seed begins, all move on.
	v.load(field(beside, "lanesBegin"), begin)
	VPOR(begin, inside, t)
	v.store(t, at("lanesInSeed"))
	VPSUBUSB(field(costs, "lanes"+side+"Out"), inside, inside)
	VPCMPEQD(t, t, t)
	VPBLENDVB(begin, inside, t, t)
	VPMINUB(t, before, t)
	v.store(t, at("lanesBefore"))
	return before
}
