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

// approxCells extends cells one by one and puts down what it has looked at.
type approxCells struct {
	m, from, ahead, pattern, text reg.GPVirtual
	best                          reg.GPVirtual // the largest offset so far
	reverse                       reg.VecVirtual
}

func (r approxRows) cells(best reg.GPVirtual) approxCells {
	c := approxCells{
		m: r.rows[approxOutM], from: r.rows[approxFrom], ahead: r.rows[approxAhead],
		pattern: r.load(approxPattern), text: r.load(approxText),
		best: best, reverse: YMM(),
	}
	k0 := GP64()
	MOVLQSX(Mem{Base: r.args, Disp: approxK0}, k0)
	SUBQ(k0, c.pattern) // adding h and taking off i gives pattern[v]
	VMOVDQU(reversedBytes(), c.reverse)
	return c
}

// extend extends cell i. It returns what is to be put elsewhere: what happens,
// seldom, when all letters match.
func (c approxCells) extend(i reg.GPVirtual) (same func()) {
	h, start, v, bits := GP64(), GP64(), GP64(), GP64()
	letters := YMM()
	MOVLQSX(Mem{Base: c.m, Index: i, Scale: 4}, h)
	Label("again")
	LEAQ(Mem{Base: h, Disp: -approxSlack}, start)
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
	SHLL(U8(approxSlack), v.As32())
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
		ADDQ(U8(32-approxSlack), h)
		JMP(LabelRef("again"))
	}
}

// approxRoutine begins a routine of two passes. The first is over vectors and
// lists cells that are not extended yet, the second, of finish, over these. One
// loop for all of them ends, and is mispredicted, but once.
func approxRoutine(name string) approxRows {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + approxDoc)
	Pragma("noescape")
	return loadApproxRows()
}

// finish extends the cells that are listed up to end.
func (r approxRows) finish(end, best reg.GPVirtual) {
	c := r.cells(best)
	p, i := r.load(approxTodo), GP64()
	CMPQ(p, end)
	JE(LabelRef("done"))
	Label("cell")
	MOVL(Mem{Base: p}, i.As32())
	same := c.extend(i)
	ADDQ(U8(4), p)
	CMPQ(p, end)
	JNE(LabelRef("cell"))
	Label("done")
	MOVL(best.As32(), Mem{Base: r.args, Disp: approxFurthest})
	VZEROUPPER()
	RET()
	same()
}

// load loads an argument.
func (r approxRows) load(disp int) reg.GPVirtual {
	p := GP64()
	MOVQ(Mem{Base: r.args, Disp: disp}, p)
	return p
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

// recurrence makes the gap states of a vector of diagonals and what the gaps of
// a later score come from, stores that, and returns M before it is extended.
func (r approxRows) recurrence(one reg.VecVirtual, vector func() reg.VecVirtual, move func(from, to Op)) (m reg.VecVirtual) {
	last, ins, del, m, open := vector(), vector(), vector(), vector(), vector()
	move(r.at(approxLast, 0), last)
	VPMINSD(r.at(approxIns, 1), last, ins)
	VPADDD(r.at(approxDel, -1), one, del)
	VPMINSD(last, del, del)
	VPADDD(r.at(approxMX, 0), one, m)
	move(r.at(approxMO, 0), open)
	VPMAXSD(ins, m, m)
	VPMAXSD(open, ins, ins)
	move(ins, r.at(approxOutIns, 0))
	VPMAXSD(del, m, m)
	VPMAXSD(open, del, del)
	move(del, r.at(approxOutDel, 0))
	VPMINSD(last, m, m)
	return m
}

func approxAVX512() {
	r := approxRoutine("approxAVX512")
	one, zero, most := ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, most)
	VPXORD(zero, zero, zero)
	// Marked cells are listed by their index.
	todo, index, step := r.load(approxTodo), ZMM(), ZMM()
	VMOVDQU32(iota32("lanesApprox", 16), index)
	MOVL(I32(16), t)
	VPBROADCASTD(t, step)

	Label("loop")
	m := r.recurrence(one, ZMM, func(from, to Op) { VMOVDQU32(from, to) })

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
	list, count := ZMM(), GP64()
	VPCOMPRESSD_Z(index, mark, list)
	VMOVDQU32(list, Mem{Base: todo})
	KMOVW(mark, count.As32())
	POPCNTL(count.As32(), count.As32())
	LEAQ(Mem{Base: todo, Index: count, Scale: 4}, todo)
	VPADDD(step, index, index)
	ADDQ(Imm(16), r.i)
	CMPQ(r.i, Mem{Base: r.args, Disp: approxN})
	JLT(LabelRef("loop"))

	y := YMM()
	VEXTRACTI64X4(U8(1), most, y)
	VPMAXSD(y, most.AsY(), y)
	best := GP64()
	largest(y, best)

	r.finish(todo, best)
}

func approxAVX2() {
	r := approxRoutine("approxAVX2")
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
	todo, index, step := r.load(approxTodo), YMM(), YMM()
	VPXOR(index, index, index)
	MOVL(U32(8), t)
	VMOVD(t, step.AsX())
	VPBROADCASTD(step.AsX(), step)
	numbers := GP64()
	LEAQ(setBits(), numbers)

	Label("loop")
	m := r.recurrence(one, YMM, VMOVDQU)

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
	// Those that are not negative.
	VPANDN(unknown, m, unknown)
	marks, list := GP64(), YMM()
	VMOVMSKPS(unknown, marks.As32())
	VPMOVZXBD(Mem{Base: numbers, Index: marks, Scale: 8}, list)
	VPADDD(index, list, list)
	VMOVDQU(list, Mem{Base: todo})
	POPCNTL(marks.As32(), marks.As32())
	LEAQ(Mem{Base: todo, Index: marks, Scale: 4}, todo)
	VPADDD(step, index, index)
	VPADDD(n, m, m)
	VMOVDQU(m, r.at(approxOutM, 0))
	VPMAXSD(m, most, most)
	ADDQ(Imm(8), r.i)
	CMPQ(r.i, Mem{Base: r.args, Disp: approxN})
	JLT(LabelRef("loop"))
	best := GP64()
	largest(most, best)

	r.finish(todo, best)
}

// setBits lists, for each number of eight bits, which are set, a byte each.
func setBits() Mem {
	m := GLOBL("setBits", RODATA|NOPTR)
	for b := range 256 {
		var list uint64
		n := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				list |= uint64(i) << (8 * n)
				n++
			}
		}
		DATA(8*b, U64(list))
	}
	return m
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
