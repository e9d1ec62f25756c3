package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrowFrame is what the routines for narrow wavefronts share. The fields of their arguments
// have the same names.
type narrowFrame struct {
	*narrowVectors
	fields             goStruct
	args               reg.GPVirtual
	row, pattern, text reg.GPVirtual
	score, stop        reg.GPVirtual
	todo               reg.GPVirtual // lanes to extend
	plen, tlen         reg.VecVirtual
	k                  []reg.VecVirtual // diagonals
	ends               bool             // any of several ends will do
}

// beginNarrow emits the start of a routine.
func beginNarrow(name string, l *narrowVectors, fields goStruct) *narrowFrame {
	name += l.suffix
	TEXT(name, NOSPLIT, "func(args *byte)")
	Doc(name + " computes and extends wavefronts over few diagonals: see " + fields.name + ".")
	Pragma("noescape")
	f := &narrowFrame{narrowVectors: l, fields: fields, args: Load(Param("args"), GP64()).(reg.GPVirtual), todo: GP32()}
	f.row, f.text = f.load("row"), f.load("text")
	f.score, f.stop = f.load("score"), f.load("stop")
	l.null = l.constant(null)
	f.plen, f.tlen = l.field(f.arg("patternLen")), l.field(f.arg("textLen"))
	f.k = l.row()
	first := l.field(f.arg("first"))
	for i := range f.k {
		VPADDD(l.at(l.iota, i), first, f.k[i])
	}
	// Adding h and taking off the lane gives pattern[v].
	f.pattern = f.load("pattern")
	lane := GP64()
	MOVLQSX(f.arg("first"), lane)
	SUBQ(lane, f.pattern)
	return f
}

func (f *narrowFrame) arg(field string) Mem { return f.fields.at(f.args, field) }

func (f *narrowFrame) load(field string) reg.GPVirtual {
	r := GP64()
	MOVQ(f.arg(field), r)
	return r
}

// element is register i of the components of the row, disp bytes behind its start.
func (f *narrowFrame) element(disp, i int) Mem { return f.at(Mem{Base: f.row, Disp: disp}, i) }

// extend emits the extension of the row at score, and the end of the routine if the end cell is
// reached or the score is stop. The code that follows computes the next row, stride bytes on.
func (f *narrowFrame) extend(stride int) {
	var marked []reg.Register
	for i := range f.k {
		m := f.reg()
		f.move(f.element(0, i), m)
		marked = append(marked, f.reached(m))
	}
	f.list(marked, f.todo)
	JZ(LabelRef("check"))

	ext := extender{pattern: f.pattern, text: f.text, avx512: f.avx512}
	ext.lanes(f.todo, f.row, nil, "check")

	Label("check")
	if f.ends {
		before := f.load("ends")
		marked = marked[:0]
		for i := range f.k {
			m := f.reg()
			f.move(f.element(0, i), m)
			marked = append(marked, f.beyond(f.at(Mem{Base: before}, i), m))
		}
		f.list(marked, f.todo)
		JNZ(LabelRef("done"))
	} else {
		end, h := GP64(), GP32()
		MOVLQSX(f.arg("end"), end)
		MOVL(Mem{Base: f.row, Index: end, Scale: 4}, h)
		CMPL(h, f.arg("textLen"))
		JEQ(LabelRef("done"))
	}
	CMPQ(f.score, f.stop)
	JGE(LabelRef("done"))
	INCQ(f.score)
	ADDQ(I32(stride), f.row)
}

// end emits the extension of the marked lanes of the row, and the rest of the routine.
func (f *narrowFrame) end(marked []reg.Register) {
	f.list(marked, f.todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef("check"))

	Label("done")
	MOVQ(f.score, f.arg("score"))
	VZEROUPPER()
	RET()
}
