package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sweep is one sweep routine: see align.sweepArgs.
type sweep struct {
	*vectors
	bits  int  // of a cell
	w     int  // vectors of a strip
	long  bool // two costs of gaps
	free  bool // lengthening a gap of the first cost costs nothing
	track bool // the least cost and a floor
}

func (s sweep) wide() bool { return s.bits == 32 }
func (s sweep) cell() int  { return s.bits / 8 }
func (s sweep) lanes() int { return s.size / s.cell() }

func (s sweep) name() string {
	n := fmt.Sprintf("sweep%d", s.bits)
	if s.long {
		n += "Long"
	}
	if s.free {
		n += "Free"
	}
	if s.track {
		n += "Least"
	}
	return fmt.Sprintf("%sBy%d%s", n, s.w, s.suffix)
}

// add adds costs. Those of 16 bits saturate where nothing else limits them.
func (s sweep) add(a, b Op, dst reg.VecVirtual) {
	switch {
	case s.wide():
		VPADDD(a, b, dst)
	case s.free || s.track:
		VPADDW(a, b, dst)
	default:
		VPADDSW(a, b, dst)
	}
}

func (s sweep) min(a, b Op, dst reg.VecVirtual) {
	if s.wide() {
		VPMINSD(a, b, dst)
	} else {
		VPMINSW(a, b, dst)
	}
}

// constant returns a vector of a constant: a register, or its place where registers are few.
func (s sweep) constant(name string, base reg.GPVirtual) Op {
	at := Mem{Base: base, Disp: goConst(name) * s.size}
	if s.size != 64 || s.long && name != "sweepMismatch" {
		return at
	}
	r := s.reg()
	s.load(at, r)
	return r
}

// below moves every lane to the one below it; the last lane comes from lane 0 of next.
func (s sweep) below(v, next, dst reg.VecVirtual) {
	switch {
	case !s.wide():
		s.down(v, next, dst)
	case s.size == 64:
		VALIGND(U8(1), v, next, dst)
	default:
		t := YMM()
		VPERM2I128(U8(0x21), next, v, t)
		VPALIGNR(U8(4), v, t, dst)
	}
}

// border loads an element of the border into lane 0.
func (s sweep) border(at Mem) reg.VecVirtual {
	r := s.reg()
	VMOVD(at, r.AsX())
	return r
}

// put stores lane 0 of v, so many rows back. In lanes of 16 bits the next element changes, too,
// which the next step stores.
func (s sweep) put(v reg.VecVirtual, at Mem, rows int) {
	VMOVD(v.AsX(), at.Offset(-rows*s.cell()))
}

// letters adds the cost of a mismatch to d where letters differ and writes the lesser of it and least to h, in rows that
// have begun and not ended.
func (s sweep) letters(x, end Op, d, least, h reg.VecVirtual, text, pattern Mem) {
	half := s.size / s.cell() // bytes of letters
	if s.size == 64 {
		b, e := YMM(), end
		differ, inside := K(), K()
		if half == 16 {
			bx := XMM()
			VMOVDQU8(text, bx)
			VPCMPUB(U8(4), pattern, bx, differ)
			VPCMPUB(U8(4), lower(e, reg.VecVirtual.AsX), bx, inside)
		} else {
			VMOVDQU8(text, b)
			VPCMPUB(U8(4), pattern, b, differ)
			VPCMPUB(U8(4), lower(e, reg.VecVirtual.AsY), b, inside)
		}
		switch {
		case s.wide():
			VPADDD(x, d, differ, d)
		case s.free || s.track:
			VPADDW(x, d, differ, d)
		default:
			VPADDSW(x, d, differ, d)
		}
		if s.wide() {
			VPMINSD(least, d, inside, h)
		} else {
			VPMINSW(least, d, inside, h)
		}
		return
	}
	b, p, same, outside := XMM(), XMM(), YMM(), YMM()
	if half == 8 {
		VMOVQ(text, b)
		VMOVQ(pattern, p)
		VPCMPEQB(p, b, p)
		VPCMPEQB(end, b, b)
		VPMOVSXBD(p, same)
		VPMOVSXBD(b, outside)
	} else {
		VMOVDQU(text, b)
		VPCMPEQB(pattern, b, p)
		VPCMPEQB(end, b, b)
		VPMOVSXBW(p, same)
		VPMOVSXBW(b, outside)
	}
	VPANDN(x, same, same)
	s.add(same, d, d)
	s.min(least, d, d)
	VPBLENDVB(outside, h, d, h)
}

// lower returns a part of op if it is a register.
func lower(op Op, part func(reg.VecVirtual) reg.Register) Op {
	if r, ok := op.(reg.VecVirtual); ok {
		return part(r)
	}
	return op
}

// emit emits the routine.
func (s sweep) emit() {
	TEXT(s.name(), NOSPLIT, "func(args *byte)")
	Doc(s.name() + " computes a part of a strip: see sweepArgs.")
	Pragma("noescape")
	args := Load(Param("args"), GP64()).(reg.GPVirtual)
	pointer := func(field string) reg.GPVirtual {
		r := GP64()
		MOVQ(sweepArgs.at(args, field), r)
		return r
	}
	text, pattern, state := pointer("text"), pointer("pattern"), pointer("state")
	// The step counts up to 0, and all elements are found from the last ones.
	steps, step := pointer("steps"), GP64()
	ADDQ(steps, text)
	border := func(field string) Mem {
		base := pointer(field)
		for range s.cell() {
			ADDQ(steps, base)
		}
		return Mem{Base: base, Index: step, Scale: uint8(s.cell())}
	}
	hb, gb := border("h"), border("g")
	var lb Mem
	history, stride := pointer("history"), pointer("stride")
	costs := pointer("constants")
	constant := func(name string) Op { return s.constant(name, costs) }
	match, x, open := constant("sweepMatch"), constant("sweepMismatch"), constant("sweepOpen")
	var extend, openLong, extendLong, floor Op
	if !s.free {
		extend = constant("sweepExtend")
	}
	if s.long {
		lb = border("long")
		openLong, extendLong = constant("sweepOpenLong"), constant("sweepExtendLong")
	}
	if s.track {
		floor = constant("sweepFloor")
	}
	end := constant("sweepEnd")

	part := 0
	load := func() []reg.VecVirtual {
		v := make([]reg.VecVirtual, s.w)
		for j := range v {
			v[j] = s.reg()
			s.load(Mem{Base: state, Disp: (part*s.w + j) * s.size}, v[j])
		}
		part++
		return v
	}
	h, del, ins, before := load(), load(), load(), load()
	var del2, ins2, least []reg.VecVirtual
	if s.long {
		del2, ins2 = load(), load()
	}
	if s.track {
		least = load()
	}
	rows := s.w * s.lanes()

	XORQ(step, step)
	SUBQ(steps, step)

	Label("loop")
	gaps := func(j int, open, extend Op, del, ins []reg.VecVirtual) {
		o := s.reg()
		s.add(open, h[j], o)
		if extend != nil {
			s.add(extend, del[j], del[j])
			s.add(extend, ins[j], ins[j])
		}
		s.min(o, del[j], del[j])
		s.min(o, ins[j], ins[j])
	}
	for j := range s.w {
		gaps(j, open, extend, del, ins)
		if s.long {
			gaps(j, openLong, extendLong, del2, ins2)
		}
	}
	s.put(ins[0], gb, rows)
	if s.long {
		s.put(ins2[0], lb, rows)
	}
	for j := range s.w {
		next := func(v []reg.VecVirtual, border Mem) reg.VecVirtual {
			if j+1 < s.w {
				return v[j+1]
			}
			return s.border(border)
		}
		s.below(ins[j], next(ins, gb), ins[j])
		least := s.reg()
		s.min(ins[j], del[j], least)
		if s.long {
			s.below(ins2[j], next(ins2, lb), ins2[j])
			s.min(ins2[j], least, least)
			s.min(del2[j], least, least)
		}
		if s.track {
			s.min(floor, least, least)
		}
		d := s.reg()
		s.add(match, before[j], d)
		s.below(h[j], next(h, hb), before[j])
		from := j * s.lanes()
		s.letters(x, end, d, least, h[j], Mem{Base: text, Index: step, Scale: 1, Disp: from}, Mem{Base: pattern, Disp: from})
		s.store(h[j], Mem{Base: history, Disp: j * s.size})
	}
	if s.track {
		for j := range s.w {
			s.min(h[j], least[j], least[j])
		}
	}
	s.put(h[0], hb, rows-1)
	ADDQ(stride, history)
	INCQ(step)
	JNZ(LabelRef("loop"))

	part = 0
	save := func(v []reg.VecVirtual) {
		for j := range v {
			s.store(v[j], Mem{Base: state, Disp: (part*s.w + j) * s.size})
		}
		part++
	}
	for _, v := range [][]reg.VecVirtual{h, del, ins, before} {
		save(v)
	}
	if s.long {
		save(del2)
		save(ins2)
	}
	if s.track {
		save(least)
	}
	VZEROUPPER()
	RET()
}
