package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// bundleMarks are the marks of a block of rows: those behind row first.
type bundleMarks struct {
	marks            unsafe.Pointer
	first, words     int
	row, cell, bytes int // of a row, a cell and a word
}

// marksOf returns those of rows of so many columns.
func (x *bundleMatrix) marksOf(first, columns int) bundleMarks {
	b := bundleMarks{marks: unsafe.Pointer(&x.marks[0]), first: first, words: x.bundle.routine.marks, bytes: x.bundle.kern.lanes * x.bundle.kern.bits / 8}
	b.cell = b.words * b.bytes
	b.row = columns * b.cell
	return b
}

// has reports whether cell (i,j), which is in the block, has a mark, a bit of a word.
func (b *bundleMarks) has(i, j, word, bit int) bool {
	at := (i-b.first-1)*b.row + (j-1)*b.cell + word*b.bytes + bit>>3
	return *(*uint8)(unsafe.Add(b.marks, at))>>(bit&7)&1 > 0
}

// bundleTrace follows the alignment of a pair from its end back to its begin by the rule of the
// package comment, as spanTraceback, over the marks of one block after another.
type bundleTrace struct {
	at    spanCell // where it has come to, with its cost
	cigar cigar.CIGAR
	done  bool
	// lost is set where the rows of a block do not tell the next step.
	lost bool
	// An insertion that has come to the first row of a block, of so many letters so far: the costs of
	// gaps that it may have, and the length of the shortest deletion, 0 for none.
	length  int
	pieces  [2]bool
	another int
}

// start sets the end of a pair.
func (t *bundleTrace) start(m *Model, p *bundleMember, dst cigar.CIGAR) {
	*t = bundleTrace{at: p.end, cigar: dst[:0]}
	t.at.cost -= m.FreeLetter * (p.pattern.n - t.at.v + p.text.n - t.at.h)
}

// run goes on over the rows of a block, whose marks have so many bits for each lane.
func (t *bundleTrace) run(m *Model, p *bundleMember, bits int, marks *bundleMarks) {
	pattern, text := p.pattern.first(), p.text.first()
	at := &t.at
	for !t.done {
		if t.length > 0 {
			if !t.insertion(m, p.lane*bits, marks) {
				return
			}
			continue
		}
		if at.cost == m.FreeLetter*(at.v+at.h) && m.mayBegin(at.v, at.h) {
			t.cigar.Reverse()
			t.done = true
			return
		}
		if n := matchesBefore(pattern, text, at.v, at.h); n > 0 {
			t.cigar = t.cigar.AppendElem(runMatch, n)
			at.v, at.h = at.v-n, at.h-n
			continue
		}
		if min(at.v, at.h) == 0 {
			t.edge(m)
			continue
		}
		if at.v <= marks.first {
			return
		}
		t.step(m, p.lane*bits, marks)
	}
}

// edge takes a gap in row 0 or column 0.
func (t *bundleTrace) edge(m *Model) {
	at := &t.at
	for l := 1; l <= max(at.v, at.h); l++ {
		c := at.cost - m.Cost(l)
		switch {
		case l <= at.v && m.left(at.v-l) == c:
			t.gap(m, runIns, l)
			return
		case l <= at.h && m.top(at.h-l) == c:
			t.gap(m, runDel, l)
			return
		}
	}
	t.lost, t.done = true, true
}

// step takes a step where letters differ, or begins with an insertion.
func (t *bundleTrace) step(m *Model, bit int, marks *bundleMarks) {
	at := &t.at
	v, h := at.v, at.h
	two := marks.words > markDelLongOpen
	t.another = 0
	t.pieces = [2]bool{marks.has(v, h, markIns, bit), two && marks.has(v, h, markInsLong, bit)}
	for piece, word := range [2]int{markDel, markDelLong} {
		if piece > 0 && !two || !marks.has(v, h, word, bit) {
			continue
		}
		l := 1
		for open := word + markDelOpen - markDel; marks.words > markDelOpen && h > l && !marks.has(v, h-l, open, bit); {
			l++
		}
		if t.another == 0 || l < t.another {
			t.another = l
		}
	}
	switch {
	case t.pieces != [2]bool{}:
		t.length = 1
	case t.another > 0:
		t.gap(m, runDel, t.another)
	default:
		t.cigar = t.cigar.AppendElem(runMismatch, 1)
		*at = spanCell{v - 1, h - 1, at.cost - m.Mismatch}
	}
}

// insertion lengthens an insertion until it may have begun or a deletion is shorter. It reports false
// if it comes to the first row.
func (t *bundleTrace) insertion(m *Model, bit int, marks *bundleMarks) bool {
	for ; ; t.length++ {
		v := t.at.v - t.length
		switch {
		case t.another > 0 && t.length > t.another:
			t.gap(m, runDel, t.another)
			return true
		case v == 0, marks.words <= markInsOpen:
			t.gap(m, runIns, t.length)
			return true
		case v == marks.first:
			// A deletion needs rows that are gone then.
			t.lost = t.another > 0
			t.done = t.lost
			return false
		}
		for piece, word := range [2]int{markInsOpen, markInsLongOpen} {
			if t.pieces[piece] && marks.has(v, t.at.h, word, bit) {
				t.gap(m, runIns, t.length)
				return true
			}
		}
	}
}

// gap takes a gap.
func (t *bundleTrace) gap(m *Model, op cigar.Elem, l int) {
	t.cigar = t.cigar.AppendElem(op, l)
	t.at.cost -= m.Cost(l)
	if op == runIns {
		t.at.v -= l
	} else {
		t.at.h -= l
	}
	t.length = 0
}
