package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// ends emits the routine that looks for the ends of diagonals: see align.endsGo. lanes are the
// numbers from 0.
func ends(lanes Mem) {
	const n = 8
	TEXT("endsAVX2", NOSPLIT, "func(row *int32, n, k0, pattern, text int) int")
	Doc("endsAVX2 returns the first block of 8 diagonals of a row, of n from k0 on, of which one has come to its end, or n or more: see endsGo.")
	Pragma("noescape")
	row, count, at := Load(Param("row"), GP64()), Load(Param("n"), GP64()), GP64()
	k, t := GP64(), GP64()
	last, edge, step := YMM(), YMM(), YMM()
	// An offset has come to the end if it is more than the one before the end.
	Load(Param("k0"), k)
	Load(Param("pattern"), t)
	ADDQ(t, k)
	DECQ(k)
	VMOVD(k.As32(), last.AsX())
	VPBROADCASTD(last.AsX(), last)
	VPADDD(lanes, last, last)
	Load(Param("text"), t)
	DECQ(t)
	VMOVD(t.As32(), edge.AsX())
	VPBROADCASTD(edge.AsX(), edge)
	MOVL(U32(n), t.As32())
	VMOVD(t.As32(), step.AsX())
	VPBROADCASTD(step.AsX(), step)
	XORQ(at, at)
	CMPQ(at, count)
	JGE(LabelRef("done"))
	Label("loop")
	end, h := YMM(), YMM()
	VPMINSD(last, edge, end)
	VMOVDQU(Mem{Base: row, Index: at, Scale: 4}, h)
	VPCMPGTD(end, h, h)
	VPTEST(h, h)
	JNZ(LabelRef("done"))
	VPADDD(step, last, last)
	ADDQ(Imm(n), at)
	CMPQ(at, count)
	JLT(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}
