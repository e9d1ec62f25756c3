package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Byte offsets of the fields of align.bandArgs.
const (
	bandEven, bandOdd, bandIns, bandDel = 0, 8, 16, 24
	bandText, bandReverse               = 32, 40
	bandVectors, bandSteps              = 48, 56
	bandHistory, bandStride             = 64, 72
	bandMismatch, bandOpen, bandMatch   = 80, 82, 84
	bandAdd                             = 86
)

// vectors hides what differs between the two register widths.
type vectors struct {
	suffix  string
	size    int // bytes in a register: twice the 16-bit lanes
	maxHeld int // widest band whose state stays in registers
	reg     func() reg.VecVirtual
	load    func(m Op, r reg.VecVirtual)
	store   func(r reg.VecVirtual, m Op)
	// up and down shift by one lane; the free lane comes from the neighbour.
	up, down func(v, neighbour, dst reg.VecVirtual)
	// diagonal adds the cost of one column to h: match to all lanes, and x to
	// those whose bases differ.
	diagonal func(x, match, h reg.VecVirtual, text, reverse Op)
	copy     func(from, to reg.VecVirtual)
}

func avx512() *vectors {
	return &vectors{
		suffix: "AVX512", size: 64, maxHeld: 5,
		reg:   ZMM,
		load:  func(m Op, r reg.VecVirtual) { VMOVDQU64(m, r) },
		store: func(r reg.VecVirtual, m Op) { VMOVDQU64(r, m) },
		copy:  func(from, to reg.VecVirtual) { VMOVDQA64(from, to) },
		up: func(v, nb, dst reg.VecVirtual) {
			t := ZMM()
			VALIGNQ(U8(6), nb, v, t)
			VPALIGNR(U8(14), t, v, dst)
		},
		down: func(v, nb, dst reg.VecVirtual) {
			t := ZMM()
			VALIGNQ(U8(2), v, nb, t)
			VPALIGNR(U8(2), v, t, dst)
		},
		diagonal: func(x, match, h reg.VecVirtual, text, reverse Op) {
			b, k := YMM(), K()
			VMOVDQU8(text, b)
			VPCMPUB(U8(4), reverse, b, k) // not equal
			VPADDW(match, h, h)
			VPADDW(x, h, k, h)
		},
	}
}

func avx2() *vectors {
	return &vectors{
		suffix: "AVX2", size: 32, maxHeld: 2,
		reg:   YMM,
		load:  func(m Op, r reg.VecVirtual) { VMOVDQU(m, r) },
		store: func(r reg.VecVirtual, m Op) { VMOVDQU(r, m) },
		copy:  func(from, to reg.VecVirtual) { VMOVDQA(from, to) },
		up: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VPERM2I128(U8(0x21), v, nb, t) // low half: nb's high, high half: v's low
			VPALIGNR(U8(14), t, v, dst)
		},
		down: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VPERM2I128(U8(0x21), nb, v, t) // low half: v's high, high half: nb's low
			VPALIGNR(U8(2), v, t, dst)
		},
		diagonal: func(x, match, h reg.VecVirtual, text, reverse Op) {
			b, y := XMM(), YMM()
			VMOVDQU(text, b)
			VPCMPEQB(reverse, b, b)
			VPMOVSXBW(b, y)
			VPANDN(x, y, y)
			VPADDW(match, h, h)
			VPADDW(y, h, h)
		},
	}
}

// avx512Half uses the 256-bit registers of AVX-512, of which there are twice as
// many as in AVX2.
func avx512Half() *vectors {
	return &vectors{
		suffix: "AVX512Half", size: 32,
		reg:   YMM,
		load:  func(m Op, r reg.VecVirtual) { VMOVDQU64(m, r) },
		store: func(r reg.VecVirtual, m Op) { VMOVDQU64(r, m) },
		copy:  func(from, to reg.VecVirtual) { VMOVDQA64(from, to) },
		up: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VALIGNQ(U8(2), nb, v, t)
			VPALIGNR(U8(14), t, v, dst)
		},
		down: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VALIGNQ(U8(2), v, nb, t)
			VPALIGNR(U8(2), v, t, dst)
		},
		diagonal: func(x, match, h reg.VecVirtual, text, reverse Op) {
			b, k := XMM(), K()
			VMOVDQU8(text, b)
			VPCMPUB(U8(4), reverse, b, k)
			VPADDW(match, h, h)
			VPADDW(x, h, k, h)
		},
	}
}

type bandFrame struct {
	args, text, reverse, steps reg.GPVirtual
	history, stride            reg.GPVirtual
	x, open, match, inf        reg.VecVirtual
}

func (v *vectors) frame(hist bool) bandFrame {
	f := bandFrame{args: Load(Param("args"), GP64()).(reg.GPVirtual)}
	f.text, f.reverse, f.steps = GP64(), GP64(), GP64()
	MOVQ(Mem{Base: f.args, Disp: bandText}, f.text)
	MOVQ(Mem{Base: f.args, Disp: bandReverse}, f.reverse)
	MOVQ(Mem{Base: f.args, Disp: bandSteps}, f.steps)
	if hist {
		f.history, f.stride = GP64(), GP64()
		MOVQ(Mem{Base: f.args, Disp: bandHistory}, f.history)
		MOVQ(Mem{Base: f.args, Disp: bandStride}, f.stride)
	}
	f.x, f.open, f.match, f.inf = v.constant(bandMismatch, f), v.constant(bandOpen, f), v.constant(bandMatch, f), v.reg()
	inf := GP32()
	MOVL(U32(unreached*0x10001), inf)
	if v.size == 64 {
		VPBROADCASTD(inf, f.inf)
	} else {
		VMOVD(inf, f.inf.AsX())
		VPBROADCASTD(f.inf.AsX(), f.inf)
	}
	return f
}

// constant loads one 16-bit field of the arguments into all lanes.
func (v *vectors) constant(disp int, f bandFrame) reg.VecVirtual {
	r := v.reg()
	VPBROADCASTW(Mem{Base: f.args, Disp: disp}, r)
	return r
}

// settle turns relative costs into costs and limits those of unreached cells.
func (v *vectors) settle(f bandFrame, add, r reg.VecVirtual) {
	VPADDSW(add, r, r)
	VPMINSW(f.inf, r, r)
}

// gaps computes, from the previous antidiagonal's H, Ins and Del in the same
// lanes, the two gap states of the next one before any shift. ins and del are
// updated in place. Costs being relative to the antidiagonal, a longer gap
// costs nothing.
func (v *vectors) gaps(f bandFrame, prev, ins, del reg.VecVirtual) {
	o := v.reg()
	VPADDW(f.open, prev, o)
	VPMINSW(o, ins, ins)
	VPMINSW(o, del, del)
}

// unreached is align.bandInf.
const unreached = 0x7000

const bandDoc = "advances a band by pairs of antidiagonals: see bandGo."

// bandHeld emits the routine for a band of w registers whose whole state stays
// in registers from the first antidiagonal to the last.
func (v *vectors) bandHeld(w int, hist bool) {
	name := fmt.Sprintf("band%d%s", w, v.suffix)
	if hist {
		name = fmt.Sprintf("bandHistory%d%s", w, v.suffix)
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + bandDoc)
	Pragma("noescape")
	f := v.frame(hist)
	state := func(disp int) []reg.VecVirtual {
		p := GP64()
		MOVQ(Mem{Base: f.args, Disp: disp}, p)
		s := make([]reg.VecVirtual, w)
		for j := range s {
			s[j] = v.reg()
			v.load(Mem{Base: p, Disp: j * v.size}, s[j])
		}
		return s
	}
	even, odd, ins, del := state(bandEven), state(bandOdd), state(bandIns), state(bandDel)

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
	VPBROADCASTW(Mem{Base: f.args, Disp: bandAdd}, add)
	save := func(s []reg.VecVirtual, disp int) {
		p := GP64()
		MOVQ(Mem{Base: f.args, Disp: disp}, p)
		for j := range s {
			v.settle(f, add, s[j])
			v.store(s[j], Mem{Base: p, Disp: j * v.size})
		}
	}
	save(even, bandEven)
	save(odd, bandOdd)
	save(ins, bandIns)
	save(del, bandDel)
	VZEROUPPER()
	RET()
}

// bandWide emits the routine for a band of any number of registers: its state
// lies in memory, one vector at a time passes through the registers, and the
// shifted gap state is carried from one vector to the next.
func (v *vectors) bandWide(hist bool) {
	name := "bandWide" + v.suffix
	if hist {
		name = "bandHistoryWide" + v.suffix
	}
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " " + bandDoc)
	Pragma("noescape")
	f := v.frame(hist)
	ptr := func(disp int) reg.GPVirtual {
		p := GP64()
		MOVQ(Mem{Base: f.args, Disp: disp}, p)
		return p
	}
	even, odd, ins, del := ptr(bandEven), ptr(bandOdd), ptr(bandIns), ptr(bandDel)
	last := ptr(bandVectors) // byte offset of the last vector
	DECQ(last)
	IMUL3Q(U8(v.size), last, last)

	i := GP64()
	at := func(p reg.GPVirtual) Mem { return Mem{Base: p, Index: i, Scale: 1} }
	half := GP64() // i/2: sequences are bytes, states 16-bit
	carry := v.reg()

	step := func(prev, cur reg.GPVirtual, revDisp int, shifted, kept reg.GPVirtual, shift func(v, nb, dst reg.VecVirtual), body string, advance func(string)) {
		v.copy(f.inf, carry)
		Label(body)
		o, s, k, h := v.reg(), v.reg(), v.reg(), v.reg()
		v.load(at(prev), o)
		VPADDW(f.open, o, o)
		VPMINSW(at(shifted), o, s)
		VPMINSW(at(kept), o, k)
		v.store(k, at(kept))
		sh := v.reg()
		shift(s, carry, sh)
		v.copy(s, carry)
		v.store(sh, at(shifted))
		MOVQ(i, half)
		SHRQ(Imm(1), half)
		v.load(at(cur), h)
		v.diagonal(f.x, f.match, h, Mem{Base: f.text, Index: half, Scale: 1}, Mem{Base: f.reverse, Index: half, Scale: 1, Disp: revDisp})
		VPMINSW(sh, h, h)
		VPMINSW(k, h, h)
		v.store(h, at(cur))
		if hist {
			v.store(h, Mem{Base: f.history, Index: i, Scale: 1})
		}
		advance(body)
		if hist {
			ADDQ(f.stride, f.history)
		}
	}

	Label("loop")
	// Odd: Ins of lane m comes from lane m+1: high to low.
	MOVQ(last, i)
	step(even, odd, 0, ins, del, v.down, "odd", func(body string) {
		SUBQ(U8(v.size), i)
		JGE(LabelRef(body))
	})
	// Even: Del of lane m comes from lane m-1: low to high.
	XORQ(i, i)
	step(odd, even, -1, del, ins, v.up, "even", func(body string) {
		ADDQ(U8(v.size), i)
		CMPQ(i, last)
		JLE(LabelRef(body))
	})
	INCQ(f.text)
	DECQ(f.reverse)
	DECQ(f.steps)
	JNZ(LabelRef("loop"))

	add := v.constant(bandAdd, f)
	XORQ(i, i)
	Label("settle")
	for _, p := range []reg.GPVirtual{even, odd, ins, del} {
		r := v.reg()
		v.load(at(p), r)
		v.settle(f, add, r)
		v.store(r, at(p))
	}
	ADDQ(U8(v.size), i)
	CMPQ(i, last)
	JLE(LabelRef("settle"))
	VZEROUPPER()
	RET()
}

// argsSize is the size of align.bandArgs.
const argsSize = 88

// group emits the routine that runs p bands of one register each side by side:
// one alone would wait for its own results most of the time. args points at p
// bandArgs; the number of steps and the penalties of the first hold for all.
// The bands begin unreached but for even, and only their history remains.
func (v *vectors) group(p int) {
	name := fmt.Sprintf("bandGroup%d%s", p, v.suffix)
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(fmt.Sprintf("%s runs %d bands of one vector each: see bandGroup.", name, p))
	Pragma("noescape")
	f := v.frame(false)
	type lane struct {
		text, reverse, history reg.GPVirtual
		even, odd, ins, del    reg.VecVirtual
	}
	pairs := make([]lane, p)
	for q := range pairs {
		l := &pairs[q]
		field := func(disp int) reg.GPVirtual {
			r := GP64()
			MOVQ(Mem{Base: f.args, Disp: q*argsSize + disp}, r)
			return r
		}
		l.text, l.reverse, l.history = f.text, f.reverse, field(bandHistory)
		if q > 0 {
			l.text, l.reverse = field(bandText), field(bandReverse)
		}
		l.even, l.odd, l.ins, l.del = v.reg(), v.reg(), v.reg(), v.reg()
		v.load(Mem{Base: field(bandEven)}, l.even)
		for _, s := range []reg.VecVirtual{l.odd, l.ins, l.del} {
			v.copy(f.inf, s)
		}
	}
	Label("loop")
	for _, l := range pairs {
		v.gaps(f, l.even, l.ins, l.del)
		v.down(l.ins, f.inf, l.ins)
		v.diagonal(f.x, f.match, l.odd, Mem{Base: l.text}, Mem{Base: l.reverse})
		VPMINSW(l.ins, l.odd, l.odd)
		VPMINSW(l.del, l.odd, l.odd)
		v.store(l.odd, Mem{Base: l.history})
	}
	for _, l := range pairs {
		v.gaps(f, l.odd, l.ins, l.del)
		v.up(l.del, f.inf, l.del)
		v.diagonal(f.x, f.match, l.even, Mem{Base: l.text}, Mem{Base: l.reverse, Disp: -1})
		VPMINSW(l.ins, l.even, l.even)
		VPMINSW(l.del, l.even, l.even)
		v.store(l.even, Mem{Base: l.history, Disp: v.size})
		INCQ(l.text)
		DECQ(l.reverse)
		ADDQ(I32(2*v.size), l.history)
	}
	DECQ(f.steps)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
