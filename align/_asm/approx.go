package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Byte offsets of the fields of align.approxArgs.
const (
	approxMX, approxMO, approxIns, approxDel = 0, 8, 16, 24
	approxOutM, approxOutIns, approxOutDel   = 32, 40, 48
	approxLast, approxFrom, approxAhead      = 56, 64, 72
	approxTodo, approxN                      = 80, 88
	approxPattern, approxText                = 96, 104
	approxK0, approxFurthest                 = 112, 116
	approxDoc                                = "computes and extends one row of the approximate mode: see approxGo."
)

// approxSlack is how many letters before a cell are looked at along with those
// from it on: other cells of the diagonal may lie there.
const approxSlack = 4

// approxRows are the addresses of the rows, by argument.
type approxRows struct {
	args, i reg.GPVirtual
	rows    map[int]reg.GPVirtual
}

func loadApproxRows() approxRows {
	r := approxRows{Load(Param("args"), GP64()).(reg.GPVirtual), GP64(), map[int]reg.GPVirtual{}}
	for arg := approxMX; arg <= approxAhead; arg += 8 {
		r.rows[arg] = GP64()
		MOVQ(Mem{Base: r.args, Disp: arg}, r.rows[arg])
	}
	XORQ(r.i, r.i)
	return r
}

// at gives element i+shift of a row.
func (r approxRows) at(arg, shift int) Mem {
	return Mem{Base: r.rows[arg], Index: r.i, Scale: 4, Disp: 4 * shift}
}

// approx emits a routine of two passes: vectors does the first, one vector
// after the other, and leaves marks in todo; marked cells are then extended
// one by one. best is the largest offset of the first pass.
func approx(name string, lanes int, vectors func(r approxRows, best reg.GPVirtual)) {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + approxDoc)
	Pragma("noescape")
	r := loadApproxRows()
	best := GP64()
	vectors(r, best)

	load := func(disp int) reg.GPVirtual {
		p := GP64()
		MOVQ(Mem{Base: r.args, Disp: disp}, p)
		return p
	}
	m, from, ahead := r.rows[approxOutM], r.rows[approxFrom], r.rows[approxAhead]
	pattern, text := load(approxPattern), load(approxText)
	k0, word, base := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: r.args, Disp: approxK0}, k0)
	SUBQ(k0, pattern) // adding h and taking off i gives pattern[v]
	reverse := YMM()
	VMOVDQU(reversedBytes(), reverse)

	XORQ(base, base)
	Label("word")
	p := load(approxTodo)
	SHRQ(U8(3), base)
	MOVQ(Mem{Base: p, Index: base, Scale: 1}, word)
	SHLQ(U8(3), base)
	TESTQ(word, word)
	JZ(LabelRef("done"))

	i, h, start, v, bits := GP64(), GP64(), GP64(), GP64(), GP64()
	letters := YMM()
	Label("cell")
	TZCNTQ(word, i)
	ADDQ(base, i)
	MOVLQSX(Mem{Base: m, Index: i, Scale: 4}, h)
	Label("again")
	LEAQ(Mem{Base: h, Disp: -approxSlack}, start)
	MOVQ(start, v)
	SUBQ(i, v)
	VMOVDQU(Mem{Base: text, Index: start, Scale: 1}, letters)
	VPCMPEQB(Mem{Base: pattern, Index: v, Scale: 1}, letters, letters)
	VPSHUFB(reverse, letters, letters)
	VPMOVMSKB(letters, bits.As32())
	// The shuffle reverses either half; a bit is to be set for letters that
	// differ.
	ROLL(U8(16), bits.As32())
	NOTL(bits.As32())
	MOVL(bits.As32(), v.As32())
	SHLL(U8(approxSlack), v.As32())
	JZ(LabelRef("same"))
	LZCNTL(v.As32(), v.As32())
	ADDQ(v, h)
	MOVL(h.As32(), Mem{Base: m, Index: i, Scale: 4})
	MOVL(start.As32(), Mem{Base: from, Index: i, Scale: 4})
	MOVL(bits.As32(), Mem{Base: ahead, Index: i, Scale: 4})
	CMPQ(h, best)
	CMOVQGT(h, best)
	BLSRQ(word, word)
	JNZ(LabelRef("cell"))
	Label("done")
	ADDQ(Imm(64), base)
	CMPQ(base, Mem{Base: r.args, Disp: approxN})
	JLT(LabelRef("word"))
	MOVL(best.As32(), Mem{Base: r.args, Disp: approxFurthest})
	VZEROUPPER()
	RET()

	Label("same")
	ADDQ(U8(32-approxSlack), h)
	JMP(LabelRef("again"))
}

// reversedBytes turns the bytes of each half around.
func reversedBytes() Mem {
	if reversed.Base == nil {
		reversed = GLOBL("reversedBytes", RODATA|NOPTR)
		for i := range 32 {
			DATA(i, U8(15-i%16))
		}
	}
	return reversed
}

var reversed Mem

func approxAVX512() {
	approx("approxAVX512", 16, func(r approxRows, best reg.GPVirtual) {
		one, zero, most := ZMM(), ZMM(), ZMM()
		t := GP32()
		MOVL(I32(1), t)
		VPBROADCASTD(t, one)
		MOVL(I32(null), t)
		VPBROADCASTD(t, most)
		VPXORD(zero, zero, zero)
		todo := GP64()
		MOVQ(Mem{Base: r.args, Disp: approxTodo}, todo)

		Label("loop")
		last, ins, del, m, open := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
		VMOVDQU32(r.at(approxLast, 0), last)
		VPMINSD(r.at(approxIns, 1), last, ins)
		VPADDD(r.at(approxDel, -1), one, del)
		VPMINSD(last, del, del)
		VPADDD(r.at(approxMX, 0), one, m)
		VMOVDQU32(r.at(approxMO, 0), open)
		VPMAXSD(ins, m, m)
		VPMAXSD(open, ins, ins)
		VMOVDQU32(ins, r.at(approxOutIns, 0))
		VPMAXSD(del, m, m)
		VPMAXSD(open, del, del)
		VMOVDQU32(del, r.at(approxOutDel, 0))
		VPMINSD(last, m, m)

		// Shifts by 32 and more, which are those of cells beyond what was
		// looked at, and, as unsigned numbers, before it, leave nothing.
		by, ahead, n := ZMM(), ZMM(), ZMM()
		VPSUBD(r.at(approxFrom, 0), m, by)
		VMOVDQU32(r.at(approxAhead, 0), ahead)
		VPSLLVD(by, ahead, ahead)
		VPLZCNTD(ahead, n)
		known, mark := K(), K()
		VPTESTMD(ahead, ahead, known)
		VPTESTNMD(ahead, ahead, mark)
		VPCMPD(U8(5), zero, m, mark, mark) // not less than zero
		VPADDD(n, m, known, m)
		VMOVDQU32(m, r.at(approxOutM, 0))
		VPMAXSD(m, most, most)
		KMOVW(mark, Mem{Base: todo})
		ADDQ(U8(2), todo)
		ADDQ(Imm(16), r.i)
		CMPQ(r.i, Mem{Base: r.args, Disp: approxN})
		JLT(LabelRef("loop"))

		y := YMM()
		VEXTRACTI64X4(U8(1), most, y)
		VPMAXSD(y, most.AsY(), y)
		largest(y, best)
	})
}

func approxAVX2() {
	approx("approxAVX2", 8, func(r approxRows, best reg.GPVirtual) {
		one, zero, most, bias, all := YMM(), YMM(), YMM(), YMM(), YMM()
		t := GP32()
		for _, c := range []struct {
			v int
			y reg.VecVirtual
		}{{1, one}, {null, most}, {127 + 30, bias}, {31, all}} {
			MOVL(I32(c.v), t)
			VMOVD(t, c.y.AsX())
			VPBROADCASTD(c.y.AsX(), c.y)
		}
		VPXOR(zero, zero, zero)
		todo := GP64()
		MOVQ(Mem{Base: r.args, Disp: approxTodo}, todo)

		Label("loop")
		last, ins, del, m, open := YMM(), YMM(), YMM(), YMM(), YMM()
		VMOVDQU(r.at(approxLast, 0), last)
		VPMINSD(r.at(approxIns, 1), last, ins)
		VPADDD(r.at(approxDel, -1), one, del)
		VPMINSD(last, del, del)
		VPADDD(r.at(approxMX, 0), one, m)
		VMOVDQU(r.at(approxMO, 0), open)
		VPMAXSD(ins, m, m)
		VPMAXSD(open, ins, ins)
		VMOVDQU(ins, r.at(approxOutIns, 0))
		VPMAXSD(del, m, m)
		VPMAXSD(open, del, del)
		VMOVDQU(del, r.at(approxOutDel, 0))
		VPMINSD(last, m, m)

		by, ahead, n, unknown := YMM(), YMM(), YMM(), YMM()
		VPSUBD(r.at(approxFrom, 0), m, by)
		VMOVDQU(r.at(approxAhead, 0), ahead)
		VPSLLVD(by, ahead, ahead)
		VPCMPEQD(zero, ahead, unknown)
		// The number of leading zeros is 31 less the exponent as a floating-point
		// number. Half of it is never negative, and of the lowest bit, which half
		// of it has not, it is known that there are 31. Without bits behind other
		// bits nothing is rounded up.
		VPSRLD(U8(2), ahead, n)
		VPSRLD(U8(1), ahead, ahead)
		VPANDN(ahead, n, n)
		VCVTDQ2PS(n, n)
		VPSRLD(U8(23), n, n)
		VPSUBD(n, bias, n)
		VPMINSD(all, n, n)
		VPANDN(n, unknown, n)
		marks, none := GP32(), GP32()
		VMOVMSKPS(m, none) // negative ones
		VMOVMSKPS(unknown, marks)
		ANDNL(marks, none, marks)
		MOVB(marks.As8(), Mem{Base: todo})
		VPADDD(n, m, m)
		VMOVDQU(m, r.at(approxOutM, 0))
		VPMAXSD(m, most, most)
		INCQ(todo)
		ADDQ(Imm(8), r.i)
		CMPQ(r.i, Mem{Base: r.args, Disp: approxN})
		JLT(LabelRef("loop"))
		largest(most, best)
	})
}

// largest moves the largest of eight signed numbers to a register.
func largest(y reg.VecVirtual, to reg.GPVirtual) {
	x, t := XMM(), XMM()
	VEXTRACTI128(U8(1), y, x)
	VPMAXSD(y.AsX(), x, x)
	VPSHUFD(U8(0x4e), x, t)
	VPMAXSD(t, x, x)
	VPSHUFD(U8(0xb1), x, t)
	VPMAXSD(t, x, x)
	VMOVD(x, to.As32())
	MOVLQSX(to.As32(), to)
}
