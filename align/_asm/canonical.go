package main

import (
	"log"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// canonical emits the routine that copies n bytes in upper case with U as T between sentinels, and
// tells of bytes that are sentinels: see align.canonicalGo. The last vector overlaps the one before.
func canonical() {
	vector := uint64(goConst("canonicalVector"))
	if goConst("patternEnd") != 0 || goConst("textEnd") != 0xFF {
		log.Fatal("canonical compares with 0x00 and 0xFF")
	}
	TEXT("canonicalAVX2", NOSPLIT, "func(dst, src *byte, n int, pad *byte) uint32")
	Doc("canonicalAVX2 writes the bytes of pad, the canonical form of n bytes, n at least 32, and pad again, and returns non-zero if one of them is 0x00 or 0xFF.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	pad, size := Load(Param("pad"), GP64()), goConst("seqPad")
	sentinels := func(to Mem) {
		for i := 0; i < size; i += int(vector) {
			s := YMM()
			VMOVDQU(Mem{Base: pad, Disp: i}, s)
			VMOVDQU(s, to.Offset(i))
		}
	}
	sentinels(Mem{Base: dst})
	sentinels(Mem{Base: dst, Index: n, Scale: 1, Disp: size})

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

	at, last := GP64(), GP64()
	XORQ(at, at)
	LEAQ(Mem{Base: n, Disp: -int(vector)}, last)
	Label("loop")
	b, m, t := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: src, Index: at, Scale: 1}, b)
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
	VMOVDQU(b, Mem{Base: dst, Index: at, Scale: 1, Disp: size})
	ADDQ(Imm(vector), at)
	CMPQ(at, last)
	JLE(LabelRef("loop"))
	CMPQ(at, n)
	JEQ(LabelRef("done"))
	MOVQ(last, at)
	JMP(LabelRef("loop"))

	Label("done")
	r := GP32()
	VPMOVMSKB(bad, r)
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}
