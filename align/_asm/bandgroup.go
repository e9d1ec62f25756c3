package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// group emits the routine that runs p bands of one vector each side by side: one alone would
// wait for its own results most of the time. args points at p bandArgs; the number of steps and
// the penalties of the first are those of all. odd, ins and del begin at bandInf, and only the
// history is stored.
func (v *vectors) group(p int) {
	name := fmt.Sprintf("bandGroup%d%s", p, v.suffix)
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(fmt.Sprintf("%s runs %d bands of one vector each: see bandGroup.", name, p))
	Pragma("noescape")
	f := v.frame(false)
	type member struct {
		text, reverse, history reg.GPVirtual
		even, odd, ins, del    reg.VecVirtual
	}
	pairs := make([]member, p)
	for q := range pairs {
		l := &pairs[q]
		field := func(name string) reg.GPVirtual {
			r := GP64()
			MOVQ(bandArgs.at(f.args, name).Offset(q*bandArgs.size), r)
			return r
		}
		l.text, l.reverse, l.history = f.text, f.reverse, field("history")
		if q > 0 {
			l.text, l.reverse = field("text"), field("reverse")
		}
		l.even, l.odd, l.ins, l.del = v.reg(), v.reg(), v.reg(), v.reg()
		v.load(Mem{Base: field("even")}, l.even)
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
