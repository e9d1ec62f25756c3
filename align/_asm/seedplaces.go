package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// seedPlaces emits the routine that looks for the seeds of a pattern: see align.seedArgs.
func seedPlaces() {
	const vector = 32
	TEXT("seedPlacesAVX2", NOSPLIT, "func(args *byte) int")
	Doc("seedPlacesAVX2 writes blocks of places of seeds and returns their number: see seedArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	pointer := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(seedArgs.at(args, field), r)
		return r
	}
	text, seed, n, behind := pointer("text"), pointer("pattern"), pointer("n"), pointer("behind")
	out, seeds := pointer("out"), pointer("seeds")
	at, number, other := GP64(), GP64(), GP64()
	XORQ(number, number)
	LEAQ(Mem{Base: text, Index: behind, Scale: 1}, other)
	Label("seed")
	first, second := YMM(), YMM()
	VPBROADCASTB(Mem{Base: seed}, first)
	VPBROADCASTB(Mem{Base: seed, Index: behind, Scale: 1}, second)
	XORQ(at, at)
	Label("block")
	var bits [2]reg.GPVirtual
	for i := range bits {
		x, y := YMM(), YMM()
		VPCMPEQB(Mem{Base: text, Index: at, Scale: 1, Disp: i * vector}, first, x)
		VPCMPEQB(Mem{Base: other, Index: at, Scale: 1, Disp: i * vector}, second, y)
		VPAND(x, y, x)
		bits[i] = GP64()
		VPMOVMSKB(x, bits[i].As32())
	}
	SHLQ(U8(32), bits[1])
	MOVL(at.As32(), Mem{Base: out}.Offset(seedBlock.offsets["at"]))
	MOVL(number.As32(), Mem{Base: out}.Offset(seedBlock.offsets["seed"]))
	// A block without places is overwritten by the next one.
	some := GP64()
	XORQ(some, some)
	ORQ(bits[1], bits[0])
	SETNE(some.As8())
	MOVQ(bits[0], Mem{Base: out}.Offset(seedBlock.offsets["places"]))
	SHLQ(U8(4), some)
	ADDQ(some, out)
	ADDQ(Imm(2*vector), at)
	CMPQ(at, n)
	JLT(LabelRef("block"))
	MOVQ(seedArgs.at(args, "stride"), at)
	ADDQ(at, seed)
	MOVQ(seedArgs.at(args, "shift"), at)
	ADDQ(at, text)
	ADDQ(at, other)
	INCQ(number)
	CMPQ(number, seeds)
	JLT(LabelRef("seed"))
	VZEROUPPER()
	MOVQ(seedArgs.at(args, "out"), at)
	SUBQ(at, out)
	SHRQ(U8(4), out)
	Store(out, ReturnIndex(0))
	RET()
}
