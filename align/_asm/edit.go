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
	suffix string
	avx512 bool
	vector func() reg.VecVirtual
	args   reg.GPVirtual
	ones   reg.VecVirtual
	last   Mem // the highest bit of each lane
}

func (s strips) pointer(field string) reg.GPVirtual {
	p := GP64()
	MOVQ(editArgs.at(s.args, field), p)
	return p
}

func (s strips) move(from, to Op) {
	if s.avx512 {
		VMOVDQU64(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

func (s strips) load(field string) reg.VecVirtual {
	v := s.vector()
	s.move(Mem{Base: s.pointer(field)}, v)
	return v
}

func (s strips) store(v reg.VecVirtual, field string) {
	s.move(v, Mem{Base: s.pointer(field)})
}

// or, and and xor are for registers of either size.
func (s strips) or(a, b Op, to reg.VecVirtual)  { s.either(VPORQ, VPOR, a, b, to) }
func (s strips) and(a, b Op, to reg.VecVirtual) { s.either(VPANDQ, VPAND, a, b, to) }
func (s strips) xor(a, b Op, to reg.VecVirtual) { s.either(VPXORQ, VPXOR, a, b, to) }

// either emits the instruction of AVX-512 or the one before it.
func (s strips) either(avx512 func(...Op), before func(_, _, _ Op), a, b, to Op) {
	if s.avx512 {
		avx512(a, b, to)
	} else {
		before(a, b, to)
	}
}

// equal makes the rows whose letter is the text's.
func (s strips) equal(planes [3]Op, text, stride reg.GPVirtual) reg.VecVirtual {
	eq, t := s.vector(), s.vector()
	VPMOVSXBQ(Mem{Base: text}, eq)
	s.xor(planes[0], eq, eq)
	for p := 1; p < 3; p++ {
		VPMOVSXBQ(Mem{Base: text, Index: stride, Scale: uint8(p)}, t)
		switch {
		case s.avx512 && p == 1:
			VPTERNLOGQ(U8(orXor), planes[p], t, eq)
		case s.avx512:
			VPTERNLOGQ(U8(norXor), planes[p], t, eq)
		default:
			VPXOR(planes[p], t, t)
			VPOR(t, eq, eq)
		}
	}
	if !s.avx512 {
		VPXOR(s.ones, eq, eq)
	}
	return eq
}

// xorOr makes d = d^a | b.
func (s strips) xorOr(a, b, d reg.VecVirtual) {
	if s.avx512 {
		VPTERNLOGQ(U8(xorOr), b, a, d)
		return
	}
	VPXOR(a, d, d)
	VPOR(b, d, d)
}

// orNor makes d = d | ^(a | b), and overwrites a if it is no AVX-512.
func (s strips) orNor(a, b, d reg.VecVirtual) {
	if s.avx512 {
		VPTERNLOGQ(U8(orNor), b, a, d)
		return
	}
	VPOR(b, a, a)
	VPXOR(s.ones, a, a)
	VPOR(a, d, d)
}

// orOfNor makes d = ^(d | a) | b.
func (s strips) orOfNor(a, b, d reg.VecVirtual) {
	if s.avx512 {
		VPTERNLOGQ(U8(orOfNor), b, a, d)
		return
	}
	VPOR(a, d, d)
	VPXOR(s.ones, d, d)
	VPOR(b, d, d)
}

// below makes what the lanes take next: the highest bits of the lane before each, of from for
// the first one.
func (s strips) below(h, from, to reg.VecVirtual) {
	s.shift(h, from, to)
	VPSRLQ(U8(63), to, to)
}

// shift moves lanes by one; from fills the first one.
func (s strips) shift(h, from, to reg.VecVirtual) {
	if s.avx512 {
		VALIGNQ(U8(s.lanes-1), from, h, to)
		return
	}
	VPERMQ(U8(0x93), h, to)
	VPBLENDD(U8(3), from, to, to)
}

// edit emits a routine: see align.editArgs. With cells it stores the cells of every step, and
// else what tiles of them are computed from.
func (s strips) edit(cells bool) {
	name := fmt.Sprintf("edit%d%s", s.lanes, s.suffix)
	if cells {
		name = fmt.Sprintf("editCells%d%s", s.lanes, s.suffix)
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " advances strips of edit distance, one to a lane: see editArgs.")
	Pragma("noescape")
	s.args = Load(Param("args"), GP64()).(reg.GPVirtual)
	vp, vn, inP, inN := s.load("vp"), s.load("vn"), s.load("inP"), s.load("inN")
	var planes [3]Op
	for p, field := range []string{"plane0", "plane1", "plane2"} {
		if s.avx512 {
			planes[p] = s.load(field)
		} else { // of 16 registers none is left
			planes[p] = Mem{Base: s.pointer(field)}
		}
	}
	if !s.avx512 {
		s.ones = s.vector()
		VPCMPEQD(s.ones, s.ones, s.ones)
	}
	fromP, fromN := s.vector(), s.vector()
	tile := tileWords{strips: s}
	kept := s.pointer("kept")
	if cells {
		s.move(s.last, fromP)
		s.xor(fromN, fromN, fromN)
	} else {
		VPBROADCASTQ(editArgs.at(s.args, "fromP"), fromP)
		VPBROADCASTQ(editArgs.at(s.args, "fromN"), fromN)
		tile.begin(kept, vp, vn, inP, inN)
	}

	text, stride, steps := s.pointer("text"), s.pointer("stride"), s.pointer("steps")
	Label("step")
	eq := s.equal(planes, text, stride)
	DECQ(text)
	x, e, d := s.vector(), s.vector(), s.vector()
	s.or(inN, eq, e)
	s.or(vn, eq, x)
	s.and(vp, e, d)
	VPADDQ(vp, d, d)
	s.xorOr(vp, e, d)
	if cells {
		t := s.vector()
		s.or(vn, d, t)
		s.move(t, Mem{Base: kept})
	}
	hp, hn := d, s.vector()
	s.and(vp, d, hn)
	s.orOfNor(vp, vn, hp)
	if !cells {
		tile.record(hp, hn)
	}
	p, n := s.vector(), vp
	VPADDQ(hp, hp, p)
	s.or(inP, p, p)
	VPADDQ(hn, hn, n)
	s.or(inN, n, n)
	s.below(hp, fromP, inP)
	s.below(hn, fromN, inN)
	s.and(p, x, vn)
	s.orNor(x, p, n) // vp
	if cells {
		s.move(vp, Mem{Base: kept, Disp: 8 * s.lanes})
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
			s.move(in.out, Mem{Base: to, Disp: 8})
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

// highestBits are those of the lanes of a vector.
func highestBits() Mem {
	m := GLOBL("editHighestBits", RODATA|NOPTR)
	for i := range goConst("editLanes") {
		DATA(8*i, U64(1<<63))
	}
	return m
}
