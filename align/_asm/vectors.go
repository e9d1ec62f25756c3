package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectors hides what differs between the two register widths.
type vectors struct {
	suffix    string
	size      int // bytes in a register: twice the 16-bit lanes
	registers int // widest band, in registers, whose state stays in them
	reg       func() reg.VecVirtual
	load      func(m Op, r reg.VecVirtual)
	store     func(r reg.VecVirtual, m Op)
	// up and down shift by one lane; the free lane comes from the neighbour.
	up, down func(v, neighbour, dst reg.VecVirtual)
	// diagonal adds the cost of one column to h: match to all lanes, and x to
	// those whose bases differ.
	diagonal func(x, match, h reg.VecVirtual, text, reverse Op)
	copy     func(from, to reg.VecVirtual)
}

func avx512() *vectors {
	return &vectors{
		suffix: "AVX512", size: 4 * avx512Lanes, registers: goConst("avx512BandRegisters"),
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
		suffix: "AVX2", size: 4 * avx2Lanes, registers: goConst("avx2BandRegisters"),
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

// avx512Half uses the 256-bit registers of AVX-512, of which there are twice as many as in
// AVX2.
func avx512Half() *vectors {
	return &vectors{
		suffix: "AVX512Half", size: 4 * avx2Lanes,
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
