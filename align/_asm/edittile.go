package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tileWords collects the words from which tiles are computed again.
type tileWords struct {
	strips
	outP, outN reg.VecVirtual
}

// begin keeps the state before the first step.
func (t *tileWords) begin(kept reg.GPVirtual, vp, vn, inP, inN reg.VecVirtual) {
	t.outP, t.outN = t.vector(), t.vector()
	t.xor(t.outP, t.outP, t.outP)
	t.xor(t.outN, t.outN, t.outN)
	TESTQ(kept, kept)
	JZ(LabelRef("begin"))
	for i, v := range []reg.VecVirtual{vp, vn, inP, inN} {
		t.move(v, Mem{Base: kept, Disp: 8 * t.lanes * i})
	}
	Label("begin")
}

// record appends the highest bits of hp and hn.
func (t *tileWords) record(hp, hn reg.VecVirtual) {
	for _, r := range []struct{ h, out reg.VecVirtual }{{hp, t.outP}, {hn, t.outN}} {
		VPSRLQ(U8(1), r.out, r.out)
		if t.avx512 {
			VPTERNLOGQ(U8(orOfBoth), t.last, r.h, r.out)
			continue
		}
		b := t.vector()
		VPAND(t.last, r.h, b)
		VPOR(b, r.out, r.out)
	}
}

// end stores what the strips have taken and given, the first step in the lowest bit.
func (t *tileWords) end(kept reg.GPVirtual) {
	rest, by := GP64(), XMM()
	MOVQ(I32(goConst("editSteps")), rest)
	SUBQ(editArgs.at(t.args, "steps"), rest)
	VMOVQ(rest, by)
	VPSRLQ(by, t.outP, t.outP)
	VPSRLQ(by, t.outN, t.outN)
	t.store(t.outP, "outP")
	t.store(t.outN, "outN")
	TESTQ(kept, kept)
	JZ(LabelRef("done"))
	for i, in := range []struct {
		out  reg.VecVirtual
		from string
	}{{t.outP, "takenP"}, {t.outN, "takenN"}} {
		v, from := t.vector(), t.vector()
		VPBROADCASTQ(editArgs.at(t.args, in.from), from)
		t.shift(in.out, from, v)
		VPADDQ(v, v, v)
		at := Mem{Base: kept, Disp: 8 * t.lanes * (2 + i)}
		t.or(at, v, v)
		t.move(v, at)
	}
	Label("done")
}
