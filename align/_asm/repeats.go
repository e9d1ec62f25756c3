package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// repeats emits the routine that looks for words that a text has twice close to each other: see
// align.repeatsGo.
func repeats() {
	TEXT("repeatsAMD64", NOSPLIT, "func(text *byte, n int, last *int32, shift, base, far int, marks *uint64)")
	Doc("repeatsAMD64 marks the words of a text that it has twice at most far letters apart: see repeatsGo.")
	Pragma("noescape")
	text, n, last := Load(Param("text"), GP64()), Load(Param("n"), GP64()), Load(Param("last"), GP64())
	shift := Load(Param("shift"), GP64())
	base, far, marks := Load(Param("base"), GP64()), Load(Param("far"), GP64()), Load(Param("marks"), GP64())
	factor, h := GP64(), GP64()
	MOVQ(U64(goConst("wordFactor")), factor)
	XORQ(h, h)
	Label("loop")
	CMPQ(h, n)
	JGE(LabelRef("done"))
	word, at, prev := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: text, Index: h, Scale: 1}, word)
	IMULQ(factor, word)
	SHRXQ(shift, word, word)
	LEAQ(Mem{Base: base, Index: h, Scale: 1}, at)
	entry := Mem{Base: last, Index: word, Scale: 4}
	MOVLQSX(entry, prev)
	MOVL(at.As32(), entry)
	SUBQ(prev, at)
	CMPQ(at, far)
	JLE(LabelRef("mark"))
	Label("next")
	INCQ(h)
	JMP(LabelRef("loop"))
	Label("mark")
	SUBQ(base, prev)
	BTSQ(h, Mem{Base: marks})
	BTSQ(prev, Mem{Base: marks})
	JMP(LabelRef("next"))
	Label("done")
	RET()
}
