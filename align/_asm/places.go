package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// codes emits the routine that packs the letters from every letter on into a byte: see align.codesGo.
func codes() {
	const vector = 32
	TEXT("codesAVX2", NOSPLIT, "func(dst, s *byte, n int)")
	Doc("codesAVX2 writes the codes at n letters from s on, rounded up to vectors, to dst: see codesGo.")
	Pragma("noescape")
	dst, s, n, at := Load(Param("dst"), GP64()), Load(Param("s"), GP64()), Load(Param("n"), GP64()), GP64()
	two, t := YMM(), GP32()
	MOVL(U32(6), t)
	VMOVD(t, two.AsX())
	VPBROADCASTB(two.AsX(), two)
	XORQ(at, at)
	CMPQ(at, n)
	JGE(LabelRef("done"))
	Label("loop")
	var code reg.VecVirtual
	for i := range goConst("codeLetters") {
		x := YMM()
		VPAND(Mem{Base: s, Index: at, Scale: 1, Disp: i}, two, x)
		if i == 0 {
			VPSRLW(U8(1), x, x)
			code = x
			continue
		}
		VPSLLW(U8(uint8(2*i-1)), x, x)
		VPOR(x, code, code)
	}
	VMOVDQU(code, Mem{Base: dst, Index: at, Scale: 1})
	ADDQ(Imm(vector), at)
	CMPQ(at, n)
	JLT(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// places emits the routine that looks for two codes: see align.placesGo.
func places() {
	const vector = 32
	TEXT("placesAVX2", NOSPLIT, "func(codes *byte, n, behind int, first, second uint8, out *int32, most int) int")
	Doc("placesAVX2 writes the places of two codes among n to out and returns their number: see placesGo.")
	Pragma("noescape")
	codes, n, at := Load(Param("codes"), GP64()), Load(Param("n"), GP64()), GP64()
	other := Load(Param("behind"), GP64())
	ADDQ(codes, other)
	out, most, count := Load(Param("out"), GP64()), Load(Param("most"), GP64()), GP64()
	broadcast := func(param string) reg.VecVirtual {
		t, v := GP32(), YMM()
		Load(Param(param), t.As8())
		VMOVD(t, v.AsX())
		VPBROADCASTB(v.AsX(), v)
		return v
	}
	first, second := broadcast("first"), broadcast("second")
	XORQ(at, at)
	XORQ(count, count)
	CMPQ(at, n)
	JGE(LabelRef("done"))
	Label("loop")
	var found [2]reg.VecVirtual
	for i := range found {
		x, y := YMM(), YMM()
		VPCMPEQB(Mem{Base: codes, Index: at, Scale: 1, Disp: i * vector}, first, x)
		VPCMPEQB(Mem{Base: other, Index: at, Scale: 1, Disp: i * vector}, second, y)
		VPAND(x, y, x)
		found[i] = x
	}
	any := YMM()
	VPOR(found[0], found[1], any)
	VPTEST(any, any)
	JZ(LabelRef("next"))
	bits, high, place := GP64(), GP64(), GP64()
	VPMOVMSKB(found[0], bits.As32())
	VPMOVMSKB(found[1], high.As32())
	SHLQ(U8(32), high)
	ORQ(high, bits)
	Label("each")
	TZCNTQ(bits, place)
	ADDQ(at, place)
	CMPQ(place, n)
	JGE(LabelRef("done"))
	CMPQ(count, most)
	JGE(LabelRef("done"))
	MOVL(place.As32(), Mem{Base: out, Index: count, Scale: 4})
	INCQ(count)
	BLSRQ(bits, bits)
	JNZ(LabelRef("each"))
	Label("next")
	ADDQ(Imm(2*vector), at)
	CMPQ(at, n)
	JLT(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	Store(count, ReturnIndex(0))
	RET()
}
