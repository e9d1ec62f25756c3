package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extender emits the extension of one vector of offsets, lane by lane: almost every run is
// shorter than a word, so one comparison of words is enough, and the lanes overlap in the
// pipeline. Gathering all lanes is slower. A longer run goes on with vectors of letters.
type extender struct {
	pattern, text reg.GPVirtual
	avx512        bool
}

// extenderVector is the number of letters that are compared at a time, after a word: most long
// runs are shorter, and sequences are padded by as many.
const extenderVector = 64

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
	TZCNTQ(x, x)
	SHRQ(U8(3), x)
	Label("differ")
	ADDQ(x, h)
	MOVL(h.As32(), at)
	BLSRL(todo, todo)
	JNZ(LabelRef("lane"))
	JMP(LabelRef(next))
	Label("same")
	ADDQ(U8(8), h)
	ADDQ(U8(8), v)
	Label("long")
	e.vector(Mem{Base: e.pattern, Index: v, Scale: 1}, h, x)
	JNZ(LabelRef("end"))
	ADDQ(I32(extenderVector), h)
	ADDQ(I32(extenderVector), v)
	JMP(LabelRef("long"))
	Label("end")
	TZCNTQ(x, x)
	JMP(LabelRef("differ"))
}

// vector compares letters of the pattern with those of the text from offset h on. A bit of x is
// set, and the zero flag is not, where they differ.
func (e extender) vector(pattern Mem, h, x reg.GPVirtual) {
	text := Mem{Base: e.text, Index: h, Scale: 1}
	if e.avx512 {
		letters, differ := ZMM(), K()
		VMOVDQU8(pattern, letters)
		VPCMPUB(U8(4), text, letters, differ)
		KMOVQ(differ, x)
		TESTQ(x, x)
		return
	}
	const half = extenderVector / 2
	low, high, bits := YMM(), YMM(), GP64()
	VMOVDQU(pattern, low)
	VMOVDQU(pattern.Offset(half), high)
	VPCMPEQB(text, low, low)
	VPCMPEQB(text.Offset(half), high, high)
	VPMOVMSKB(low, x.As32())
	VPMOVMSKB(high, bits.As32())
	SHLQ(U8(half), bits)
	ORQ(bits, x)
	XORQ(I32(-1), x)
}

// all extends n lanes, as lanes does where todo has every bit. Without a loop over bits a lane
// takes half of the instructions.
func (e extender) all(n int, row, from reg.Register, next string) {
	base, pattern, h, x := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: row, Index: from, Scale: 4}, base)
	MOVQ(e.pattern, pattern)
	SUBQ(from, pattern)
	letters := func(j int) Mem { return Mem{Base: pattern, Index: h, Scale: 1, Disp: -j} }
	for j := range n {
		MOVLQSX(Mem{Base: base, Disp: 4 * j}, h)
		MOVQ(letters(j), x)
		XORQ(Mem{Base: e.text, Index: h, Scale: 1}, x)
		JZ(LabelRef(fmt.Sprintf("same%d", j)))
		TZCNTQ(x, x)
		SHRQ(U8(3), x)
		Label(fmt.Sprintf("differ%d", j))
		ADDQ(x, h)
		MOVL(h.As32(), Mem{Base: base, Disp: 4 * j})
	}
	JMP(LabelRef(next))
	for j := range n {
		Label(fmt.Sprintf("same%d", j))
		ADDQ(U8(8), h)
		Label(fmt.Sprintf("long%d", j))
		e.vector(letters(j), h, x)
		JNZ(LabelRef(fmt.Sprintf("end%d", j)))
		ADDQ(I32(extenderVector), h)
		JMP(LabelRef(fmt.Sprintf("long%d", j)))
		Label(fmt.Sprintf("end%d", j))
		TZCNTQ(x, x)
		JMP(LabelRef(fmt.Sprintf("differ%d", j)))
	}
}
