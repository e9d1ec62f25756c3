package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow emits the routine that computes and extends wavefronts over the diagonals of one
// register, score after score: see align.narrowArgs.
func narrow(lanes Mem) {
	n := goConst("narrowLanes")
	TEXT("narrowAVX512", NOSPLIT, "func(args *byte)")
	Doc("narrowAVX512 computes wavefronts over a register of diagonals: see narrowArgs.")
	Pragma("noescape")
	// A row holds M, then Ins, then Del.
	insAt, delAt, stride := 4*n, 8*n, 12*n
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	load := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(narrowArgs.at(args, field), r)
		return r
	}
	row, pattern, text := load("row"), load("pattern"), load("text")
	score, stop := load("score"), load("stop")
	first := GP64() // diagonal of lane 0
	MOVLQSX(narrowArgs.at(args, "first"), first)
	k, one, plen, tlen, nul, zero := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, nul)
	VPXORD(zero, zero, zero)
	VPBROADCASTD(narrowArgs.at(args, "patternLen"), plen)
	VPBROADCASTD(narrowArgs.at(args, "textLen"), tlen)
	VPBROADCASTD(narrowArgs.at(args, "first"), k)
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

	ext := extender{pattern: pattern, text: text, letters: YMM()}
	ext.lanes(todo, row, nil, "check")

	Label("check")
	end := GP64()
	MOVQ(narrowArgs.at(args, "end"), end)
	MOVL(Mem{Base: row, Index: end, Scale: 4}, t)
	CMPL(t, narrowArgs.at(args, "textLen"))
	JEQ(LabelRef("done"))
	CMPQ(score, stop)
	JGE(LabelRef("done"))

	INCQ(score)
	ADDQ(I32(stride), row)
	source := func(field string) reg.GPVirtual {
		p := GP64()
		MOVQ(row, p)
		SUBQ(narrowArgs.at(args, field), p)
		return p
	}
	mo, ge, mx := source("open"), source("extend"), source("mismatch")
	open, ins, del, v := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU32(Mem{Base: mo}, open)
	VPMAXSD(Mem{Base: ge, Disp: insAt}, open, ins)
	VALIGND(U8(1), ins, nul, ins) // from the next diagonal
	VMOVDQU32(ins, Mem{Base: row, Disp: insAt})
	VPMAXSD(Mem{Base: ge, Disp: delAt}, open, del)
	VALIGND(U8(n-1), nul, del, del) // from the diagonal before
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
	MOVQ(score, narrowArgs.at(args, "score"))
	VZEROUPPER()
	RET()
}
