package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Truth tables of VPTERNLOG for a in the destination, b and c.
const (
	orXor    = 0xf6 // a | b^c
	norXor   = 0x09 // ^(a | b^c)
	xorOr    = 0xbe // a^b | c
	orNor    = 0xf1 // a | ^(b | c)
	orOfNor  = 0xab // ^(a | b) | c
	orOfBoth = 0xf8 // a | b&c
)

// strips emits routines that advance strips of edit distance, one to a 64-bit lane of registers
// that vector makes.
type strips struct {
	lanes  int
	vector func() reg.VecVirtual
	args   reg.GPVirtual
}

func (s strips) pointer(field string) reg.GPVirtual {
	p := GP64()
	MOVQ(editArgs.at(s.args, field), p)
	return p
}

func (s strips) load(field string) reg.VecVirtual {
	v := s.vector()
	VMOVDQU64(Mem{Base: s.pointer(field)}, v)
	return v
}

func (s strips) store(v reg.VecVirtual, field string) {
	VMOVDQU64(v, Mem{Base: s.pointer(field)})
}

// edit emits a routine: see align.editArgs. With cells it stores the cells of every step, and
// else what tiles of them are computed from.
func (s strips) edit(cells bool) {
	name := fmt.Sprintf("edit%dAVX512", s.lanes)
	if cells {
		name = fmt.Sprintf("editCells%dAVX512", s.lanes)
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " advances strips of edit distance, one to a lane: see editArgs.")
	Pragma("noescape")
	s.args = Load(Param("args"), GP64()).(reg.GPVirtual)
	vp, vn, inP, inN := s.load("vp"), s.load("vn"), s.load("inP"), s.load("inN")
	p0, p1, p2 := s.load("plane0"), s.load("plane1"), s.load("plane2")
	last, fromP, fromN := s.vector(), s.vector(), s.vector()
	VPTERNLOGQ(U8(0xff), last, last, last)
	VPSLLQ(U8(63), last, last)
	tile := tileWords{strips: s}
	kept := s.pointer("kept")
	if cells {
		fromP = last
		VPXORQ(fromN, fromN, fromN)
	} else {
		VPBROADCASTQ(editArgs.at(s.args, "fromP"), fromP)
		VPBROADCASTQ(editArgs.at(s.args, "fromN"), fromN)
		tile.begin(kept, vp, vn, inP, inN)
	}

	text, stride, steps := s.pointer("text"), s.pointer("stride"), s.pointer("steps")
	Label("step")
	eq, t1, t2 := s.vector(), s.vector(), s.vector()
	VPMOVSXBQ(Mem{Base: text}, eq)
	VPMOVSXBQ(Mem{Base: text, Index: stride, Scale: 1}, t1)
	VPMOVSXBQ(Mem{Base: text, Index: stride, Scale: 2}, t2)
	DECQ(text)
	VPXORQ(p0, eq, eq)
	VPTERNLOGQ(U8(orXor), p1, t1, eq)
	VPTERNLOGQ(U8(norXor), p2, t2, eq)
	x, e, d := s.vector(), s.vector(), s.vector()
	VPORQ(vn, eq, x)
	VPORQ(inN, eq, e)
	VPANDQ(vp, e, d)
	VPADDQ(vp, d, d)
	VPTERNLOGQ(U8(xorOr), e, vp, d)
	if cells {
		VPORQ(vn, d, t1)
		VMOVDQU64(t1, Mem{Base: kept})
	}
	hp, hn := d, s.vector()
	VPANDQ(vp, d, hn)
	VPTERNLOGQ(U8(orOfNor), vn, vp, hp)
	if !cells {
		tile.record(last, hp, hn)
	}
	p, n := s.vector(), vp
	VPADDQ(hp, hp, p)
	VPORQ(inP, p, p)
	VPADDQ(hn, hn, n)
	VPORQ(inN, n, n)
	VALIGNQ(U8(s.lanes-1), fromP, hp, inP)
	VPSRLQ(U8(63), inP, inP)
	VALIGNQ(U8(s.lanes-1), fromN, hn, inN)
	VPSRLQ(U8(63), inN, inN)
	VPTERNLOGQ(U8(orNor), p, x, n) // vp
	VPANDQ(p, x, vn)
	if cells {
		VMOVDQU64(vp, Mem{Base: kept, Disp: 8 * s.lanes})
		ADDQ(I32(16*s.lanes), kept)
	} else {
		VPADDQ(fromP, fromP, fromP)
		VPADDQ(fromN, fromN, fromN)
	}
	DECQ(steps)
	JNZ(LabelRef("step"))

	s.store(vp, "vp")
	s.store(vn, "vn")
	if cells {
		// The strip below these takes the last bits.
		for _, in := range []struct {
			out, first reg.VecVirtual
			field      string
		}{{hp, inP, "inP"}, {hn, inN, "inN"}} {
			to := s.pointer(in.field)
			VPSRLQ(U8(63), in.out, in.out)
			VMOVDQU64(in.out, Mem{Base: to, Disp: 8})
			VMOVQ(in.first.AsX(), Mem{Base: to})
		}
	} else {
		s.store(inP, "inP")
		s.store(inN, "inN")
		tile.end(kept)
	}
	VZEROUPPER()
	RET()
}

// tileWords collects the words from which tiles are computed again.
type tileWords struct {
	strips
	firstP, firstN, outP, outN reg.VecVirtual
}

// begin keeps the state before the first step.
func (t *tileWords) begin(kept reg.GPVirtual, vp, vn, inP, inN reg.VecVirtual) {
	t.firstP, t.firstN, t.outP, t.outN = t.vector(), t.vector(), t.vector(), t.vector()
	VPXORQ(t.outP, t.outP, t.outP)
	VPXORQ(t.outN, t.outN, t.outN)
	TESTQ(kept, kept)
	JZ(LabelRef("begin"))
	VMOVDQU64(vp, Mem{Base: kept})
	VMOVDQU64(vn, Mem{Base: kept, Disp: 8 * t.lanes})
	Label("begin")
	VMOVDQA64(inP, t.firstP)
	VMOVDQA64(inN, t.firstN)
}

// record appends the highest bits of hp and hn.
func (t *tileWords) record(last, hp, hn reg.VecVirtual) {
	VPSRLQ(U8(1), t.outP, t.outP)
	VPTERNLOGQ(U8(orOfBoth), last, hp, t.outP)
	VPSRLQ(U8(1), t.outN, t.outN)
	VPTERNLOGQ(U8(orOfBoth), last, hn, t.outN)
}

// end stores what the strips have taken and given, the first step in the lowest bit.
func (t *tileWords) end(kept reg.GPVirtual) {
	rest, by := GP64(), XMM()
	MOVQ(I32(goConst("editSteps")), rest)
	SUBQ(editArgs.at(t.args, "steps"), rest)
	VMOVQ(rest, by)
	VPSRLQ(by, t.outP, t.outP)
	VPSRLQ(by, t.outN, t.outN)
	t.store(t.outP, "outP")
	t.store(t.outN, "outN")
	TESTQ(kept, kept)
	JZ(LabelRef("done"))
	for i, in := range []struct {
		out, first reg.VecVirtual
		from       string
	}{{t.outP, t.firstP, "takenP"}, {t.outN, t.firstN, "takenN"}} {
		v := t.vector()
		VPBROADCASTQ(editArgs.at(t.args, in.from), v)
		VALIGNQ(U8(t.lanes-1), v, in.out, v)
		VPADDQ(v, v, v)
		VPORQ(in.first, v, v)
		VMOVDQU64(v, Mem{Base: kept, Disp: 8 * t.lanes * (2 + i)})
	}
	Label("done")
}
