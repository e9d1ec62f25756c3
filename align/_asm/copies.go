package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// copies emits the routine that looks for eight words, one behind the other, at every shift: see
// align.copiesGo.
func copies() {
	TEXT("copiesAVX2", NOSPLIT, "func(seeds, text *byte, n int) uint32")
	Doc("copiesAVX2 returns a bit for each of eight words of eight letters at seeds that text has, at one of n shifts: see copiesGo.")
	Pragma("noescape")
	seeds, text, n := Load(Param("seeds"), GP64()), Load(Param("text"), GP64()), Load(Param("n"), GP64())
	const half = 32
	low, high := YMM(), YMM()
	VMOVDQU(Mem{Base: seeds}, low)
	VMOVDQU(Mem{Base: seeds, Disp: half}, high)
	foundLow, foundHigh := YMM(), YMM()
	VPXOR(foundLow, foundLow, foundLow)
	VPXOR(foundHigh, foundHigh, foundHigh)
	TESTQ(n, n)
	JLE(LabelRef("done"))
	Label("loop")
	x, y := YMM(), YMM()
	VPCMPEQQ(Mem{Base: text}, low, x)
	VPCMPEQQ(Mem{Base: text, Disp: half}, high, y)
	VPOR(x, foundLow, foundLow)
	VPOR(y, foundHigh, foundHigh)
	INCQ(text)
	DECQ(n)
	JNZ(LabelRef("loop"))
	Label("done")
	bits, more := GP32(), GP32()
	VMOVMSKPD(foundLow, bits)
	VMOVMSKPD(foundHigh, more)
	SHLL(U8(4), more)
	ORL(more, bits)
	VZEROUPPER()
	Store(bits, ReturnIndex(0))
	RET()
}
