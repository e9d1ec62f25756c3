package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// laneVectors are vectors of lanes of a byte, or of two.
type laneVectors struct {
	*vectors
	words bool
}

// pairLanes emits the routines that compute bands of as many pairs as a vector has lanes: see align.lanesArgs.
func pairLanes() {
	laneVectors{avx2(), false}.emit("lanesAVX2")
	laneVectors{avx2(), true}.emit("lanesWordsAVX2")
	laneVectors{avx512(), true}.emit("lanesWordsAVX512")
}

func (v laneVectors) isAVX512() bool { return v.size == 64 }

// add, subtract and least saturate.
func (v laneVectors) add(a, b, dst Op) { v.choose(VPADDUSB, VPADDUSW, a, b, dst) }

// subtract sets dst to b less a.
func (v laneVectors) subtract(a, b, dst Op) { v.choose(VPSUBUSB, VPSUBUSW, a, b, dst) }

func (v laneVectors) least(a, b, dst Op) {
	if v.words {
		VPMINUW(a, b, dst)
	} else {
		VPMINUB(a, b, dst)
	}
}

func (v laneVectors) choose(bytes, words func(...Op), a, b, dst Op) {
	if v.words {
		words(a, b, dst)
	} else {
		bytes(a, b, dst)
	}
}

// letters loads a letter of each pair.
func (v laneVectors) letters(m Mem) reg.VecVirtual {
	var r reg.VecVirtual
	switch {
	case !v.words:
		r = YMM()
		VMOVDQU(m, r)
	case v.isAVX512():
		r = YMM()
		VMOVDQU8(m, r)
	default:
		r = XMM()
		VMOVDQU(m, r)
	}
	return r
}

// differ adds x to the lanes of h whose letters differ.
func (v laneVectors) differ(text Mem, letters, x, h reg.VecVirtual) {
	switch {
	case v.isAVX512():
		k := K()
		VPCMPUB(U8(4), text, letters, k)
		VPADDUSW(x, h, k, h)
		return
	case v.words:
		b, w := XMM(), YMM()
		VPCMPEQB(text, letters, b)
		VPMOVSXBW(b, w)
		VPANDN(x, w, w)
		VPADDUSW(w, h, h)
	default:
		w := YMM()
		VPCMPEQB(text, letters, w)
		VPANDN(x, w, w)
		VPADDUSB(w, h, h)
	}
}

// orNot sets t to a or not b.
func (v laneVectors) orNot(a, b, t reg.VecVirtual) {
	if v.isAVX512() {
		v.copy(a, t)
		VPTERNLOGD(U8(0xf5), b, t, t) // the first or not the last
		return
	}
	ones := v.reg()
	VPCMPEQD(ones, ones, ones)
	VPANDN(ones, b, t)
	VPOR(a, t, t)
}

func (v laneVectors) or(a, b, t reg.VecVirtual) {
	if v.isAVX512() {
		VPORD(a, b, t)
	} else {
		VPOR(a, b, t)
	}
}

// keep stores the low bytes of c, which are words.
func (v laneVectors) keep(c, low reg.VecVirtual, m Mem) {
	if v.isAVX512() {
		VPMOVWB(c, m)
		return
	}
	t := YMM()
	VPAND(c, low, t)
	high := XMM()
	VEXTRACTI128(U8(1), t, high)
	VPACKUSWB(high, t.AsX(), high)
	VMOVDQU(high, m)
}

// laneFrame has the registers of a routine that all rows use.
type laneFrame struct {
	costs, beside, state reg.Register
}

// field returns the vector of so many of those at base.
func (v laneVectors) field(base reg.Register, name string) Mem {
	return Mem{Base: base, Disp: goConst(name) * v.size}
}

func (v laneVectors) emit(name string) {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " computes rows of the bands of several pairs: see lanesArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	pointer := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(lanesArgs.at(args, field), r)
		return r
	}
	pattern, text, h, ins := pointer("pattern"), pointer("text"), pointer("h"), pointer("ins")
	rows, costs, beside := pointer("rows"), pointer("costs"), pointer("beside")
	constant := func(name string) reg.VecVirtual {
		r := v.reg()
		v.load(v.field(costs, name), r)
		return r
	}
	x, insOpen, insExtend := constant("lanesMismatch"), constant("lanesInsOpen"), constant("lanesInsExtend")
	delOpen, delExtend := constant("lanesDelOpen"), constant("lanesDelExtend")
	out, t, left, at := GP64(), GP64(), GP64(), GP64()
	// The row before, and this one.
	row, low, lanes := h, reg.VecVirtual(nil), v.size
	to := out
	if v.words {
		row, lanes = pointer("row"), v.size/2
		to = row
		if !v.isAVX512() {
			low = YMM()
			VPCMPEQD(low, low, low)
			VPSRLW(U8(8), low, low)
		}
	}

	Label("row")
	p := v.letters(Mem{Base: pattern})
	MOVQ(h, out)
	ADDQ(lanesArgs.at(args, "stride"), out)
	MOVQ(text, t)
	MOVQ(lanesArgs.at(args, "width"), left)
	XORQ(at, at)
	f := laneFrame{costs, beside, GP64()}
	MOVQ(lanesArgs.at(args, "state"), f.state)
	// An insertion leads out of the band on the left.
	del, diagonal, g := v.reg(), v.reg(), v.reg()
	v.load(Mem{Base: row}, diagonal)
	v.add(diagonal, insOpen, g)
	v.add(Mem{Base: ins}, insExtend, del)
	v.least(g, del, del)
	before := v.beside(f, "Left", del)
	v.least(before, del, del)
	v.add(v.field(costs, "lanesLeftIn"), del, del)
	Label("cell")
	// Insertions come from the next diagonal of the row before.
	next, i := v.reg(), v.reg()
	g = v.reg()
	v.load(Mem{Base: row, Index: at, Scale: 1, Disp: v.size}, next)
	v.add(insOpen, next, g)
	v.add(Mem{Base: ins, Index: at, Scale: 1, Disp: v.size}, insExtend, i)
	v.least(g, i, i)
	v.store(i, Mem{Base: ins, Index: at, Scale: 1})
	v.differ(Mem{Base: t}, p, x, diagonal)
	v.least(i, diagonal, diagonal)
	c := v.reg()
	v.least(del, diagonal, c)
	v.store(c, Mem{Base: to, Index: at, Scale: 1})
	if v.words {
		v.keep(c, low, Mem{Base: out})
		ADDQ(U8(uint8(lanes)), out)
	}
	// A deletion behind another one costs no less than one that is lengthened.
	v.add(delOpen, diagonal, diagonal)
	v.add(delExtend, del, del)
	v.least(diagonal, del, del)
	v.copy(next, diagonal)
	ADDQ(U8(uint8(v.size)), at)
	ADDQ(U8(uint8(lanes)), t)
	DECQ(left)
	JNZ(LabelRef("cell"))
	// A deletion leads out of the band on the right.
	before = v.beside(f, "Right", del)
	v.subtract(v.field(costs, "lanesRightIn"), del, del)
	v.subtract(v.field(costs, "lanesBeforeIn"), before, before)
	v.least(before, del, del)
	v.store(del, Mem{Base: to, Index: at, Scale: 1})
	ADDQ(lanesArgs.at(args, "stride"), h)
	ADDQ(U8(uint8(lanes)), pattern)
	ADDQ(U8(uint8(lanes)), text)
	ADDQ(Imm(uint64(goConst("lanesBeside")*v.size)), beside)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// beside goes on to the next row of one side, to which come costs out of the band, and sets cost to the
// least one there but Before, which it returns.
func (v laneVectors) beside(f laneFrame, side string, cost reg.VecVirtual) reg.VecVirtual {
	at := func(name string) Mem { return v.field(f.state, name+side) }
	inside, before, begin, t := v.reg(), v.reg(), v.reg(), v.reg()
	v.load(at("lanesInSeed"), inside)
	v.least(cost, inside, inside)
	v.load(at("lanesBefore"), before)
	v.add(v.field(f.beside, "lanesSeed"+side), before, before)
	v.copy(inside, cost)
	// Where a seed begins, all move on.
	v.load(v.field(f.beside, "lanesBegin"), begin)
	v.or(begin, inside, t)
	v.store(t, at("lanesInSeed"))
	v.subtract(v.field(f.costs, "lanes"+side+"Out"), inside, inside)
	v.orNot(inside, begin, t)
	v.least(t, before, t)
	v.store(t, at("lanesBefore"))
	return before
}
