package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrowVectors are the registers of a row of narrow wavefronts, of either width.
type narrowVectors struct {
	suffix string
	lanes  int // of 32 bits in a register
	count  int // registers of a row
	reg    func() reg.VecVirtual
	avx512 bool
	iota   Mem // 0, 1, 2, …
	null   reg.VecVirtual
}

// narrowAVX512 and narrowAVX2 have rows of w times narrowLanes diagonals.
func narrowAVX512(w int, iota Mem) *narrowVectors {
	return &narrowVectors{suffix: "AVX512", lanes: avx512Lanes, count: w * goConst("narrowLanes") / avx512Lanes, reg: ZMM, avx512: true, iota: iota}
}

func narrowAVX2(w int, iota Mem) *narrowVectors {
	return &narrowVectors{suffix: "AVX2", lanes: avx2Lanes, count: w * goConst("narrowLanes") / avx2Lanes, reg: YMM, iota: iota}
}

// row makes the registers of a row.
func (l *narrowVectors) row() []reg.VecVirtual {
	r := make([]reg.VecVirtual, l.count)
	for i := range r {
		r[i] = l.reg()
	}
	return r
}

// at is register i of a row at m.
func (l *narrowVectors) at(m Mem, i int) Mem { return m.Offset(4 * l.lanes * i) }

func (l *narrowVectors) move(from, to Op) {
	if l.avx512 {
		VMOVDQU32(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// constant is v in all lanes.
func (l *narrowVectors) constant(v int) reg.VecVirtual {
	t, to := GP32(), l.reg()
	MOVL(I32(v), t)
	l.broadcast(t, to)
	return to
}

func (l *narrowVectors) broadcast(t reg.GPVirtual, to reg.VecVirtual) {
	if l.avx512 {
		VPBROADCASTD(t, to)
		return
	}
	VMOVD(t, to.AsX())
	VPBROADCASTD(to.AsX(), to)
}

// field is that of the arguments, in all lanes.
func (l *narrowVectors) field(m Mem) reg.VecVirtual {
	v := l.reg()
	VPBROADCASTD(m, v)
	return v
}

// above makes each lane of to that of the next diagonal, in register i of row; beyond the row it
// is null. to is no register of row.
func (l *narrowVectors) above(row []reg.VecVirtual, i int, to reg.VecVirtual) {
	next := l.null
	if i+1 < len(row) {
		next = row[i+1]
	}
	if l.avx512 {
		VALIGND(U8(1), row[i], next, to)
		return
	}
	VPERM2I128(U8(0x21), next, row[i], to) // low half: row[i]'s high, high half: next's low
	VPALIGNR(U8(4), row[i], to, to)
}

// below is above for the diagonal before.
func (l *narrowVectors) below(row []reg.VecVirtual, i int, to reg.VecVirtual) {
	before := l.null
	if i > 0 {
		before = row[i-1]
	}
	if l.avx512 {
		VALIGND(U8(l.lanes-1), before, row[i], to)
		return
	}
	VPERM2I128(U8(0x21), row[i], before, to) // low half: before's high, high half: row[i]'s low
	VPALIGNR(U8(12), to, row[i], to)
}

// reached marks the lanes of v that are not null.
func (l *narrowVectors) reached(v reg.VecVirtual) reg.Register { return l.beyond(l.null, v) }

// beyond marks the lanes of v that are greater than those of limit.
func (l *narrowVectors) beyond(limit Op, v reg.VecVirtual) reg.Register {
	if l.avx512 {
		in := K()
		VPCMPD(U8(6), limit, v, in)
		return in
	}
	in := YMM()
	VPCMPGTD(limit, v, in)
	return in
}

// upTo marks the lanes of v from 0 to limit, of those marked in within if it is not nil.
func (l *narrowVectors) upTo(limit, v reg.VecVirtual, within reg.Register) reg.Register {
	if l.avx512 {
		in := K()
		if within == nil {
			VPCMPUD(U8(2), limit, v, in)
		} else {
			VPCMPUD(U8(2), limit, v, within, in)
		}
		return in
	}
	in := YMM()
	VPMINUD(limit, v, in)
	VPCMPEQD(v, in, in)
	if within != nil {
		VPAND(within, in, in)
	}
	return in
}

// nullUnless makes the lanes of v null that are not marked.
func (l *narrowVectors) nullUnless(marked reg.Register, v reg.VecVirtual) {
	if l.avx512 {
		VPBLENDMD(v, l.null, marked, v)
	} else {
		VPBLENDVB(marked, v, l.null, v)
	}
}

// list gives todo a bit for each lane marked, and tests it.
func (l *narrowVectors) list(marked []reg.Register, todo reg.GPVirtual) {
	for i, m := range marked {
		bits := todo
		if i > 0 {
			bits = GP32()
		}
		if l.avx512 {
			KMOVW(m, bits)
		} else {
			VMOVMSKPS(m, bits)
		}
		if i > 0 {
			SHLL(U8(l.lanes*i), bits)
			ORL(bits, todo)
		}
	}
	TESTL(todo, todo)
}
