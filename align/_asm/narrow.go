package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Byte offsets of the fields of align.narrowArgs.
const (
	narrowRow, narrowPattern, narrowText         = 0, 8, 16
	narrowMismatch, narrowOpen, narrowExtend     = 24, 32, 40
	narrowScore, narrowStop, narrowEnd           = 48, 56, 64
	narrowFirst, narrowPatternLen, narrowTextLen = 72, 76, 80
)

// narrow emits the routine that runs whole wavefronts, extension included, over
// the diagonals of one register: see align.narrowArgs.
func narrow() {
	const w = 1 // registers
	lanes := iota32("lanesNarrow", 16*w)
	TEXT("narrowAVX512", NOSPLIT, "func(args *byte)")
	Doc("narrowAVX512 computes wavefronts over 16 diagonals: see narrowArgs.")
	Pragma("noescape")
	// A row holds M, then Ins, then Del.
	component := 64 * w
	stride := 3 * component
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	load := func(disp int) reg.GPVirtual {
		r := GP64()
		MOVQ(Mem{Base: args, Disp: disp}, r)
		return r
	}
	row, pattern, text := load(narrowRow), load(narrowPattern), load(narrowText)
	score, stop := load(narrowScore), load(narrowStop)
	first := GP64() // diagonal of lane 0
	MOVLQSX(Mem{Base: args, Disp: narrowFirst}, first)
	one, plen, tlen, nul, zero := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, nul)
	VPXORD(zero, zero, zero)
	VPBROADCASTD(Mem{Base: args, Disp: narrowPatternLen}, plen)
	VPBROADCASTD(Mem{Base: args, Disp: narrowTextLen}, tlen)
	k, m := make([]reg.VecVirtual, w), make([]reg.VecVirtual, w)
	for v := range w {
		k[v], m[v] = ZMM(), ZMM()
		VPBROADCASTD(Mem{Base: args, Disp: narrowFirst}, k[v])
		VPADDD(lanes.Offset(64*v), k[v], k[v])
	}
	// Adding h and taking off the lane gives pattern[v].
	SUBQ(first, pattern)

	// collect gathers the lanes to extend, a bit for each.
	todo := GP32()
	collect := func(v int, mask reg.Register) {
		if v == 0 {
			KMOVW(mask, todo)
			return
		}
		more := GP32()
		KMOVW(mask, more)
		SHLL(U8(16*v), more)
		ORL(more, todo)
	}
	in, both := K(), K()
	for v := range w {
		VMOVDQU32(Mem{Base: row, Disp: 64 * v}, m[v])
		VPCMPD(U8(5), zero, m[v], both) // not less than zero
		collect(v, both)
	}
	TESTL(todo, todo)
	JZ(LabelRef("check"))

	ext := extender{pattern: pattern, text: text}
	ext.lanes(todo, row, nil, "check")

	Label("check")
	end := GP64()
	MOVQ(Mem{Base: args, Disp: narrowEnd}, end)
	MOVL(Mem{Base: row, Index: end, Scale: 4}, t)
	CMPL(t, Mem{Base: args, Disp: narrowTextLen})
	JEQ(LabelRef("done"))
	CMPQ(score, stop)
	JGE(LabelRef("done"))

	INCQ(score)
	ADDQ(I32(stride), row)
	source := func(disp int) reg.GPVirtual {
		p := GP64()
		MOVQ(row, p)
		SUBQ(Mem{Base: args, Disp: disp}, p)
		return p
	}
	mo, ge, mx := source(narrowOpen), source(narrowExtend), source(narrowMismatch)
	ins, del := make([]reg.VecVirtual, w), make([]reg.VecVirtual, w)
	for v := range w {
		open := ZMM()
		ins[v], del[v] = ZMM(), ZMM()
		VMOVDQU32(Mem{Base: mo, Disp: 64 * v}, open)
		VPMAXSD(Mem{Base: ge, Disp: component + 64*v}, open, ins[v])
		VPMAXSD(Mem{Base: ge, Disp: 2*component + 64*v}, open, del[v])
	}
	for v := range w {
		next, before := reg.Register(nul), reg.Register(nul)
		if v+1 < w {
			next = ins[v+1]
		}
		VALIGND(U8(1), ins[v], next, ins[v]) // from the next diagonal
		VMOVDQU32(ins[v], Mem{Base: row, Disp: component + 64*v})
		u := w - 1 - v
		if u > 0 {
			before = del[u-1]
		}
		VALIGND(U8(15), before, del[u], del[u]) // from the diagonal before
		VPADDD(one, del[u], del[u])
		VMOVDQU32(del[u], Mem{Base: row, Disp: 2*component + 64*u})
	}
	for v := range w {
		diagonal := ZMM()
		VPADDD(Mem{Base: mx, Disp: 64 * v}, one, m[v])
		VPMAXSD(ins[v], m[v], m[v])
		VPMAXSD(del[v], m[v], m[v])
		VPSUBD(k[v], m[v], diagonal)
		VPCMPUD(U8(2), tlen, m[v], in)
		VPCMPUD(U8(2), plen, diagonal, in, both)
		VPBLENDMD(m[v], nul, both, m[v])
		VMOVDQU32(m[v], Mem{Base: row, Disp: 64 * v})
		collect(v, both)
	}
	TESTL(todo, todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef("check"))

	Label("done")
	MOVQ(score, Mem{Base: args, Disp: narrowScore})
	VZEROUPPER()
	RET()
}
