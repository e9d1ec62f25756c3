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
	lanes := iota32("lanesNarrow", 16)
	TEXT("narrowAVX512", NOSPLIT, "func(args *byte)")
	Doc("narrowAVX512 computes wavefronts over 16 diagonals: see narrowArgs.")
	Pragma("noescape")
	// A row holds M, then Ins, then Del.
	const insAt, delAt, stride = 64, 128, 192
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
	k, one, plen, tlen, nul, zero := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, nul)
	VPXORD(zero, zero, zero)
	VPBROADCASTD(Mem{Base: args, Disp: narrowPatternLen}, plen)
	VPBROADCASTD(Mem{Base: args, Disp: narrowTextLen}, tlen)
	VPBROADCASTD(Mem{Base: args, Disp: narrowFirst}, k)
	VPADDD(lanes, k, k)
	// Adding h and taking off the lane gives pattern[v].
	SUBQ(first, pattern)

	in, both := K(), K()
	todo := GP32() // lanes to extend
	m := ZMM()
	VMOVDQU32(Mem{Base: row}, m)
	VPCMPD(U8(5), zero, m, both) // not less than zero
	KMOVW(both, todo)
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
	open, ins, del, v := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU32(Mem{Base: mo}, open)
	VPMAXSD(Mem{Base: ge, Disp: insAt}, open, ins)
	VALIGND(U8(1), ins, nul, ins) // from the next diagonal
	VMOVDQU32(ins, Mem{Base: row, Disp: insAt})
	VPMAXSD(Mem{Base: ge, Disp: delAt}, open, del)
	VALIGND(U8(15), nul, del, del) // from the diagonal before
	VPADDD(one, del, del)
	VMOVDQU32(del, Mem{Base: row, Disp: delAt})
	VPADDD(Mem{Base: mx}, one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	VPSUBD(k, m, v)
	VPCMPUD(U8(2), tlen, m, in)
	VPCMPUD(U8(2), plen, v, in, both)
	VPBLENDMD(m, nul, both, m)
	VMOVDQU32(m, Mem{Base: row})
	KMOVW(both, todo)
	TESTL(todo, todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef("check"))

	Label("done")
	MOVQ(score, Mem{Base: args, Disp: narrowScore})
	VZEROUPPER()
	RET()
}
