package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const adaptiveDoc = "computes and extends rows of an adaptive band: see adaptiveGo."

// slack is how many letters before a cell are compared along with those from it on: other
// cells of the diagonal may lie there.
const slack = 4

// adaptiveRows are the addresses of the rows of a score, by argument, outIns and outDel besides.
type adaptiveRows struct {
	args, i reg.GPVirtual
	rows    map[string]reg.GPVirtual
}

// at gives element i+shift of a row.
func (r adaptiveRows) at(field string, shift int) Mem {
	return Mem{Base: r.rows[field], Index: r.i, Scale: 4, Disp: 4 * shift}
}

// adaptiveRoutine begins a routine, whose scores each take two passes. The first is over vectors
// and lists cells that are not extended yet, the second, of finish, over these. One
// loop for all of them ends, and is mispredicted, but once.
func adaptiveRoutine(name string) adaptiveRows {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + adaptiveDoc)
	Pragma("noescape")
	r := adaptiveRows{args: Load(Param("args"), GP64()).(reg.GPVirtual), i: GP64()}
	t := GP64()
	XORQ(t, t)
	MOVQ(t, r.arg("done"))
	MOVQ(t, r.arg("offset"))
	MOVL(I32(null), t.As32())
	MOVL(t.As32(), r.arg("furthest"))
	return r
}

// begin begins a score.
func (r *adaptiveRows) begin() {
	Label("score")
	r.rows = map[string]reg.GPVirtual{}
	offset, in, out := r.load("offset"), r.load("in"), r.load("out")
	for _, field := range []string{"mx", "mo", "outM"} {
		r.rows[field] = r.load(field)
		ADDQ(offset, r.rows[field])
	}
	for _, field := range []string{"ins", "del"} {
		p, q := r.load(field), GP64()
		LEAQ(Mem{Base: p, Index: out, Scale: 1}, q)
		ADDQ(in, p)
		r.rows[field] = p
		r.rows["out"+strings.ToUpper(field[:1])+field[1:]] = q
	}
	for _, field := range []string{"last", "from", "ahead"} {
		r.rows[field] = r.load(field)
	}
	XORQ(r.i, r.i)
}

func (r adaptiveRows) arg(field string) Mem { return adaptiveArgs.at(r.args, field) }

// load loads an argument.
func (r adaptiveRows) load(field string) reg.GPVirtual {
	p := GP64()
	MOVQ(r.arg(field), p)
	return p
}

// recurrence makes the gap states of a vector of diagonals and what the gaps of
// a later score come from, stores that, and returns M before it is extended.
func (r adaptiveRows) recurrence(one reg.VecVirtual, vector func() reg.VecVirtual, move func(from, to Op)) (m reg.VecVirtual) {
	last, ins, del, m, open := vector(), vector(), vector(), vector(), vector()
	move(r.at("last", 0), last)
	VPMINSD(r.at("ins", 1), last, ins)
	VPADDD(r.at("del", -1), one, del)
	VPMINSD(last, del, del)
	VPADDD(r.at("mx", 0), one, m)
	move(r.at("mo", 0), open)
	VPMAXSD(ins, m, m)
	VPMAXSD(open, ins, ins)
	move(ins, r.at("outIns", 0))
	VPMAXSD(del, m, m)
	VPMAXSD(open, del, del)
	move(del, r.at("outDel", 0))
	VPMINSD(last, m, m)
	return m
}

func adaptiveAVX512() {
	r := adaptiveRoutine("adaptiveAVX512")
	one, zero, most := ZMM(), ZMM(), ZMM()
	t := GP32()
	MOVL(I32(1), t)
	VPBROADCASTD(t, one)
	MOVL(I32(null), t)
	VPBROADCASTD(t, most)
	VPXORD(zero, zero, zero)
	index, step, lanes := ZMM(), ZMM(), iota32("lanesAdaptive", avx512Lanes)
	MOVL(I32(avx512Lanes), t)
	VPBROADCASTD(t, step)

	r.begin()
	// Marked cells are listed by their index.
	todo := r.load("todo")
	VMOVDQU32(lanes, index)
	Label("loop")
	m := r.recurrence(one, ZMM, func(from, to Op) { VMOVDQU32(from, to) })

	// A cell beyond the letters compared shifts by 32 or more, and so, as an unsigned number,
	// does one before them: the result is 0.
	by, ahead, n := ZMM(), ZMM(), ZMM()
	VPSUBD(r.at("from", 0), m, by)
	VMOVDQU32(r.at("ahead", 0), ahead)
	VPSLLVD(by, ahead, ahead)
	VPLZCNTD(ahead, n)
	known, mark := K(), K()
	VPTESTMD(ahead, ahead, known)
	VPTESTNMD(ahead, ahead, mark)
	VPCMPD(U8(5), zero, m, mark, mark) // not less than zero
	VPADDD(n, m, known, m)
	VMOVDQU32(m, r.at("outM", 0))
	VPMAXSD(m, most, most)
	list, count := ZMM(), GP64()
	VPCOMPRESSD_Z(index, mark, list)
	VMOVDQU32(list, Mem{Base: todo})
	KMOVW(mark, count.As32())
	POPCNTL(count.As32(), count.As32())
	LEAQ(Mem{Base: todo, Index: count, Scale: 4}, todo)
	VPADDD(step, index, index)
	ADDQ(Imm(uint64(avx512Lanes)), r.i)
	CMPQ(r.i, r.arg("n"))
	JLT(LabelRef("loop"))

	r.finish(todo, func(best reg.GPVirtual) {
		y := YMM()
		VEXTRACTI64X4(U8(1), most, y)
		VPMAXSD(y, most.AsY(), y)
		largest(y, best)
	})
}

func adaptiveAVX2() {
	r := adaptiveRoutine("adaptiveAVX2")
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
	index, step := YMM(), YMM()
	MOVL(U32(uint32(avx2Lanes)), t)
	VMOVD(t, step.AsX())
	VPBROADCASTD(step.AsX(), step)
	bits := setBits()

	r.begin()
	todo, numbers := r.load("todo"), GP64()
	LEAQ(bits, numbers)
	VPXOR(index, index, index)
	Label("loop")
	m := r.recurrence(one, YMM, VMOVDQU)

	by, ahead, n, unknown := YMM(), YMM(), YMM(), YMM()
	VPSUBD(r.at("from", 0), m, by)
	VMOVDQU(r.at("ahead", 0), ahead)
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
	VMOVDQU(m, r.at("outM", 0))
	VPMAXSD(m, most, most)
	ADDQ(Imm(uint64(avx2Lanes)), r.i)
	CMPQ(r.i, r.arg("n"))
	JLT(LabelRef("loop"))
	r.finish(todo, func(best reg.GPVirtual) { largest(most, best) })
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
