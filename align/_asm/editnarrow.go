package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// editNarrow emits the routine that computes and extends wavefronts of edit distance over the
// diagonals of w registers, score after score: see align.editNarrowArgs.
func editNarrow(w int, lanes Mem) {
	n := goConst("narrowLanes")
	name := fmt.Sprintf("editNarrow%dAVX512", w)
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " computes wavefronts of edit distance: see editNarrowArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	load := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(editNarrowArgs.at(args, field), r)
		return r
	}
	row, pattern, text := load("row"), load("pattern"), load("text")
	score, stop := load("score"), load("stop")
	one, plen, tlen, nul, left, step := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, nul)
	MOVL(I32(n), t)
	VPBROADCASTD(t, step)
	VPBROADCASTD(editNarrowArgs.at(args, "patternLen"), plen)
	VPBROADCASTD(editNarrowArgs.at(args, "textLen"), tlen)
	MOVL(stop.As32(), t)
	SUBL(score.As32(), t)
	VPBROADCASTD(t, left)
	// Diagonals, and how far they are from the end diagonal.
	k, beside := make([]reg.VecVirtual, w), make([]reg.VecVirtual, w)
	for i := range w {
		k[i], beside[i] = ZMM(), ZMM()
	}
	end := ZMM()
	VPBROADCASTD(editNarrowArgs.at(args, "first"), k[0])
	VPADDD(lanes, k[0], k[0])
	VPBROADCASTD(editNarrowArgs.at(args, "end"), end)
	VMOVDQU32(lanes, beside[0])
	VPSUBD(end, beside[0], beside[0])
	for i := 1; i < w; i++ {
		VPADDD(step, k[i-1], k[i])
		VPADDD(step, beside[i-1], beside[i])
	}
	for i := range w {
		VPABSD(beside[i], beside[i])
	}
	// Adding h and taking off the lane gives pattern[v].
	first := GP64()
	MOVLQSX(editNarrowArgs.at(args, "first"), first)
	SUBQ(first, pattern)

	m := make([]reg.VecVirtual, w)
	for i := range w {
		m[i] = ZMM()
	}
	todo := GP32() // lanes to extend
	list := func(masks []reg.Register) {
		KMOVW(masks[0], todo)
		for i, mask := range masks[1:] {
			more := GP32()
			KMOVW(mask, more)
			SHLL(U8(n*(i+1)), more)
			ORL(more, todo)
		}
		TESTL(todo, todo)
	}
	var masks []reg.Register
	zero := ZMM()
	VPXORD(zero, zero, zero)
	for i := range w {
		in := K()
		VMOVDQU32(Mem{Base: row, Disp: 4 * n * i}, m[i])
		VPCMPD(U8(5), zero, m[i], in) // not less than zero
		masks = append(masks, in)
	}
	list(masks)
	JZ(LabelRef("check"))

	ext := extender{pattern: pattern, text: text, letters: YMM()}
	ext.lanes(todo, row, nil, "check")

	Label("check")
	at := GP64()
	MOVLQSX(editNarrowArgs.at(args, "end"), at)
	MOVL(Mem{Base: row, Index: at, Scale: 4}, t)
	CMPL(t, editNarrowArgs.at(args, "textLen"))
	JEQ(LabelRef("done"))
	CMPQ(score, stop)
	JGE(LabelRef("done"))

	for i := range w {
		VMOVDQU32(Mem{Base: row, Disp: 4 * n * i}, m[i])
	}
	INCQ(score)
	ADDQ(I32(4*n*w), row)
	VPSUBD(one, left, left)
	masks = nil
	for i := range w {
		above, below := nul, nul // the diagonals beside the register
		if i+1 < w {
			above = m[i+1]
		}
		if i > 0 {
			below = m[i-1]
		}
		ins, del, v := ZMM(), ZMM(), ZMM()
		VALIGND(U8(1), m[i], above, ins)
		VALIGND(U8(n-1), below, m[i], del)
		VPMAXSD(m[i], del, del)
		VPADDD(one, del, del)
		VPMAXSD(ins, del, del)
		VPSUBD(k[i], del, v)
		in := K()
		VPCMPUD(U8(2), tlen, del, in)
		VPCMPUD(U8(2), plen, v, in, in)
		VPCMPD(U8(2), left, beside[i], in, in)
		VPBLENDMD(del, nul, in, del)
		VMOVDQU32(del, Mem{Base: row, Disp: 4 * n * i})
		masks = append(masks, in)
	}
	list(masks)
	JNZ(LabelRef("lane"))
	JMP(LabelRef("check"))

	Label("done")
	MOVQ(score, editNarrowArgs.at(args, "score"))
	VZEROUPPER()
	RET()
}
