package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// words emits the routine that looks for two words at every letter: see align.wordsGo.
func words() {
	block := goConst("wordsBlock")
	TEXT("wordsAVX2", NOSPLIT, "func(s *byte, n int, a, b uint64) int")
	Doc("wordsAVX2 returns the first block of 32 letters, of n letters from s on, in which one of two words of eight letters begins, or n or more: see wordsGo.")
	Pragma("noescape")
	s, n, at := Load(Param("s"), GP64()), Load(Param("n"), GP64()), GP64()
	t := GP64()
	a, b := YMM(), YMM()
	Load(Param("a"), t)
	VMOVQ(t, a.AsX())
	VPBROADCASTQ(a.AsX(), a)
	Load(Param("b"), t)
	VMOVQ(t, b.AsX())
	VPBROADCASTQ(b.AsX(), b)
	XORQ(at, at)
	CMPQ(at, n)
	JGE(LabelRef("done"))
	Label("loop")
	first, second := YMM(), YMM()
	for i := range 8 {
		x, y := YMM(), YMM()
		VMOVDQU(Mem{Base: s, Index: at, Scale: 1, Disp: i}, x)
		if i == 0 {
			VPCMPEQQ(x, a, first)
			VPCMPEQQ(x, b, second)
			continue
		}
		VPCMPEQQ(x, a, y)
		VPOR(y, first, first)
		VPCMPEQQ(x, b, x)
		VPOR(x, second, second)
	}
	VPOR(first, second, first)
	VPTEST(first, first)
	JNZ(LabelRef("done"))
	ADDQ(Imm(uint64(block)), at)
	CMPQ(at, n)
	JLT(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}
