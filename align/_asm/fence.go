package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const fenceDoc = "advances a fenced band by pairs of antidiagonals: see fenceArgs."

// fenceFrame is what every step of a routine for a fenced band needs besides a bandFrame.
type fenceFrame struct {
	*vectors
	bandFrame
	fenced                   bool
	events                   reg.GPVirtual
	beforeLeft, inSeedLeft   reg.VecVirtual // in all lanes
	beforeRight, inSeedRight reg.VecVirtual
	right                    reg.VecVirtual // what comes in on the right
}

// fenceFrame loads it. Without a fence nothing comes into the band.
func (v *vectors) fenceFrame(fenced bool) fenceFrame {
	f := fenceFrame{vectors: v, bandFrame: v.frame(false), fenced: fenced, events: GP64()}
	if f.right = f.inf; !fenced {
		return f
	}
	MOVQ(fenceArgs.at(f.args, "events"), f.events)
	p := GP64()
	MOVQ(fenceArgs.at(f.args, "fence"), p)
	state := func(field string) reg.VecVirtual {
		r := v.reg()
		VPBROADCASTW(fenceOf.at(p, field), r)
		return r
	}
	f.beforeLeft, f.inSeedLeft = state("beforeLeft"), state("inSeedLeft")
	f.beforeRight, f.inSeedRight = state("beforeRight"), state("inSeedRight")
	f.right = state("insRight")
	return f
}

// broadcast loads a fencePair into all lanes.
func (f *fenceFrame) broadcast(m Mem) reg.VecVirtual {
	r := f.reg()
	VPBROADCASTD(m, r)
	return r
}

// event gives a field of the event of a side.
func (f *fenceFrame) event(side, field string) Mem {
	m := fenceEventOf.at(f.events, side)
	m.Disp += fenceSideOf.at(f.events, field).Disp
	return m
}

// begin lets those that have come beside the band move on to Before where a seed begins.
func (f *fenceFrame) begin(side string, before, inSeed reg.VecVirtual) {
	t := f.reg()
	f.copy(inSeed, t)
	VPSUBSW(f.broadcast(f.event(side, "out")), t, t)
	VPMINSW(t, before, before)
	VPMAXSW(f.broadcast(f.event(side, "begin")), inSeed, inSeed)
}

// left computes the left of a step, where the lowest lane of out leaves the band, and returns what comes in.
func (f *fenceFrame) left(out reg.VecVirtual) reg.VecVirtual {
	if !f.fenced {
		return f.inf
	}
	t, in := f.reg(), f.reg()
	VPBROADCASTW(out.AsX(), t)
	VPADDW(f.match, f.inSeedLeft, f.inSeedLeft)
	VPMINSW(t, f.inSeedLeft, f.inSeedLeft)
	VPADDSW(f.broadcast(f.event("left", "cost")), f.beforeLeft, f.beforeLeft)
	VPMINSW(f.inSeedLeft, f.beforeLeft, in)
	VPADDSW(f.broadcast(fenceArgs.at(f.args, "leftIn")), in, in)
	VPMINSW(f.inf, in, in)
	f.begin("left", f.beforeLeft, f.inSeedLeft)
	return in
}

// goOn computes the right of a step, where the highest lane of out leaves the band, and goes on to the next
// step.
func (f *fenceFrame) goOn(out reg.VecVirtual) {
	if f.fenced {
		f.intoRight(out)
	}
	INCQ(f.text)
	DECQ(f.reverse)
	DECQ(f.steps)
}

// intoRight computes the right of a step.
func (f *fenceFrame) intoRight(out reg.VecVirtual) {
	t, u := f.reg(), f.reg()
	f.highest(out, t)
	VPADDW(f.match, f.inSeedRight, f.inSeedRight)
	VPMINSW(t, f.inSeedRight, f.inSeedRight)
	VPADDSW(f.broadcast(f.event("right", "cost")), f.beforeRight, f.beforeRight)
	f.copy(f.inSeedRight, t)
	VPSUBSW(f.broadcast(fenceArgs.at(f.args, "rightIn")), t, t)
	f.copy(f.beforeRight, u)
	VPSUBSW(f.broadcast(fenceArgs.at(f.args, "beforeIn")), u, u)
	VPMINSW(u, t, t)
	VPADDSW(f.open, t, t)
	VPMINSW(f.inf, t, f.right)
	f.begin("right", f.beforeRight, f.inSeedRight)
	ADDQ(Imm(uint64(fenceEventOf.size)), f.events)
}

// highest broadcasts the highest lane.
func (v *vectors) highest(from, to reg.VecVirtual) {
	x := XMM()
	if v.size == 64 {
		VEXTRACTI32X4(U8(3), from, x)
	} else {
		VEXTRACTI128(U8(1), from, x)
	}
	VPSRLDQ(U8(14), x, x)
	VPBROADCASTW(x, to)
}

// save makes what is beside the band absolute.
func (f *fenceFrame) save(add reg.VecVirtual) {
	if !f.fenced {
		return
	}
	p, w := GP64(), GP32()
	MOVQ(fenceArgs.at(f.args, "fence"), p)
	for _, s := range []struct {
		r     reg.VecVirtual
		field string
	}{
		{f.beforeLeft, "beforeLeft"}, {f.inSeedLeft, "inSeedLeft"},
		{f.beforeRight, "beforeRight"}, {f.inSeedRight, "inSeedRight"}, {f.right, "insRight"},
	} {
		f.settle(f.bandFrame, add, s.r)
		VMOVD(s.r.AsX(), w)
		MOVW(w.As16(), fenceOf.at(p, s.field))
	}
}

// saveLeast stores the least H of each fenceLanes lanes of a vector.
func (f *fenceFrame) saveLeast(h reg.VecVirtual, bias reg.VecVirtual, to Mem) {
	half := func(y reg.VecVirtual, to Mem) {
		x, w := XMM(), GP32()
		VEXTRACTI128(U8(1), y, x)
		VPMINSW(y.AsX(), x, x)
		VPXOR(bias.AsX(), x, x)
		VPHMINPOSUW(x, x)
		VMOVD(x, w)
		MOVW(w.As16(), to)
	}
	if f.size == 64 {
		y := YMM()
		VEXTRACTI64X4(U8(1), h, y)
		high := to
		high.Disp += 2
		half(y, high)
	}
	y := YMM()
	VMOVDQA(h.AsY(), y)
	half(y, to)
}

// bias has leastBias in all lanes.
func (f *fenceFrame) bias() reg.VecVirtual {
	r := f.reg()
	w := GP32()
	MOVL(U32(uint32(goConst("leastBias"))*0x10001), w)
	VMOVD(w, r.AsX())
	VPBROADCASTD(r.AsX(), r)
	return r
}

// fenceName returns the name of the routines for fenced bands, or for open ones.
func fenceName(fenced bool) string {
	if fenced {
		return "fence"
	}
	return "open"
}

// fenceWide emits the routine for a fenced band of any number of vectors, as bandWide.
func (v *vectors) fenceWide(fenced bool) {
	name := fenceName(fenced) + "Wide" + v.suffix
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + fenceDoc)
	Pragma("noescape")
	f := v.fenceFrame(fenced)
	even, odd, ins, del := f.pointer("even"), f.pointer("odd"), f.pointer("ins"), f.pointer("del")
	last := f.pointer("vectors")
	DECQ(last)
	IMUL3Q(U8(v.size), last, last)
	i, half := GP64(), GP64()
	at := func(p reg.GPVirtual) Mem { return Mem{Base: p, Index: i, Scale: 1} }
	carry := v.reg()

	step := func(prev, cur reg.GPVirtual, revDisp int, shifted, kept reg.GPVirtual, shift func(v, nb, dst reg.VecVirtual), body string, advance func(string)) {
		Label(body)
		o, s, h := v.reg(), v.reg(), v.reg()
		v.load(at(prev), o)
		VPADDW(f.open, o, o)
		VPMINSW(at(shifted), o, s)
		VPMINSW(at(kept), o, o)
		v.store(o, at(kept))
		sh := v.reg()
		shift(s, carry, sh)
		v.copy(s, carry)
		v.store(sh, at(shifted))
		MOVQ(i, half)
		SHRQ(Imm(1), half)
		v.load(at(cur), h)
		v.diagonal(f.x, f.match, h, Mem{Base: f.text, Index: half, Scale: 1}, Mem{Base: f.reverse, Index: half, Scale: 1, Disp: revDisp})
		VPMINSW(sh, h, h)
		VPMINSW(o, h, h)
		v.store(h, at(cur))
		advance(body)
	}

	Label("loop")
	v.copy(f.right, carry)
	MOVQ(last, i)
	step(even, odd, 0, ins, del, v.down, "odd", func(body string) {
		SUBQ(U8(v.size), i)
		JGE(LabelRef(body))
	})
	v.copy(f.left(carry), carry)
	XORQ(i, i)
	step(odd, even, -1, del, ins, v.up, "even", func(body string) {
		ADDQ(U8(v.size), i)
		CMPQ(i, last)
		JLE(LabelRef(body))
	})
	f.goOn(carry)
	JNZ(LabelRef("loop"))

	add := f.match
	VPBROADCASTW(bandArgs.at(f.args, "add"), add)
	f.save(add)
	bias := f.bias()
	least := GP64()
	MOVQ(fenceArgs.at(f.args, "least"), least)
	XORQ(i, i)
	Label("settle")
	for _, p := range []reg.GPVirtual{odd, ins, del, even} {
		r := v.reg()
		v.load(at(p), r)
		v.settle(f.bandFrame, add, r)
		v.store(r, at(p))
		if p == even {
			f.saveLeast(r, bias, Mem{Base: least})
		}
	}
	ADDQ(Imm(uint64(v.size/2/goConst("fenceLanes")*2)), least)
	ADDQ(U8(v.size), i)
	CMPQ(i, last)
	JLE(LabelRef("settle"))
	VZEROUPPER()
	RET()
}

// fenceRegisters emits the routine for a fenced band of w vectors whose whole state stays in registers, as
// bandRegisters.
func (v *vectors) fenceRegisters(w int, fenced bool) {
	name := fmt.Sprintf("%s%d%s", fenceName(fenced), w, v.suffix)
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + fenceDoc)
	Pragma("noescape")
	f := v.fenceFrame(fenced)
	state := func(field string) []reg.VecVirtual { return v.states(f.bandFrame, field, w) }
	even, odd, ins, del := state("even"), state("odd"), state("ins"), state("del")
	cell := func(j int, h reg.VecVirtual, revDisp int) {
		text := Mem{Base: f.text, Disp: j * v.size / 2}
		rev := Mem{Base: f.reverse, Disp: j*v.size/2 + revDisp}
		v.diagonal(f.x, f.match, h, text, rev)
		VPMINSW(ins[j], h, h)
		VPMINSW(del[j], h, h)
	}

	Label("loop")
	for j := range w {
		v.gaps(f.bandFrame, even[j], ins[j], del[j])
	}
	in := f.left(ins[0])
	for j := range w {
		above := f.right
		if j+1 < w {
			above = ins[j+1]
		}
		v.down(ins[j], above, ins[j])
		cell(j, odd[j], 0)
	}
	for j := range w {
		v.gaps(f.bandFrame, odd[j], ins[j], del[j])
	}
	out := v.reg()
	v.copy(del[w-1], out)
	for j := w - 1; j >= 0; j-- {
		below := in
		if j > 0 {
			below = del[j-1]
		}
		v.up(del[j], below, del[j])
		cell(j, even[j], -1)
	}
	f.goOn(out)
	JNZ(LabelRef("loop"))

	add := f.match // not needed any more
	VPBROADCASTW(bandArgs.at(f.args, "add"), add)
	f.save(add)
	save := func(s []reg.VecVirtual, field string) { v.saveStates(f.bandFrame, field, add, s) }
	save(odd, "odd")
	save(ins, "ins")
	save(del, "del")
	save(even, "even")
	bias := f.bias()
	least := GP64()
	MOVQ(fenceArgs.at(f.args, "least"), least)
	each := v.size / 2 / goConst("fenceLanes")
	for j := range even {
		f.saveLeast(even[j], bias, Mem{Base: least, Disp: 2 * j * each})
	}
	VZEROUPPER()
	RET()
}
