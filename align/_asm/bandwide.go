package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bandWide emits the routine for a band of any number of vectors: its state lies in memory, one
// vector at a time passes through the registers, and the shifted gap state is carried from one
// vector to the next.
func (v *vectors) bandWide(hist bool) {
	name := "bandWide" + v.suffix
	if hist {
		name = "bandHistoryWide" + v.suffix
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + bandDoc)
	Pragma("noescape")
	f := v.frame(hist)
	even, odd, ins, del := f.pointer("even"), f.pointer("odd"), f.pointer("ins"), f.pointer("del")
	last := f.pointer("vectors") // byte offset of the last vector
	DECQ(last)
	IMUL3Q(U8(v.size), last, last)

	i := GP64()
	at := func(p reg.GPVirtual) Mem { return Mem{Base: p, Index: i, Scale: 1} }
	half := GP64() // i/2: sequences are bytes, states 16-bit
	carry := v.reg()

	step := func(prev, cur reg.GPVirtual, revDisp int, shifted, kept reg.GPVirtual, shift func(v, nb, dst reg.VecVirtual), body string, advance func(string)) {
		v.copy(f.inf, carry)
		Label(body)
		o, s, k, h := v.reg(), v.reg(), v.reg(), v.reg()
		v.load(at(prev), o)
		VPADDW(f.open, o, o)
		VPMINSW(at(shifted), o, s)
		VPMINSW(at(kept), o, k)
		v.store(k, at(kept))
		sh := v.reg()
		shift(s, carry, sh)
		v.copy(s, carry)
		v.store(sh, at(shifted))
		MOVQ(i, half)
		SHRQ(Imm(1), half)
		v.load(at(cur), h)
		v.diagonal(f.x, f.match, h, Mem{Base: f.text, Index: half, Scale: 1}, Mem{Base: f.reverse, Index: half, Scale: 1, Disp: revDisp})
		VPMINSW(sh, h, h)
		VPMINSW(k, h, h)
		v.store(h, at(cur))
		if hist {
			v.store(h, Mem{Base: f.history, Index: i, Scale: 1})
		}
		advance(body)
		if hist {
			ADDQ(f.stride, f.history)
		}
	}

	Label("loop")
	// Odd: Ins of lane m comes from lane m+1: high to low.
	MOVQ(last, i)
	step(even, odd, 0, ins, del, v.down, "odd", func(body string) {
		SUBQ(U8(v.size), i)
		JGE(LabelRef(body))
	})
	// Even: Del of lane m comes from lane m-1: low to high.
	XORQ(i, i)
	step(odd, even, -1, del, ins, v.up, "even", func(body string) {
		ADDQ(U8(v.size), i)
		CMPQ(i, last)
		JLE(LabelRef(body))
	})
	INCQ(f.text)
	DECQ(f.reverse)
	DECQ(f.steps)
	JNZ(LabelRef("loop"))

	add := v.constant("add", f)
	XORQ(i, i)
	Label("settle")
	for _, p := range []reg.GPVirtual{even, odd, ins, del} {
		r := v.reg()
		v.load(at(p), r)
		v.settle(f, add, r)
		v.store(r, at(p))
	}
	ADDQ(U8(v.size), i)
	CMPQ(i, last)
	JLE(LabelRef("settle"))
	VZEROUPPER()
	RET()
}
