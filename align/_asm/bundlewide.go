package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bundleWide is one routine of wide bundles: see align.bundleWideArgs.
type bundleWide struct {
	*vectors
	rows   int // at a time
	pieces int // costs of gaps with an opening: 0 to 2
	keep   bool
}

func wideBundles() {
	for _, v := range []*vectors{avx512(), avx2()} {
		for pieces, rows := range [3][2]int{{4, 3}, {4, 2}, {2, 2}} {
			if v.size == 32 {
				rows = [3][2]int{{2, 1}, {2, 1}, {1, 1}}[pieces]
			}
			bundleWide{v, rows[0], pieces, false}.emit()
			bundleWide{v, rows[1], pieces, true}.emit()
		}
	}
}

func (b bundleWide) name() string {
	n := "wide" + [3]string{"Linear", "Affine", "Long"}[b.pieces]
	if b.keep {
		n += "Marks"
	}
	return n + b.suffix
}

func (b bundleWide) isAVX512() bool { return b.size == 64 }

// words is the number of marks of a cell, of four bytes each.
func (b bundleWide) words() int { return max(2, 4*b.pieces) }

// wideFrame has the registers of a routine.
type wideFrame struct {
	args, pattern, text, state, left, marks reg.GPVirtual
	rows, columns, number, line, best       reg.GPVirtual // line: bytes of a row of marks
	equal, mismatch, one                    Op
	open, extend                            [2]Op
}

// emit emits the routine.
func (b bundleWide) emit() {
	TEXT(b.name(), NOSPLIT, "func(args *byte)")
	Doc(b.name() + " computes rows of the matrices of several pairs: see bundleWideArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	field := func(name string) reg.GPVirtual {
		r := GP64()
		MOVQ(bundleWideArgs.at(args, name), r)
		return r
	}
	f := wideFrame{
		args: args, pattern: field("pattern"), text: field("text"), state: field("state"), left: field("left"),
		rows: field("rows"), columns: field("columns"), number: field("from"), best: field("best"),
	}
	costs := field("constants")
	constant := func(name string) Op {
		at := Mem{Base: costs, Disp: goConst(name) * b.size}
		if !b.isAVX512() {
			return at
		}
		r := b.reg()
		b.load(at, r)
		return r
	}
	f.equal, f.mismatch = constant("wideEqual"), constant("wideMismatch")
	f.open[0] = constant("wideOpen")
	if b.pieces > 0 {
		f.extend[0] = constant("wideExtend")
	}
	if b.pieces > 1 {
		f.open[1], f.extend[1] = constant("wideOpenLong"), constant("wideExtendLong")
	}
	if b.keep {
		f.one = Mem{Base: costs, Disp: goConst("wideOne") * b.size}
		f.marks = field("marks")
		f.line = GP64()
		IMUL3Q(U32(uint32(b.words()*4)), f.columns, f.line)
	}
	Label("several")
	CMPQ(f.rows, U8(uint8(b.rows)))
	JLT(LabelRef("single"))
	b.line(&f, b.rows, "cells")
	SUBQ(U8(uint8(b.rows)), f.rows)
	JMP(LabelRef("several"))
	Label("single")
	if b.rows > 1 {
		TESTQ(f.rows, f.rows)
		JEQ(LabelRef("done"))
		b.line(&f, 1, "cell")
		DECQ(f.rows)
		JMP(LabelRef("single"))
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// wideRow has the registers of a row: its letters, H of the row and the column before, deletions of each
// cost, and the largest H with its column.
type wideRow struct {
	letters        reg.VecVirtual
	diagonal       reg.VecVirtual
	del            [2]reg.VecVirtual
	most, mostFrom reg.VecVirtual
}

// line emits the code of so many rows at a time.
func (b bundleWide) line(f *wideFrame, rows int, label string) {
	line := make([]wideRow, rows)
	half := b.size / 2
	for i := range line {
		r := &line[i]
		if b.isAVX512() {
			r.letters = YMM()
			VMOVDQU8(Mem{Base: f.pattern, Disp: i * half}, r.letters)
		} else {
			r.letters = XMM()
			VMOVDQU(Mem{Base: f.pattern, Disp: i * half}, r.letters)
		}
		r.diagonal, r.most = b.reg(), b.reg()
		VPBROADCASTW(Mem{Base: f.left, Disp: 2 * i}, r.diagonal)
		edge := b.reg()
		VPBROADCASTW(Mem{Base: f.left, Disp: 2 * (i + 1)}, edge)
		for p := range max(1, b.pieces) {
			r.del[p] = b.reg()
			VPSUBUSW(f.open[p], edge, r.del[p])
		}
		b.zero(r.most)
		if b.keep {
			r.mostFrom = b.reg()
			b.zero(r.mostFrom)
		}
	}
	text, state, left := GP64(), GP64(), GP64()
	MOVQ(f.text, text)
	MOVQ(f.state, state)
	MOVQ(f.columns, left)
	var column reg.VecVirtual
	if b.keep {
		column = b.reg()
		b.zero(column)
	}
	Label(label)
	if b.keep {
		VPADDW(f.one, column, column)
	}
	above := b.reg()
	b.load(Mem{Base: state}, above)
	var ins [2]reg.VecVirtual
	for p := range b.pieces {
		ins[p] = b.reg()
		b.load(Mem{Base: state, Disp: (1 + p) * b.size}, ins[p])
	}
	if b.pieces == 0 {
		ins[0] = b.reg()
		VPSUBUSW(f.open[0], above, ins[0])
	}
	for i := range line {
		above, ins = b.cell(f, &line[i], text, above, ins, column, i)
	}
	b.store(above, Mem{Base: state})
	for p := range b.pieces {
		b.store(ins[p], Mem{Base: state, Disp: (1 + p) * b.size})
	}
	ADDQ(U8(uint8(half)), text)
	ADDQ(U32(uint32((1+b.pieces)*b.size)), state)
	if b.keep {
		ADDQ(U8(uint8(b.words()*4)), f.marks)
	}
	DECQ(left)
	JNZ(LabelRef(label))
	for i := range line {
		b.note(f, &line[i])
	}
	ADDQ(U32(uint32(rows*half)), f.pattern)
	ADDQ(U8(uint8(2*rows)), f.left)
	if b.keep {
		for range rows - 1 { // the first row is behind it
			ADDQ(f.line, f.marks)
		}
	}
}

func (b bundleWide) zero(r reg.VecVirtual) {
	if b.isAVX512() {
		VPXORQ(r, r, r)
	} else {
		VPXOR(r, r, r)
	}
}

// note emits the code that notes the largest H of a row.
func (b bundleWide) note(f *wideFrame, r *wideRow) {
	INCQ(f.number)
	at := func(part int) Mem { return Mem{Base: f.best, Disp: part * b.size} }
	best, most, number := b.reg(), b.reg(), b.reg()
	x := XMM()
	VMOVD(f.number.As32(), x)
	VPBROADCASTW(x, number)
	b.load(at(0), best)
	VPMAXUW(best, r.most, most)
	b.store(most, at(0))
	parts := []reg.VecVirtual{number}
	if b.keep {
		parts = append(parts, r.mostFrom)
	}
	for i, part := range parts {
		b.unless(most, best, part, at(1+i))
	}
}

// unless emits the code that stores v where a and b differ.
func (b bundleWide) unless(x, y, v reg.VecVirtual, at Mem) {
	if b.isAVX512() {
		k := K()
		VPCMPUW(U8(4), x, y, k)
		VMOVDQU16(v, k, at)
		return
	}
	same, old := b.reg(), b.reg()
	VPCMPEQW(x, y, same)
	b.load(at, old)
	VPBLENDVB(same, old, v, old)
	b.store(old, at)
}
