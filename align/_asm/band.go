package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bandFrame keeps in registers what every step of a band routine needs.
type bandFrame struct {
	args, text, reverse, steps reg.GPVirtual
	history, stride            reg.GPVirtual
	x, open, match, inf        reg.VecVirtual
}

func (v *vectors) frame(hist bool) bandFrame {
	f := bandFrame{args: Load(Param("args"), GP64()).(reg.GPVirtual)}
	f.text, f.reverse, f.steps = GP64(), GP64(), GP64()
	MOVQ(bandArgs.at(f.args, "text"), f.text)
	MOVQ(bandArgs.at(f.args, "reverse"), f.reverse)
	MOVQ(bandArgs.at(f.args, "steps"), f.steps)
	if hist {
		f.history, f.stride = GP64(), GP64()
		MOVQ(bandArgs.at(f.args, "history"), f.history)
		MOVQ(bandArgs.at(f.args, "stride"), f.stride)
	}
	f.x, f.open, f.match, f.inf = v.constant("mismatch", f), v.constant("open", f), v.constant("match", f), v.reg()
	inf := GP32()
	MOVL(U32(uint32(bandInf)*0x10001), inf)
	if v.size == 64 {
		VPBROADCASTD(inf, f.inf)
	} else {
		VMOVD(inf, f.inf.AsX())
		VPBROADCASTD(f.inf.AsX(), f.inf)
	}
	return f
}

// constant loads one 16-bit field of the arguments into all lanes.
func (v *vectors) constant(field string, f bandFrame) reg.VecVirtual {
	r := v.reg()
	VPBROADCASTW(bandArgs.at(f.args, field), r)
	return r
}

// settle turns relative costs into costs and limits them to bandInf.
func (v *vectors) settle(f bandFrame, add, r reg.VecVirtual) {
	VPADDSW(add, r, r)
	VPMINSW(f.inf, r, r)
}

// gaps computes, from the previous antidiagonal's H, Ins and Del in the same lanes, the two
// gap states of the next one before any shift. ins and del are updated in place. Costs are
// relative to the antidiagonal, so lengthening a gap costs nothing.
func (v *vectors) gaps(f bandFrame, prev, ins, del reg.VecVirtual) {
	o := v.reg()
	VPADDW(f.open, prev, o)
	VPMINSW(o, ins, ins)
	VPMINSW(o, del, del)
}

// pointer loads a field of the arguments.
func (f *bandFrame) pointer(field string) reg.GPVirtual {
	p := GP64()
	MOVQ(bandArgs.at(f.args, field), p)
	return p
}

// states loads w vectors of states.
func (v *vectors) states(f bandFrame, field string, w int) []reg.VecVirtual {
	p := f.pointer(field)
	s := make([]reg.VecVirtual, w)
	for j := range s {
		s[j] = v.reg()
		v.load(Mem{Base: p, Disp: j * v.size}, s[j])
	}
	return s
}

// saveStates settles and stores them.
func (v *vectors) saveStates(f bandFrame, field string, add reg.VecVirtual, s []reg.VecVirtual) {
	p := f.pointer(field)
	for j := range s {
		v.settle(f, add, s[j])
		v.store(s[j], Mem{Base: p, Disp: j * v.size})
	}
}

const bandDoc = "advances a band by pairs of antidiagonals: see bandArgs."

// bandRegisters emits the routine for a band of w vectors whose whole state stays in registers
// from the first antidiagonal to the last.
func (v *vectors) bandRegisters(w int, hist bool) {
	name := fmt.Sprintf("band%d%s", w, v.suffix)
	if hist {
		name = fmt.Sprintf("bandHistory%d%s", w, v.suffix)
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + bandDoc)
	Pragma("noescape")
	f := v.frame(hist)
	state := func(field string) []reg.VecVirtual { return v.states(f, field, w) }
	even, odd, ins, del := state("even"), state("odd"), state("ins"), state("del")

	Label("loop")
	// Odd antidiagonal: Ins comes from the next lane, so go from low to high
	// and shift with the neighbour above before that one is shifted itself.
	for j := range w {
		v.gaps(f, even[j], ins[j], del[j])
	}
	for j := range w {
		above := f.inf
		if j+1 < w {
			above = ins[j+1]
		}
		v.down(ins[j], above, ins[j])
		text := Mem{Base: f.text, Disp: j * v.size / 2}
		rev := Mem{Base: f.reverse, Disp: j * v.size / 2}
		v.diagonal(f.x, f.match, odd[j], text, rev)
		VPMINSW(ins[j], odd[j], odd[j])
		VPMINSW(del[j], odd[j], odd[j])
		if hist {
			v.store(odd[j], Mem{Base: f.history, Disp: j * v.size})
		}
	}
	if hist {
		ADDQ(f.stride, f.history)
	}
	// Even antidiagonal: Del comes from the lane before, so go from high to low.
	for j := range w {
		v.gaps(f, odd[j], ins[j], del[j])
	}
	for j := w - 1; j >= 0; j-- {
		below := f.inf
		if j > 0 {
			below = del[j-1]
		}
		v.up(del[j], below, del[j])
		text := Mem{Base: f.text, Disp: j * v.size / 2}
		rev := Mem{Base: f.reverse, Disp: j*v.size/2 - 1}
		v.diagonal(f.x, f.match, even[j], text, rev)
		VPMINSW(ins[j], even[j], even[j])
		VPMINSW(del[j], even[j], even[j])
		if hist {
			v.store(even[j], Mem{Base: f.history, Disp: j * v.size})
		}
	}
	if hist {
		ADDQ(f.stride, f.history)
	}
	INCQ(f.text)
	DECQ(f.reverse)
	DECQ(f.steps)
	JNZ(LabelRef("loop"))

	add := f.match // not needed any more
	VPBROADCASTW(bandArgs.at(f.args, "add"), add)
	save := func(s []reg.VecVirtual, field string) { v.saveStates(f, field, add, s) }
	save(even, "even")
	save(odd, "odd")
	save(ins, "ins")
	save(del, "del")
	VZEROUPPER()
	RET()
}
