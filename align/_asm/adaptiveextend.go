package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// adaptiveCells extends cells one by one and puts down what it has looked at.
type adaptiveCells struct {
	m, from, ahead, pattern, text reg.GPVirtual
	best                          reg.GPVirtual // the largest offset so far
	reverse                       reg.VecVirtual
}

func (r adaptiveRows) cells(best reg.GPVirtual) adaptiveCells {
	c := adaptiveCells{
		m: r.rows["outM"], from: r.rows["from"], ahead: r.rows["ahead"],
		pattern: r.load("pattern"), text: r.load("text"),
		best: best, reverse: YMM(),
	}
	k0 := GP64()
	MOVLQSX(r.arg("k0"), k0)
	SUBQ(k0, c.pattern) // adding h and taking off i gives pattern[v]
	VMOVDQU(reversedBytes(), c.reverse)
	return c
}

// extend extends cell i. It returns what is to be put elsewhere: what happens,
// seldom, when all letters match.
func (c adaptiveCells) extend(i reg.GPVirtual) (same func()) {
	h, start, v, bits := GP64(), GP64(), GP64(), GP64()
	letters := YMM()
	MOVLQSX(Mem{Base: c.m, Index: i, Scale: 4}, h)
	Label("again")
	LEAQ(Mem{Base: h, Disp: -slack}, start)
	MOVQ(start, v)
	SUBQ(i, v)
	VMOVDQU(Mem{Base: c.text, Index: start, Scale: 1}, letters)
	VPCMPEQB(Mem{Base: c.pattern, Index: v, Scale: 1}, letters, letters)
	VPSHUFB(c.reverse, letters, letters)
	VPMOVMSKB(letters, bits.As32())
	// The shuffle reverses either half; a bit is to be set for letters that
	// differ.
	ROLL(U8(16), bits.As32())
	NOTL(bits.As32())
	MOVL(bits.As32(), v.As32())
	SHLL(U8(slack), v.As32())
	JZ(LabelRef("same"))
	LZCNTL(v.As32(), v.As32())
	ADDQ(v, h)
	MOVL(h.As32(), Mem{Base: c.m, Index: i, Scale: 4})
	MOVL(start.As32(), Mem{Base: c.from, Index: i, Scale: 4})
	MOVL(bits.As32(), Mem{Base: c.ahead, Index: i, Scale: 4})
	CMPQ(h, c.best)
	CMOVQGT(h, c.best)
	return func() {
		Label("same")
		ADDQ(U8(32-slack), h)
		JMP(LabelRef("again"))
	}
}

// finish extends the cells that are listed up to end, and goes on with the next score. After the
// last one it takes the larger of the largest offset of such cells and that of all others.
func (r adaptiveRows) finish(end reg.GPVirtual, others func(to reg.GPVirtual)) {
	best, p, i := GP64(), r.load("todo"), GP64()
	CMPQ(p, end)
	JE(LabelRef("done"))
	MOVLQSX(r.arg("furthest"), best)
	c := r.cells(best)
	Label("cell")
	MOVL(Mem{Base: p}, i.As32())
	same := c.extend(i)
	ADDQ(U8(4), p)
	CMPQ(p, end)
	JNE(LabelRef("cell"))
	MOVL(best.As32(), r.arg("furthest"))
	Label("done")
	INCQ(r.arg("done"))
	lane, h := r.load("end"), GP32()
	TESTQ(lane, lane)
	JL(LabelRef("ahead"))
	MOVL(Mem{Base: r.rows["outM"], Index: lane, Scale: 4}, h)
	CMPL(h, r.arg("textLen"))
	JGE(LabelRef("end"))
	Label("ahead")
	scores := r.load("scores")
	CMPQ(scores, r.arg("done"))
	JE(LabelRef("end"))
	each, step, zero := r.load("each"), r.load("n"), GP64()
	SHLQ(U8(2), step)
	ADDQ(step, r.arg("offset"))
	XORQ(zero, zero)
	for _, field := range []string{"in", "out"} {
		at := r.load(field)
		ADDQ(each, at)
		CMPQ(at, r.arg("ring"))
		CMOVQEQ(zero, at)
		MOVQ(at, r.arg(field))
	}
	JMP(LabelRef("score"))
	Label("end")
	all, listed := GP64(), GP64()
	others(all)
	MOVLQSX(r.arg("furthest"), listed)
	CMPQ(listed, all)
	CMOVQGT(listed, all)
	MOVL(all.As32(), r.arg("furthest"))
	VZEROUPPER()
	RET()
	same()
}

// reversedBytes turns the bytes of each half around.
func reversedBytes() Mem {
	if reversed != nil {
		return *reversed
	}
	m := GLOBL("reversedBytes", RODATA|NOPTR)
	for i := range 32 {
		DATA(i, U8(15-i%16))
	}
	reversed = &m
	return m
}

var reversed *Mem // made once for both routines
