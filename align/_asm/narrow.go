package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow emits the routine that computes and extends wavefronts over narrowLanes diagonals, score
// after score: see align.narrowArgs. With ends there are several of them.
func narrow(l *narrowVectors, ends bool) {
	// A row holds M, then Ins, then Del.
	n := goConst("narrowLanes")
	insAt, delAt, stride := 4*n, 8*n, 12*n
	name := "narrow"
	if ends {
		name = "narrowEnds"
	}
	f := beginNarrow(name, l, narrowArgs)
	f.ends = ends
	one := l.constant(1)

	f.extend(stride)
	source := func(field string, disp int) Mem {
		p := GP64()
		MOVQ(f.row, p)
		SUBQ(f.arg(field), p)
		return Mem{Base: p, Disp: disp}
	}
	mo, ge, mx := source("open", 0), source("extend", 0), source("mismatch", 0)
	ins, del, m := l.row(), l.row(), l.row()
	for i := range m {
		l.move(l.at(mo, i), del[i])
		VPMAXSD(l.at(ge.Offset(insAt), i), del[i], ins[i])
		VPMAXSD(l.at(ge.Offset(delAt), i), del[i], del[i])
	}
	var marked []reg.Register
	for i := range m {
		t, v := l.reg(), l.reg()
		VPADDD(l.at(mx, i), one, m[i])
		l.above(ins, i, t)
		l.move(t, f.element(insAt, i))
		VPMAXSD(t, m[i], m[i])
		l.below(del, i, v)
		VPADDD(one, v, v)
		l.move(v, f.element(delAt, i))
		VPMAXSD(v, m[i], m[i])
		VPSUBD(f.k[i], m[i], v)
		in := l.upTo(f.plen, v, l.upTo(f.tlen, m[i], nil))
		l.nullUnless(in, m[i])
		l.move(m[i], f.element(0, i))
		marked = append(marked, in)
	}
	f.end(marked)
}
