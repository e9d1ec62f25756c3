package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// editLetters emits the routines that encode the letters of a pair: see align.editLetters.
func editLetters() {
	const vector = 32
	// The letter of each code, in both halves.
	table := GLOBL("editCodesTable", RODATA|NOPTR)
	codes := goString("editCodes")
	for i := range vector {
		c := byte(0)
		if i%16 < len(codes) {
			c = codes[i%16]
		}
		DATA(i, U8(c))
	}
	reversed := GLOBL("editReversed", RODATA|NOPTR)
	for i := range vector {
		DATA(i, U8(15-i%16))
	}

	// check loads a vector of letters, and collects in bad where they are no letters of the table.
	check := func(src reg.Register, seven, letters, bad reg.VecVirtual) (w, code reg.VecVirtual) {
		w, code = YMM(), YMM()
		expected := YMM()
		VMOVDQU(Mem{Base: src}, w)
		VPSRLW(U8(1), w, code)
		VPAND(seven, code, code)
		VPSHUFB(code, letters, expected)
		VPXOR(w, expected, expected)
		VPOR(expected, bad, bad)
		return w, code
	}
	begin := func() (seven, letters, bad reg.VecVirtual) {
		seven, letters, bad = YMM(), YMM(), YMM()
		t := GP32()
		MOVL(U32(0x07070707), t)
		VMOVD(t, seven.AsX())
		VPBROADCASTD(seven.AsX(), seven)
		VMOVDQU(table, letters)
		VPXOR(bad, bad, bad)
		return
	}
	end := func(bad reg.VecVirtual) {
		result := GP64()
		XORQ(result, result)
		VPTEST(bad, bad)
		SETNE(result.As8())
		Store(result, ReturnIndex(0))
		VZEROUPPER()
		RET()
	}

	TEXT("editPatternAVX2", NOSPLIT, "func(plane0, plane1, plane2 *uint64, src *byte, n int) uint64")
	Doc("editPatternAVX2 writes the planes of n letters, a multiple of 32, and returns 0 if all have codes.")
	Pragma("noescape")
	var planes [3]reg.Register
	for p, name := range []string{"plane0", "plane1", "plane2"} {
		planes[p] = Load(Param(name), GP64())
	}
	src := Load(Param("src"), GP64())
	n := Load(Param("n"), GP64())
	seven, letters, bad := begin()
	Label("vector")
	w, _ := check(src, seven, letters, bad)
	for p, to := range planes {
		b, m := YMM(), GP32()
		VPSLLW(U8(6-p), w, b)
		VPMOVMSKB(b, m)
		MOVL(m, Mem{Base: to})
		ADDQ(I8(vector/8), to)
	}
	ADDQ(I8(vector), src)
	SUBQ(I8(vector), n)
	JNZ(LabelRef("vector"))
	end(bad)

	TEXT("editTextAVX2", NOSPLIT, "func(codes, masks *byte, stride int, src *byte, n int) uint64")
	Doc("editTextAVX2 writes the codes of n letters, a multiple of 32, and, unless masks is nil, their planes",
		"as bytes, back to front from masks on downwards. It returns 0 if all have codes.")
	Pragma("noescape")
	to := Load(Param("codes"), GP64())
	masks := Load(Param("masks"), GP64())
	stride := Load(Param("stride"), GP64())
	src = Load(Param("src"), GP64())
	n = Load(Param("n"), GP64())
	seven, letters, bad = begin()
	back, zero := YMM(), YMM()
	VMOVDQU(reversed, back)
	VPXOR(zero, zero, zero)
	Label("letters")
	w, code := check(src, seven, letters, bad)
	VMOVDQU(code, Mem{Base: to})
	TESTQ(masks, masks)
	JZ(LabelRef("next"))
	VPSHUFB(back, w, w)
	VPERM2I128(U8(1), w, w, w)
	for p := range 3 {
		b := YMM()
		VPSLLW(U8(6-p), w, b)
		VPCMPGTB(b, zero, b) // the sign bit
		at := Mem{Base: masks, Disp: 1 - vector}
		if p > 0 {
			at.Index, at.Scale = stride, uint8(p)
		}
		VMOVDQU(b, at)
	}
	SUBQ(I8(vector), masks)
	Label("next")
	ADDQ(I8(vector), to)
	ADDQ(I8(vector), src)
	SUBQ(I8(vector), n)
	JNZ(LabelRef("letters"))
	end(bad)
}
