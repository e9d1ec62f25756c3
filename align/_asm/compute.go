package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Byte offsets of the fields of align.computeArgs.
const (
	argMX, argMO, argIns, argDel     = 0, 8, 16, 24
	argOutM, argOutIns, argOutDel    = 32, 40, 48
	argN                             = 56
	argK0, argPatternLen, argTextLen = 64, 68, 72
	argLeft, argRight                = 76, 80
	argPattern, argText              = 88, 96
)

const computeDoc = "computes and extends one wavefront: see computeGo."

// extender emits the extension of one vector of offsets, lane by lane: almost
// every run is shorter than a word, so a word comparison is one step and the
// lanes overlap in the pipeline. Gathering all lanes is slower.
type extender struct {
	pattern, text reg.GPVirtual
}

// lanes extends the lanes of todo, a bit for each, whose offsets stand at
// row[from]. The register pattern must be such that h minus the index into row
// addresses pattern[v]. Jumps to next when all are done. from may be nil for 0.
func (e extender) lanes(todo reg.Register, row, from reg.Register, next string) {
	j, h, v, x := GP64(), GP64(), GP64(), GP64()
	at := Mem{Base: row, Index: j, Scale: 4}
	Label("lane")
	TZCNTL(todo, j.As32())
	if from != nil {
		ADDQ(from, j)
	}
	MOVLQSX(at, h)
	MOVQ(h, v)
	SUBQ(j, v)
	MOVQ(Mem{Base: e.pattern, Index: v, Scale: 1}, x)
	XORQ(Mem{Base: e.text, Index: h, Scale: 1}, x)
	JZ(LabelRef("same"))
	Label("differ")
	TZCNTQ(x, x)
	SHRQ(U8(3), x)
	ADDQ(x, h)
	MOVL(h.As32(), at)
	BLSRL(todo, todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef(next))
	Label("same")
	ADDQ(U8(8), v)
	ADDQ(U8(8), h)
	MOVQ(Mem{Base: e.pattern, Index: v, Scale: 1}, x)
	XORQ(Mem{Base: e.text, Index: h, Scale: 1}, x)
	JZ(LabelRef("same"))
	JMP(LabelRef("differ"))
}

// null is align.null, the offset of a diagonal that no alignment has reached.
const null = -1 << 30

// computeFrame keeps in registers what every lane needs; the rows' addresses
// are loaded from the arguments once a vector.
type computeFrame struct {
	args, outM, i reg.GPVirtual
}

func loadComputeFrame() computeFrame {
	f := computeFrame{args: Load(Param("args"), GP64()).(reg.GPVirtual), outM: GP64(), i: GP64()}
	MOVQ(Mem{Base: f.args, Disp: argOutM}, f.outM)
	XORQ(f.i, f.i)
	return f
}

// at loads the address of a row and gives its element i+shift.
func (f computeFrame) at(arg, shift int) Mem {
	base := GP64()
	MOVQ(Mem{Base: f.args, Disp: arg}, base)
	return Mem{Base: base, Index: f.i, Scale: 4, Disp: 4 * shift}
}

// m gives element i of the M row.
func (f computeFrame) m() Mem { return Mem{Base: f.outM, Index: f.i, Scale: 4} }

// guards writes nulls before and behind the three output rows; i is n.
func (f computeFrame) guards(lanes int, store func(Mem)) {
	left, j, right := GP64(), GP64(), GP64() // left and right are at least one vector
	MOVLQSX(Mem{Base: f.args, Disp: argLeft}, left)
	MOVLQSX(Mem{Base: f.args, Disp: argRight}, right)
	each := func(i reg.GPVirtual) {
		for _, out := range []int{argOutM, argOutIns, argOutDel} {
			base := GP64()
			MOVQ(Mem{Base: f.args, Disp: out}, base)
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
func (f computeFrame) extender() extender {
	e := extender{pattern: GP64(), text: GP64()}
	first := GP64()
	MOVQ(Mem{Base: f.args, Disp: argPattern}, e.pattern)
	MOVQ(Mem{Base: f.args, Disp: argText}, e.text)
	MOVLQSX(Mem{Base: f.args, Disp: argK0}, first)
	SUBQ(first, e.pattern)
	return e
}

func computeAVX512() {
	lanes := iota32("lanes32x16", 16)
	TEXT("computeAVX512", NOSPLIT, "func(args *byte)")
	Doc("computeAVX512 " + computeDoc)
	Pragma("noescape")
	f := loadComputeFrame()
	k, step, one, plen, tlen, nul := ZMM(), ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	t := GP32()
	for _, c := range []struct {
		v int
		z reg.VecVirtual
	}{{16, step}, {1, one}, {null, nul}} {
		MOVL(I32(c.v), t)
		VPBROADCASTD(t, c.z)
	}
	VPBROADCASTD(Mem{Base: f.args, Disp: argPatternLen}, plen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argTextLen}, tlen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argK0}, k)
	VPADDD(lanes, k, k)
	ext := f.extender()

	Label("loop")
	ins, del, m, v := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU32(f.at(argMO, 1), ins)
	VPMAXSD(f.at(argIns, 1), ins, ins)
	VMOVDQU32(ins, f.at(argOutIns, 0))
	VMOVDQU32(f.at(argMO, -1), del)
	VPMAXSD(f.at(argDel, -1), del, del)
	VPADDD(one, del, del)
	VMOVDQU32(del, f.at(argOutDel, 0))
	VPADDD(f.at(argMX, 0), one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	// Inside the matrix: 0 <= h <= tlen and 0 <= v <= plen, each one unsigned
	// comparison.
	VPSUBD(k, m, v)
	in, both := K(), K()
	VPCMPUD(U8(2), tlen, m, in)
	VPCMPUD(U8(2), plen, v, in, both)
	VPBLENDMD(m, nul, both, m)
	VMOVDQU32(m, f.m())
	todo := GP32()
	KMOVW(both, todo)
	TESTL(todo, todo)
	JZ(LabelRef("next"))
	ext.lanes(todo, f.outM, f.i, "next")
	Label("next")
	VPADDD(step, k, k)
	ADDQ(Imm(16), f.i)
	CMPQ(f.i, Mem{Base: f.args, Disp: argN})
	JLT(LabelRef("loop"))
	f.guards(16, func(m Mem) { VMOVDQU32(nul, m) })
	VZEROUPPER()
	RET()
}

func computeAVX2() {
	lanes := iota32("lanes32x8", 8)
	TEXT("computeAVX2", NOSPLIT, "func(args *byte)")
	Doc("computeAVX2 " + computeDoc)
	Pragma("noescape")
	f := loadComputeFrame()
	k, step, one, plen, tlen, nul := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	t := GP32()
	for _, c := range []struct {
		v int
		y reg.VecVirtual
	}{{8, step}, {1, one}, {null, nul}} {
		MOVL(I32(c.v), t)
		VMOVD(t, c.y.AsX())
		VPBROADCASTD(c.y.AsX(), c.y)
	}
	VPBROADCASTD(Mem{Base: f.args, Disp: argPatternLen}, plen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argTextLen}, tlen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argK0}, k)
	VPADDD(lanes, k, k)
	ext := f.extender()

	Label("loop")
	ins, del, m, v, ok := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVDQU(f.at(argMO, 1), ins)
	VPMAXSD(f.at(argIns, 1), ins, ins)
	VMOVDQU(ins, f.at(argOutIns, 0))
	VMOVDQU(f.at(argMO, -1), del)
	VPMAXSD(f.at(argDel, -1), del, del)
	VPADDD(one, del, del)
	VMOVDQU(del, f.at(argOutDel, 0))
	VPADDD(f.at(argMX, 0), one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	// a <= b unsigned is min(a, b) == a
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
	TESTL(todo, todo)
	JZ(LabelRef("next"))
	ext.lanes(todo, f.outM, f.i, "next")
	Label("next")
	VPADDD(step, k, k)
	ADDQ(Imm(8), f.i)
	CMPQ(f.i, Mem{Base: f.args, Disp: argN})
	JLT(LabelRef("loop"))
	f.guards(8, func(m Mem) { VMOVDQU(nul, m) })
	VZEROUPPER()
	RET()
}
