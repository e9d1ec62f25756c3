package main

import (
	"log"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// canonical emits the routine that copies n bytes in upper case with U as T, and tells of bytes
// that are sentinels: see align.canonicalGo.
func canonical() {
	vector := uint64(goConst("canonicalVector"))
	if goConst("patternEnd") != 0 || goConst("textEnd") != 0xFF {
		log.Fatal("canonical compares with 0x00 and 0xFF")
	}
	TEXT("canonicalAVX2", NOSPLIT, "func(dst, src *byte, n int) uint32")
	Doc("canonicalAVX2 writes the canonical form of n bytes, n a positive multiple of 32, and returns non-zero if one of them is 0x00 or 0xFF.")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())

	broadcast := func(b uint8) Op {
		y := YMM()
		t := GP32()
		MOVL(U32(uint32(b)), t)
		VMOVD(t, y.AsX())
		VPBROADCASTB(y.AsX(), y)
		return y
	}
	beforeA, afterZ := broadcast('a'-1), broadcast('z'+1)
	caseBit, letterU := broadcast(0x20), broadcast('U')
	zero, ones, bad := YMM(), YMM(), YMM()
	VPXOR(zero, zero, zero)
	VPCMPEQB(ones, ones, ones)
	VPXOR(bad, bad, bad)

	Label("loop")
	b, m, t := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: src}, b)
	VPCMPEQB(zero, b, m)
	VPOR(m, bad, bad)
	VPCMPEQB(ones, b, m)
	VPOR(m, bad, bad)
	// lower case letters lose their case bit
	VPCMPGTB(beforeA, b, m)
	VPCMPGTB(b, afterZ, t)
	VPAND(t, m, m)
	VPAND(caseBit, m, m)
	VPSUBB(m, b, b)
	// U - 1 = T; the comparison is -1 where it holds
	VPCMPEQB(letterU, b, m)
	VPADDB(m, b, b)
	VMOVDQU(b, Mem{Base: dst})
	ADDQ(Imm(vector), src)
	ADDQ(Imm(vector), dst)
	SUBQ(Imm(vector), n)
	JNZ(LabelRef("loop"))

	r := GP32()
	VPMOVMSKB(bad, r)
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}
