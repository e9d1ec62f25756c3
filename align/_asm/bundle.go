package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bundle is one routine of bundles: see align.bundleArgs.
type bundle struct {
	*vectors
	rows   int // at a time
	pieces int // costs of gaps with an opening: 0 to 2
	keep   bool
}

func bundles() {
	for _, v := range []*vectors{avx512(), avx2()} {
		for pieces, rows := range [3]int{4, 4, 2} {
			if v.size == 32 {
				rows = min(2, 3-pieces)
			}
			bundle{v, rows, pieces, false}.emit()
			bundle{v, rows, pieces, true}.emit()
		}
	}
}

func (b bundle) name() string {
	n := "bundle" + [3]string{"Linear", "Affine", "Long"}[b.pieces]
	if b.keep {
		n += "Marks"
	}
	return n + b.suffix
}

func (b bundle) wide() bool { return b.size == 64 }

// words is the number of marks of a cell.
func (b bundle) words() int { return max(2, 4*b.pieces) }

// constant returns a vector of a constant: a register, or its place where registers are few.
func (b bundle) constant(name string, base reg.GPVirtual) Op {
	at := Mem{Base: base, Disp: goConst(name) * b.size}
	if !b.wide() {
		return at
	}
	r := b.reg()
	b.load(at, r)
	return r
}

// bundleFrame has the registers of a routine.
type bundleFrame struct {
	pattern, text, state, left, marks, costs reg.GPVirtual
	rows, columns, line                      reg.GPVirtual // line: bytes of a row of marks
	match, mismatch                          Op
	open                                     [2]Op
	extend                                   Op // of the second cost
}

// emit emits the routine.
func (b bundle) emit() {
	TEXT(b.name(), NOSPLIT, "func(args *byte)")
	Doc(b.name() + " computes rows of the matrices of several pairs: see bundleArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	field := func(name string) reg.GPVirtual {
		r := GP64()
		MOVQ(bundleArgs.at(args, name), r)
		return r
	}
	f := bundleFrame{
		pattern: field("pattern"), text: field("text"), state: field("state"), left: field("left"),
		rows: field("rows"), columns: field("columns"),
	}
	costs := field("constants")
	f.match, f.mismatch = b.constant("bundleMatch", costs), b.constant("bundleMismatch", costs)
	if b.pieces > 0 {
		f.open[0] = b.constant("bundleOpen", costs)
	}
	if b.pieces > 1 {
		f.open[1], f.extend = b.constant("bundleOpenLong", costs), b.constant("bundleExtendLong", costs)
	}
	if b.keep {
		f.marks = field("marks")
		f.line = GP64()
		MOVQ(f.columns, f.line)
		IMUL3Q(U32(uint32(b.words()*b.size/8)), f.line, f.line)
	}
	Label("several")
	CMPQ(f.rows, U8(uint8(b.rows)))
	JLT(LabelRef("single"))
	b.line(&f, b.rows, "cells")
	SUBQ(U8(uint8(b.rows)), f.rows)
	JMP(LabelRef("several"))
	if b.rows > 1 {
		Label("single")
		TESTQ(f.rows, f.rows)
		JEQ(LabelRef("done"))
		b.line(&f, 1, "cell")
		DECQ(f.rows)
		JMP(LabelRef("single"))
	} else {
		Label("single")
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// bundleRow has the registers of a row: its letters, v, and b of each cost.
type bundleRow struct {
	letters, v reg.VecVirtual
	b          [2]reg.VecVirtual
}

// line emits the code of so many rows at a time.
func (b bundle) line(f *bundleFrame, rows int, label string) {
	line := make([]bundleRow, rows)
	for i := range line {
		r := &line[i]
		r.letters, r.v = b.reg(), b.reg()
		b.load(Mem{Base: f.pattern, Disp: i * b.size}, r.letters)
		VPBROADCASTB(Mem{Base: f.left, Disp: i}, r.v)
		for p := range b.pieces {
			r.b[p] = b.reg()
			VPADDB(f.open[p], r.v, r.b[p])
		}
	}
	text, state, left := GP64(), GP64(), GP64()
	MOVQ(f.text, text)
	MOVQ(f.state, state)
	MOVQ(f.columns, left)
	parts := 1 + b.pieces
	Label(label)
	t, u := b.reg(), b.reg()
	b.load(Mem{Base: text}, t)
	b.load(Mem{Base: state}, u)
	var a [2]reg.VecVirtual
	for p := range b.pieces {
		a[p] = b.reg()
		b.load(Mem{Base: state, Disp: (1 + p) * b.size}, a[p])
	}
	for i := range line {
		u, a = b.cell(f, &line[i], t, u, a, i)
	}
	b.store(u, Mem{Base: state})
	for p := range b.pieces {
		b.store(a[p], Mem{Base: state, Disp: (1 + p) * b.size})
	}
	ADDQ(U8(uint8(b.size)), text)
	ADDQ(U32(uint32(parts*b.size)), state)
	if b.keep {
		ADDQ(U8(uint8(b.words()*b.size/8)), f.marks)
	}
	DECQ(left)
	JNZ(LabelRef(label))
	ADDQ(U32(uint32(rows*b.size)), f.pattern)
	ADDQ(U8(uint8(rows)), f.left)
	if b.keep {
		for range rows - 1 { // the first row is behind it
			ADDQ(f.line, f.marks)
		}
	}
}

// cell emits the code of a cell, of row i of those at a time. It returns u and a of the next row.
func (b bundle) cell(f *bundleFrame, r *bundleRow, t, u reg.VecVirtual, a [2]reg.VecVirtual, i int) (reg.VecVirtual, [2]reg.VecVirtual) {
	// What leads to the cell: insertions and deletions.
	ins, del := []reg.VecVirtual{u}, []reg.VecVirtual{r.v}
	if b.pieces > 0 {
		ins, del = a[:b.pieces], r.b[:b.pieces]
	}
	least := b.reg()
	VPMINSB(ins[0], del[0], least)
	for p := 1; p < b.pieces; p++ {
		VPMINSB(ins[p], least, least)
		VPMINSB(del[p], least, least)
	}
	z := b.reg()
	var mark func(word int, x, y reg.VecVirtual, gap bool)
	at := Mem{Base: f.marks}
	switch {
	case !b.keep || i == 0:
	case i < 3:
		at.Index, at.Scale = f.line, uint8(i)
	default:
		at = Mem{Base: GP64(), Index: f.line, Scale: 1}
		LEAQ(Mem{Base: f.marks, Index: f.line, Scale: 2}, at.Base)
	}
	if b.wide() {
		differ := K()
		VPCMPUB(U8(4), r.letters, t, differ)
		if b.keep {
			VPMINSB(f.mismatch, least, least)
			gaps := K()
			VPCMPB(U8(4), f.mismatch, least, gaps)
			mark = func(word int, x, y reg.VecVirtual, gap bool) {
				k := K()
				if gap {
					VPCMPB(U8(0), x, y, gaps, k)
				} else {
					VPCMPB(U8(0), x, y, k)
				}
				KMOVQ(k, at.Offset(word*b.size/8))
			}
			b.copy(f.match.(reg.VecVirtual), z)
			VMOVDQU8(least, differ, z)
		} else {
			b.copy(f.match.(reg.VecVirtual), z)
			VPMINSB(f.mismatch, least, differ, z)
		}
	} else {
		same := b.reg()
		VPMINSB(f.mismatch, least, least)
		VPCMPEQB(r.letters, t, same)
		VPBLENDVB(same, f.match, least, z)
		if b.keep {
			mismatch := b.reg()
			VPCMPEQB(f.mismatch, least, mismatch)
			mark = func(word int, x, y reg.VecVirtual, gap bool) {
				k, bits := b.reg(), GP32()
				VPCMPEQB(x, y, k)
				if gap {
					VPANDN(k, mismatch, k)
				}
				VPMOVMSKB(k, bits)
				MOVL(bits, at.Offset(word*b.size/8))
			}
		}
	}
	names := [2]string{"", "Long"}
	if b.keep {
		for p := range ins {
			mark(goConst("markIns"+names[p]), ins[p], least, true)
			mark(goConst("markDel"+names[p]), del[p], least, true)
		}
	}
	newU, newV := b.reg(), b.reg()
	VPSUBB(r.v, z, newU)
	VPSUBB(u, z, newV)
	var newA, newB [2]reg.VecVirtual
	for p := range b.pieces {
		open := b.reg()
		VPADDB(f.open[p], z, open)
		for side, gap := range [2]reg.VecVirtual{a[p], r.b[p]} {
			g := b.reg()
			if p == 1 {
				VPADDB(f.extend, gap, g)
				VPMINSB(open, g, g)
			} else {
				VPMINSB(open, gap, g)
			}
			if b.keep {
				name := [2]string{"markIns", "markDel"}[side] + names[p] + "Open"
				mark(goConst(name), open, g, false)
			}
			if side == 0 {
				VPSUBB(r.v, g, g)
				newA[p] = g
			} else {
				VPSUBB(u, g, g)
				newB[p] = g
			}
		}
	}
	b.copy(newV, r.v)
	for p := range b.pieces {
		b.copy(newB[p], r.b[p])
	}
	return newU, newA
}
