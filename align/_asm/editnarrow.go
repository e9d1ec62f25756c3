package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// editNarrow emits the routine that computes and extends wavefronts of edit distance over w times
// narrowLanes diagonals, score after score: see align.editNarrowArgs.
func editNarrow(w int, l *narrowVectors) {
	f := beginNarrow(fmt.Sprintf("editNarrow%d", w), l, editNarrowArgs)
	one, left, end := l.constant(1), l.reg(), l.field(f.arg("end"))
	t := GP32()
	MOVL(f.stop.As32(), t)
	SUBL(f.score.As32(), t)
	l.broadcast(t, left)
	beside := l.row() // how far diagonals are from the end diagonal
	for i := range beside {
		l.move(l.at(l.iota, i), beside[i])
		VPSUBD(end, beside[i], beside[i])
		VPABSD(beside[i], beside[i])
	}

	f.extend(4 * l.lanes * l.count)
	m := l.row()
	for i := range m {
		l.move(f.element(-4*l.lanes*l.count, i), m[i])
	}
	VPSUBD(one, left, left)
	var marked []reg.Register
	for i := range m {
		ins, del := l.reg(), l.reg()
		l.above(m, i, ins)
		l.below(m, i, del)
		VPMAXSD(m[i], del, del)
		VPADDD(one, del, del)
		VPMAXSD(ins, del, del)
		VPSUBD(f.k[i], del, ins)
		in := l.upTo(left, beside[i], l.upTo(f.plen, ins, l.upTo(f.tlen, del, nil)))
		l.nullUnless(in, del)
		l.move(del, f.element(0, i))
		marked = append(marked, in)
	}
	f.end(marked)
}
