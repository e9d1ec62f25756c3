package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	computeDoc     = "computes and extends one wavefront: see computeGo."
	computeLongDoc = "computes and extends one wavefront: see computeLongGo."
)

// computeFrame keeps in registers what every vector needs; the rows' addresses are loaded from
// the arguments once a vector.
type computeFrame struct {
	args, outM, i reg.GPVirtual
}

func loadComputeFrame() computeFrame {
	f := computeFrame{args: Load(Param("args"), GP64()).(reg.GPVirtual), outM: GP64(), i: GP64()}
	MOVQ(computeArgs.at(f.args, "outM"), f.outM)
	XORQ(f.i, f.i)
	return f
}

// at loads the address of a row and gives its element i+shift.
func (f computeFrame) at(field string, shift int) Mem {
	base := GP64()
	MOVQ(computeArgs.at(f.args, field), base)
	return Mem{Base: base, Index: f.i, Scale: 4, Disp: 4 * shift}
}

// m gives element i of the M row.
func (f computeFrame) m() Mem { return Mem{Base: f.outM, Index: f.i, Scale: 4} }

// guards writes nulls before and behind the output rows; i is n.
func (f computeFrame) guards(lanes int, outputs []string, store func(Mem)) {
	left, j, right := GP64(), GP64(), GP64() // left and right are at least one vector
	MOVLQSX(computeArgs.at(f.args, "left"), left)
	MOVLQSX(computeArgs.at(f.args, "right"), right)
	each := func(i reg.GPVirtual) {
		for _, out := range outputs {
			base := GP64()
			MOVQ(computeArgs.at(f.args, out), base)
			store(Mem{Base: base, Index: i, Scale: 4})
		}
	}
	XORQ(j, j)
	SUBQ(left, j)
	Label("before")
	each(j)
	ADDQ(U8(lanes), j)
	JNZ(LabelRef("before"))
	ADDQ(f.i, right)
	Label("behind")
	each(f.i)
	ADDQ(U8(lanes), f.i)
	CMPQ(f.i, right)
	JLT(LabelRef("behind"))
}

func iota32(name string, n int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < n; i++ {
		DATA(4*i, U32(i))
	}
	return m
}

// extender returns one for rows that start at the frame's first diagonal.
func (f computeFrame) extender(avx512 bool) extender {
	e := extender{pattern: GP64(), text: GP64(), avx512: avx512}
	first := GP64()
	MOVQ(computeArgs.at(f.args, "pattern"), e.pattern)
	MOVQ(computeArgs.at(f.args, "text"), e.text)
	MOVLQSX(computeArgs.at(f.args, "k0"), first)
	SUBQ(first, e.pattern)
	return e
}

// computeVectors hides what differs between the two register widths.
type computeVectors struct {
	suffix    string
	lanes     int
	lanesName string // of the constants 0, 1, 2, …
	reg       func() reg.VecVirtual
	broadcast func(v int, t reg.GPVirtual, to reg.VecVirtual)
	move      func(from, to Op)
	// inside sets m to null where it lies outside 0 <= h <= tlen or 0 <= v <= plen, stores it,
	// and returns a bit for each lane inside.
	inside func(f computeFrame, m, v, k, plen, tlen, nul reg.VecVirtual) reg.GPVirtual
}

func computeAVX512() computeVectors {
	return computeVectors{
		suffix: "AVX512", lanes: avx512Lanes, lanesName: "lanes32x16", reg: ZMM,
		broadcast: func(v int, t reg.GPVirtual, to reg.VecVirtual) {
			MOVL(I32(v), t)
			VPBROADCASTD(t, to)
		},
		move: func(from, to Op) { VMOVDQU32(from, to) },
		inside: func(f computeFrame, m, v, k, plen, tlen, nul reg.VecVirtual) reg.GPVirtual {
			// Each side is one unsigned comparison.
			VPSUBD(k, m, v)
			in, both := K(), K()
			VPCMPUD(U8(2), tlen, m, in)
			VPCMPUD(U8(2), plen, v, in, both)
			VPBLENDMD(m, nul, both, m)
			VMOVDQU32(m, f.m())
			todo := GP32()
			KMOVW(both, todo)
			return todo
		},
	}
}

func computeAVX2() computeVectors {
	return computeVectors{
		suffix: "AVX2", lanes: avx2Lanes, lanesName: "lanes32x8", reg: YMM,
		broadcast: func(v int, t reg.GPVirtual, to reg.VecVirtual) {
			MOVL(I32(v), t)
			VMOVD(t, to.AsX())
			VPBROADCASTD(to.AsX(), to)
		},
		move: VMOVDQU,
		inside: func(f computeFrame, m, v, k, plen, tlen, nul reg.VecVirtual) reg.GPVirtual {
			// a <= b unsigned is min(a, b) == a
			ok := YMM()
			VPMINUD(tlen, m, ok)
			VPCMPEQD(m, ok, ok)
			VPSUBD(k, m, v)
			w := YMM()
			VPMINUD(plen, v, w)
			VPCMPEQD(v, w, w)
			VPAND(w, ok, ok)
			VPBLENDVB(ok, m, nul, m)
			VMOVDQU(m, f.m())
			todo := GP32()
			VMOVMSKPS(ok, todo)
			return todo
		},
	}
}

// compute emits the routines that compute and extend one wavefront by the recurrences of
// align.computeGo and align.computeLongGo. It returns the numbers of lanes.
func compute(c computeVectors) (lanes Mem) {
	lanes = iota32(c.lanesName, c.lanes)
	c.compute("compute"+c.suffix, computeDoc, lanes, false)
	c.compute("computeLong"+c.suffix, computeLongDoc, lanes, true)
	return lanes
}

func (c computeVectors) compute(name, doc string, lanes Mem, long bool) {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + doc)
	Pragma("noescape")
	f := loadComputeFrame()
	k, step, one, plen, tlen, nul := c.reg(), c.reg(), c.reg(), c.reg(), c.reg(), c.reg()
	t := GP32()
	c.broadcast(c.lanes, t, step)
	c.broadcast(1, t, one)
	c.broadcast(null, t, nul)
	VPBROADCASTD(computeArgs.at(f.args, "patternLen"), plen)
	VPBROADCASTD(computeArgs.at(f.args, "textLen"), tlen)
	VPBROADCASTD(computeArgs.at(f.args, "k0"), k)
	VPADDD(lanes, k, k)
	ext := f.extender(c.lanes == avx512Lanes)

	Label("loop")
	m, v := c.reg(), c.reg()
	gaps := func(suffix string) (ins, del reg.VecVirtual) {
		ins, del = c.reg(), c.reg()
		c.move(f.at("mo"+suffix, 1), ins)
		VPMAXSD(f.at("ins"+suffix, 1), ins, ins)
		c.move(ins, f.at("outIns"+suffix, 0))
		c.move(f.at("mo"+suffix, -1), del)
		VPMAXSD(f.at("del"+suffix, -1), del, del)
		VPADDD(one, del, del)
		c.move(del, f.at("outDel"+suffix, 0))
		return ins, del
	}
	ins, del := gaps("")
	VPADDD(f.at("mx", 0), one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	outputs := []string{"outM", "outIns", "outDel"}
	if long {
		ins, del = gaps("Long")
		VPMAXSD(ins, m, m)
		VPMAXSD(del, m, m)
		outputs = append(outputs, "outInsLong", "outDelLong")
	}
	todo := c.inside(f, m, v, k, plen, tlen, nul)
	CMPL(todo, U32(1<<c.lanes-1))
	JEQ(LabelRef("all"))
	TESTL(todo, todo)
	JZ(LabelRef("next"))
	ext.lanes(todo, f.outM, f.i, "next")
	Label("all")
	ext.all(c.lanes, f.outM, f.i, "next")
	Label("next")
	VPADDD(step, k, k)
	ADDQ(Imm(uint64(c.lanes)), f.i)
	CMPQ(f.i, computeArgs.at(f.args, "n"))
	JLT(LabelRef("loop"))
	f.guards(c.lanes, outputs, func(m Mem) { c.move(nul, m) })
	VZEROUPPER()
	RET()
}
