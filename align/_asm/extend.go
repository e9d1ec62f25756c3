package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extender emits the extension of one vector of offsets, lane by lane: almost every run is
// shorter than a word, so one comparison of words is enough, and the lanes overlap in the
// pipeline. Gathering all lanes is slower.
type extender struct {
	pattern, text reg.GPVirtual
}

// lanes extends the lanes of todo, a bit for each, whose offsets stand at row[from]. The
// register pattern must be such that h minus the index into row addresses pattern[v]. It jumps
// to next when all are done. from may be nil for 0.
func (e extender) lanes(todo reg.Register, row, from reg.Register, next string) {
	j, h, v, x := GP64(), GP64(), GP64(), GP64()
	at := Mem{Base: row, Index: j, Scale: 4}
	Label("lane")
	TZCNTL(todo, j.As32())
	if from != nil {
		ADDQ(from, j)
	}
	MOVLQSX(at, h)
	MOVQ(h, v)
	SUBQ(j, v)
	MOVQ(Mem{Base: e.pattern, Index: v, Scale: 1}, x)
	XORQ(Mem{Base: e.text, Index: h, Scale: 1}, x)
	JZ(LabelRef("same"))
	Label("differ")
	TZCNTQ(x, x)
	SHRQ(U8(3), x)
	ADDQ(x, h)
	MOVL(h.As32(), at)
	BLSRL(todo, todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef(next))
	Label("same")
	ADDQ(U8(8), v)
	ADDQ(U8(8), h)
	MOVQ(Mem{Base: e.pattern, Index: v, Scale: 1}, x)
	XORQ(Mem{Base: e.text, Index: h, Scale: 1}, x)
	JZ(LabelRef("same"))
	JMP(LabelRef("differ"))
}
