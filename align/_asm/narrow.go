package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Byte offsets of the fields of align.narrowArgs.
const (
	narrowRow, narrowPattern, narrowText              = 0, 8, 16
	narrowMismatch, narrowOpen, narrowExtend          = 24, 32, 40
	narrowScore, narrowStop, narrowEnd                = 48, 56, 64
	narrowFirst, narrowPatternLen, narrowTextLen      = 72, 76, 80
	narrowStride, narrowIns, narrowDel, narrowLaneLen = 192, 64, 128, 4
)

// narrowAVX512 runs whole wavefronts, extension included, over the 16 diagonals
// of one register: see align.narrowArgs.
func narrowAVX512() {
	lanes := iota32("lanesNarrow", 16)
	TEXT("narrowAVX512", NOSPLIT, "func(args *byte)")
	Doc("narrowAVX512 computes wavefronts over 16 diagonals: see narrowArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	load := func(disp int) reg.GPVirtual {
		r := GP64()
		MOVQ(Mem{Base: args, Disp: disp}, r)
		return r
	}
	row, pattern, text := load(narrowRow), load(narrowPattern), load(narrowText)
	score, stop := load(narrowScore), load(narrowStop)
	mx, mo, ge := load(narrowMismatch), load(narrowOpen), load(narrowExtend)
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
	// pattern - first: adding h and taking off the lane gives pattern[v].
	SUBQ(first, pattern)

	in, both := K(), K()
	todo := GP32()
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
	ADDQ(U8(narrowStride), row)
	p := GP64()
	MOVQ(row, p)
	SUBQ(mo, p)
	open, ins, del := ZMM(), ZMM(), ZMM()
	VMOVDQU32(Mem{Base: p}, open)
	MOVQ(row, p)
	SUBQ(ge, p)
	VPMAXSD(Mem{Base: p, Disp: narrowIns}, open, ins)
	VALIGND(U8(1), ins, nul, ins) // from the next diagonal
	VMOVDQU32(ins, Mem{Base: row, Disp: narrowIns})
	VPMAXSD(Mem{Base: p, Disp: narrowDel}, open, del)
	VALIGND(U8(15), nul, del, del) // from the diagonal before
	VPADDD(one, del, del)
	VMOVDQU32(del, Mem{Base: row, Disp: narrowDel})
	MOVQ(row, p)
	SUBQ(mx, p)
	VPADDD(Mem{Base: p}, one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	vz := ZMM()
	VPSUBD(k, m, vz)
	VPCMPUD(U8(2), tlen, m, in)
	VPCMPUD(U8(2), plen, vz, in, both)
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
