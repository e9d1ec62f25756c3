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
)

const computeDoc = "computes one wavefront: see computeGo."

// null is align.null, the offset of a diagonal that no alignment has reached.
const null = -1 << 30

type computeFrame struct {
	mx, mo, ins, del, outM, outIns, outDel, n, i reg.GPVirtual
	args                                         reg.GPVirtual
}

func loadComputeFrame() computeFrame {
	a := Load(Param("args"), GP64()).(reg.GPVirtual)
	f := computeFrame{args: a}
	for _, x := range []struct {
		r   *reg.GPVirtual
		off int
	}{{&f.mx, argMX}, {&f.mo, argMO}, {&f.ins, argIns}, {&f.del, argDel},
		{&f.outM, argOutM}, {&f.outIns, argOutIns}, {&f.outDel, argOutDel}, {&f.n, argN}} {
		*x.r = GP64()
		MOVQ(Mem{Base: a, Disp: x.off}, *x.r)
	}
	f.i = GP64()
	XORQ(f.i, f.i)
	return f
}

// at addresses element i+shift of an int32 array.
func (f computeFrame) at(base reg.GPVirtual, shift int) Mem {
	return Mem{Base: base, Index: f.i, Scale: 4, Disp: 4 * shift}
}

// guards writes nulls before and behind the three output rows.
func (f computeFrame) guards(lanes int, store func(Mem)) {
	left, j, right := GP64(), GP64(), GP64() // left and right are at least one vector
	MOVLQSX(Mem{Base: f.args, Disp: argLeft}, left)
	MOVLQSX(Mem{Base: f.args, Disp: argRight}, right)
	each := func(i reg.GPVirtual) {
		for _, out := range []reg.GPVirtual{f.outM, f.outIns, f.outDel} {
			store(Mem{Base: out, Index: i, Scale: 4})
		}
	}
	XORQ(j, j)
	SUBQ(left, j)
	Label("before")
	each(j)
	ADDQ(U8(lanes), j)
	JNZ(LabelRef("before"))
	ADDQ(f.n, right)
	Label("behind")
	each(f.n)
	ADDQ(U8(lanes), f.n)
	CMPQ(f.n, right)
	JLT(LabelRef("behind"))
}

func iota32(name string, n int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := 0; i < n; i++ {
		DATA(4*i, U32(i))
	}
	return m
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

	Label("loop")
	ins, del, m, v := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU32(f.at(f.mo, 1), ins)
	VPMAXSD(f.at(f.ins, 1), ins, ins)
	VMOVDQU32(ins, f.at(f.outIns, 0))
	VMOVDQU32(f.at(f.mo, -1), del)
	VPMAXSD(f.at(f.del, -1), del, del)
	VPADDD(one, del, del)
	VMOVDQU32(del, f.at(f.outDel, 0))
	VPADDD(f.at(f.mx, 0), one, m)
	VPMAXSD(ins, m, m)
	VPMAXSD(del, m, m)
	// Inside the matrix: 0 <= h <= tlen and 0 <= v <= plen, each one unsigned
	// comparison.
	VPSUBD(k, m, v)
	in, both := K(), K()
	VPCMPUD(U8(2), tlen, m, in)
	VPCMPUD(U8(2), plen, v, in, both)
	VPBLENDMD(m, nul, both, m)
	VMOVDQU32(m, f.at(f.outM, 0))
	VPADDD(step, k, k)
	ADDQ(Imm(16), f.i)
	CMPQ(f.i, f.n)
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
		MOVD(t, c.y.AsX())
		VPBROADCASTD(c.y.AsX(), c.y)
	}
	VPBROADCASTD(Mem{Base: f.args, Disp: argPatternLen}, plen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argTextLen}, tlen)
	VPBROADCASTD(Mem{Base: f.args, Disp: argK0}, k)
	VPADDD(lanes, k, k)

	Label("loop")
	ins, del, m, v, ok := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVDQU(f.at(f.mo, 1), ins)
	VPMAXSD(f.at(f.ins, 1), ins, ins)
	VMOVDQU(ins, f.at(f.outIns, 0))
	VMOVDQU(f.at(f.mo, -1), del)
	VPMAXSD(f.at(f.del, -1), del, del)
	VPADDD(one, del, del)
	VMOVDQU(del, f.at(f.outDel, 0))
	VPADDD(f.at(f.mx, 0), one, m)
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
	VMOVDQU(m, f.at(f.outM, 0))
	VPADDD(step, k, k)
	ADDQ(Imm(8), f.i)
	CMPQ(f.i, f.n)
	JLT(LabelRef("loop"))
	f.guards(8, func(m Mem) { VMOVDQU(nul, m) })
	VZEROUPPER()
	RET()
}
