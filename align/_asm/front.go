package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// frontVectors hides what differs between the two register widths.
type frontVectors struct {
	computeVectors
	indices Mem // 0, 1, 2, …
	// diagonal adds more to h where the letters differ.
	diagonal func(more, h reg.VecVirtual, pattern, text Mem)
	// below returns a mask of the lanes of i that are less than n, and keep leaves the others of v no.
	below  func(i, n reg.VecVirtual) reg.Register
	keep   func(mask reg.Register, v, no reg.VecVirtual)
	spread func(n reg.Register, to reg.VecVirtual)
	// note makes the lanes of c that are at most least these, and i their places.
	note func(c, i, least, at reg.VecVirtual)
}

func frontAVX512(indices Mem) frontVectors {
	return frontVectors{
		computeVectors: computeAVX512(), indices: indices,
		diagonal: func(more, h reg.VecVirtual, pattern, text Mem) {
			b, differ := XMM(), K()
			VMOVDQU8(text, b)
			VPCMPUB(U8(4), pattern, b, differ)
			VPADDD(more, h, differ, h)
		},
		below: func(i, n reg.VecVirtual) reg.Register {
			mask := K()
			VPCMPD(U8(1), n, i, mask)
			return mask
		},
		keep:   func(mask reg.Register, v, no reg.VecVirtual) { VPBLENDMD(v, no, mask, v) },
		spread: func(n reg.Register, to reg.VecVirtual) { VPBROADCASTD(n, to) },
		note: func(c, i, least, at reg.VecVirtual) {
			less := K()
			VPCMPD(U8(2), least, c, less)
			VPMINSD(c, least, least)
			VPBLENDMD(i, at, less, at)
		},
	}
}

func frontAVX2(indices Mem) frontVectors {
	return frontVectors{
		computeVectors: computeAVX2(), indices: indices,
		diagonal: func(more, h reg.VecVirtual, pattern, text Mem) {
			b, c, same := XMM(), XMM(), YMM()
			VMOVQ(text, b)
			VMOVQ(pattern, c)
			VPCMPEQB(c, b, b)
			VPMOVSXBD(b, same)
			VPANDN(more, same, same)
			VPADDD(same, h, h)
		},
		below: func(i, n reg.VecVirtual) reg.Register {
			mask := YMM()
			VPCMPGTD(i, n, mask)
			return mask
		},
		keep: func(mask reg.Register, v, no reg.VecVirtual) { VPBLENDVB(mask, v, no, v) },
		spread: func(n reg.Register, to reg.VecVirtual) {
			VMOVD(n, to.AsX())
			VPBROADCASTD(to.AsX(), to)
		},
		note: func(c, i, least, at reg.VecVirtual) {
			more := YMM()
			VPCMPGTD(least, c, more)
			VPMINSD(c, least, least)
			VPBLENDVB(more, at, i, at)
		},
	}
}

// front emits the routines that compute an antidiagonal by the recurrence of align.frontGo.
func front(v frontVectors) {
	v.front("front"+v.suffix, false)
	v.front("frontLong"+v.suffix, true)
}

// frontCosts are the relative costs of a gap, in all lanes.
type frontCosts struct{ open, extend reg.VecVirtual }

func (v frontVectors) front(name string, long bool) {
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " computes an antidiagonal: see frontGo.")
	Pragma("noescape")
	args, i, n := Load(Param("args"), GP64()).(reg.GPVirtual), GP64(), GP64()
	row := func(field string) func(shift int) Mem {
		base := GP64()
		MOVQ(frontArgs.at(args, field), base)
		return func(shift int) Mem { return Mem{Base: base, Index: i, Scale: 4, Disp: 4 * shift} }
	}
	letters := func(field string) Mem {
		base := GP64()
		MOVQ(frontArgs.at(args, field), base)
		return Mem{Base: base, Index: i, Scale: 1}
	}
	all := func(field string) reg.VecVirtual {
		r := v.reg()
		VPBROADCASTD(frontArgs.at(args, field), r)
		return r
	}
	now, last, before := row("now"), row("last"), row("before")
	ins, del := row("ins"), row("del")
	pattern, text := letters("pattern"), letters("text")
	match, more := all("match"), all("mismatch")
	VPSUBD(match, more, more)
	gap := frontCosts{all("open"), all("extend")}
	var gapLong frontCosts
	var insLong, delLong func(int) Mem
	if long {
		gapLong = frontCosts{all("openLong"), all("extendLong")}
		insLong, delLong = row("insLong"), row("delLong")
	}
	unreached, least, at, lane, cells := v.reg(), v.reg(), v.reg(), v.reg(), v.reg()
	t := GP32()
	v.broadcast(goConst("unreached"), t, unreached)
	v.move(unreached, least)
	v.move(v.indices, at)

	// The last vector, of which some lanes may be behind the cells.
	MOVQ(frontArgs.at(args, "n"), n)
	VPBROADCASTD(frontArgs.at(args, "n"), cells)
	LEAQ(Mem{Base: n, Disp: -1}, i)
	ANDQ(I32(-v.lanes), i)
	index := v.reg()
	MOVL(i.As32(), t)
	v.spread(t, index)
	v.move(v.indices, lane)
	VPADDD(lane, index, lane)
	vector := func(masked bool) {
		var in reg.Register
		if masked {
			in = v.below(lane, cells)
		}
		keep := func(r reg.VecVirtual) {
			if masked {
				v.keep(in, r, unreached)
			}
		}
		c := v.reg()
		v.move(before(-1), c)
		VPADDD(match, c, c)
		v.diagonal(more, c, pattern, text)
		one := func(from, state Mem, open, extend reg.VecVirtual, to Mem) {
			g, o := v.reg(), v.reg()
			v.move(state, g)
			VPADDD(extend, g, g)
			v.move(from, o)
			VPADDD(open, o, o)
			VPMINSD(o, g, g)
			VPMINSD(g, c, c)
			keep(g)
			v.move(g, to)
		}
		one(last(-1), ins(-1), gap.open, gap.extend, ins(0))
		one(last(0), del(0), gap.open, gap.extend, del(0))
		if long {
			one(last(-1), insLong(-1), gapLong.open, gapLong.extend, insLong(0))
			one(last(0), delLong(0), gapLong.open, gapLong.extend, delLong(0))
		}
		keep(c)
		v.move(c, now(0))
		v.note(c, lane, least, at)
	}
	vector(true)
	step := v.reg()
	v.broadcast(v.lanes, t, step)
	JMP(LabelRef("next"))
	Label("loop")
	vector(false)
	Label("next")
	VPSUBD(step, lane, lane)
	SUBQ(Imm(uint64(v.lanes)), i)
	JGE(LabelRef("loop"))
	v.move(least, frontArgs.at(args, "least"))
	v.move(at, frontArgs.at(args, "at"))
	VZEROUPPER()
	RET()
}
