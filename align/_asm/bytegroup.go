package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// byteVectors hides what differs between registers of 32 and 64 costs of a byte.
type byteVectors struct {
	suffix string
	size   int // bytes in a register
	reg    func() reg.VecVirtual
	load   func(m Op, r reg.VecVirtual)
	store  func(r reg.VecVirtual, m Op)
	copy   func(from, to reg.VecVirtual)
	// up and down shift by one lane; the free lane comes from the neighbour.
	up, down func(v, neighbour, dst reg.VecVirtual)
	// differ adds x to the lanes of h whose letters differ.
	differ func(x, h reg.VecVirtual, text, reverse Op)
}

func byteAVX2() *byteVectors {
	return &byteVectors{
		suffix: "AVX2", size: 32, reg: YMM,
		load:  func(m Op, r reg.VecVirtual) { VMOVDQU(m, r) },
		store: func(r reg.VecVirtual, m Op) { VMOVDQU(r, m) },
		copy:  func(from, to reg.VecVirtual) { VMOVDQA(from, to) },
		up: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VPERM2I128(U8(0x21), v, nb, t)
			VPALIGNR(U8(15), t, v, dst)
		},
		down: func(v, nb, dst reg.VecVirtual) {
			t := YMM()
			VPERM2I128(U8(0x21), nb, v, t)
			VPALIGNR(U8(1), v, t, dst)
		},
		differ: func(x, h reg.VecVirtual, text, reverse Op) {
			y := YMM()
			VMOVDQU(text, y)
			VPCMPEQB(reverse, y, y)
			VPANDN(x, y, y)
			VPADDUSB(y, h, h)
		},
	}
}

func byteAVX512(half bool) *byteVectors {
	v := &byteVectors{
		suffix: "AVX512", size: 64, reg: ZMM,
		load:  func(m Op, r reg.VecVirtual) { VMOVDQU64(m, r) },
		store: func(r reg.VecVirtual, m Op) { VMOVDQU64(r, m) },
		copy:  func(from, to reg.VecVirtual) { VMOVDQA64(from, to) },
	}
	if half {
		v.suffix, v.size, v.reg = "AVX512Half", 32, YMM
	}
	last := U8(v.size/8 - 2) // quadwords before the last two
	v.up = func(a, nb, dst reg.VecVirtual) {
		t := v.reg()
		VALIGNQ(last, nb, a, t)
		VPALIGNR(U8(15), t, a, dst)
	}
	v.down = func(a, nb, dst reg.VecVirtual) {
		t := v.reg()
		VALIGNQ(U8(2), a, nb, t)
		VPALIGNR(U8(1), a, t, dst)
	}
	v.differ = func(x, h reg.VecVirtual, text, reverse Op) {
		b, k := v.reg(), K()
		VMOVDQU8(text, b)
		VPCMPUB(U8(4), reverse, b, k)
		VPADDUSB(x, h, k, h)
	}
	return v
}

// group emits the routine that runs p bands of w registers of bytes each side by side. args
// points at p byteArgs; the number of blocks and the penalties of the first are those of all.
func (v *byteVectors) group(p, w int) {
	name := fmt.Sprintf("byteGroup%dx%d%s", p, w, v.suffix)
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(fmt.Sprintf("%s runs %d bands of costs of a byte: see byteArgs.", name, p))
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	constant := func(field string) reg.VecVirtual {
		r := v.reg()
		VPBROADCASTB(byteArgs.at(args, field), r)
		return r
	}
	x, open, match, inf := constant("mismatch"), constant("open"), constant("match"), constant("inf")
	type member struct {
		text, reverse, history reg.GPVirtual
		even, odd, ins, del    []reg.VecVirtual
	}
	state := func() []reg.VecVirtual {
		s := make([]reg.VecVirtual, w)
		for j := range s {
			s[j] = v.reg()
		}
		return s
	}
	pairs := make([]member, p)
	for q := range pairs {
		l := &pairs[q]
		field := func(name string) reg.GPVirtual {
			r := GP64()
			MOVQ(byteArgs.at(args, name).Offset(q*byteArgs.size), r)
			return r
		}
		l.text, l.reverse, l.history = field("text"), field("reverse"), field("history")
		l.even, l.odd, l.ins, l.del = state(), state(), state(), state()
		even := field("even")
		for j := range w {
			v.load(Mem{Base: even, Disp: j * v.size}, l.even[j])
			for _, s := range [][]reg.VecVirtual{l.odd, l.ins, l.del} {
				v.copy(inf, s[j])
			}
		}
	}
	gaps := func(prev []reg.VecVirtual, l member) {
		for j, h := range prev {
			o := v.reg()
			VPADDUSB(open, h, o)
			VPMINUB(o, l.ins[j], l.ins[j])
			VPMINUB(o, l.del[j], l.del[j])
		}
	}
	cells := func(l member, h []reg.VecVirtual, j, reverse, history int) {
		VPSUBUSB(match, h[j], h[j])
		v.differ(x, h[j], Mem{Base: l.text, Disp: j * v.size}, Mem{Base: l.reverse, Disp: j*v.size + reverse})
		VPMINUB(l.ins[j], h[j], h[j])
		VPMINUB(l.del[j], h[j], h[j])
		v.store(h[j], Mem{Base: l.history, Disp: j*v.size + history})
	}
	steps := GP64()
	Label("block")
	MOVQ(I32(goConst("byteRows")/2), steps)
	Label("loop")
	for _, l := range pairs {
		// Ins comes from the next lane: low to high.
		gaps(l.even, l)
		for j := range w {
			above := inf
			if j+1 < w {
				above = l.ins[j+1]
			}
			v.down(l.ins[j], above, l.ins[j])
			cells(l, l.odd, j, 0, 0)
		}
	}
	for _, l := range pairs {
		// Del comes from the lane before: high to low.
		gaps(l.odd, l)
		for j := w - 1; j >= 0; j-- {
			below := inf
			if j > 0 {
				below = l.del[j-1]
			}
			v.up(l.del[j], below, l.del[j])
			cells(l, l.even, j, -1, w*v.size)
		}
		INCQ(l.text)
		DECQ(l.reverse)
		ADDQ(I32(2*w*v.size), l.history)
	}
	DECQ(steps)
	JNZ(LabelRef("loop"))
	add := v.reg()
	VPBROADCASTB(byteArgs.at(args, "add"), add)
	for _, l := range pairs {
		for _, s := range [][]reg.VecVirtual{l.even, l.odd, l.ins, l.del} {
			for j := range s {
				VPADDUSB(add, s[j], s[j])
			}
		}
	}
	DECQ(byteArgs.at(args, "blocks"))
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}
