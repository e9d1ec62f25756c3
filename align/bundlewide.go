package align

import (
	"math"
	"slices"
	"unsafe"
)

// bundleWorths are the cells of bundles of alignments that may end anywhere: bundleWideArgs has them.
type bundleWorths struct {
	relative  relativeCosts
	local     bool
	bias      int
	constants []uint16
	left      []uint16 // by row, from row 0 on
	best      []uint16 // by part and lane
	found     []uint16 // the largest of all rows, by lane, when rows are computed again
	args      bundleWideArgs
}

// The parts of the best cells.
const (
	wideBest = iota
	wideRow
	wideColumn
	wideParts
)

func newBundleWorths(b *bundle) *bundleWorths {
	m := &b.model
	w := &bundleWorths{relative: newRelativeCosts(m), local: m.Span == Local}
	r := &w.relative
	for _, c := range [wideConstants]int32{
		wideEqual: r.mismatch - r.match, wideMismatch: r.mismatch, wideOpen: r.gap.open, wideExtend: r.gap.extend,
		wideOpenLong: r.long.open, wideExtendLong: r.long.extend, wideOne: 1,
	} {
		w.constants = append(w.constants, slices.Repeat([]uint16{uint16(c)}, b.kern.lanes)...)
	}
	w.best = make([]uint16, wideParts*b.kern.lanes)
	return w
}

// gain returns the most that a cell is worth besides the bias.
func (w *bundleWorths) gain(pattern, text int) int {
	return -int(w.relative.match) * min(pattern, text)
}

// biasFor returns the bias: cells below it by that much lead to no end.
func (w *bundleWorths) biasFor(pattern, text int) int {
	if w.local {
		return 0 // where an alignment begins
	}
	return w.gain(pattern, text) + 1
}

func (w *bundleWorths) take(pattern, text int) bool {
	r := &w.relative
	step := int(max(r.mismatch-r.match, r.gap.open, r.long.open))
	return w.biasFor(pattern, text)+w.gain(pattern, text)+step <= math.MaxUint16 && step <= math.MaxUint16/2
}

// cell returns what a cell at an edge holds that costs c and is l letters from the begin.
func (w *bundleWorths) cell(m *Model, c, l int) uint16 {
	return uint16(max(0, w.bias-c+l*m.FreeLetter))
}

func (w *bundleWorths) start(x *bundleMatrix) {
	b := x.bundle
	m, lanes, parts := &b.model, b.kern.lanes, b.routine.parts
	w.bias = 0
	for _, p := range x.members {
		w.bias = max(w.bias, w.biasFor(p.pattern.n, p.text.n))
	}
	w.left = roomFor(w.left, x.rows+1)
	for i := range w.left {
		w.left[i] = w.cell(m, m.left(i), i)
	}
	state := wordsOf(x.state)
	opens := [2]uint16{uint16(w.relative.gap.open), uint16(w.relative.long.open)}
	for j := range x.columns {
		h := w.cell(m, m.top(j+1), j+1)
		column := state[j*parts*lanes:][:parts*lanes]
		fill(column[:lanes], h)
		for p := 1; p < parts; p++ {
			fill(column[p*lanes:][:lanes], h-min(h, opens[p-1]))
		}
	}
	fill(w.best, 0)
	fill(w.best[:lanes], uint16(w.bias))
	w.found = w.found[:0]
}

// wordsOf returns bytes as words of 16 bits.
func wordsOf(s []byte) []uint16 { return unsafe.Slice((*uint16)(unsafe.Pointer(&s[0])), len(s)/2) }

func (w *bundleWorths) advance(x *bundleMatrix, from, to, first, columns int, keep bool) {
	lanes := x.bundle.kern.lanes
	a := &w.args
	*a = bundleWideArgs{
		pattern: &x.pattern[from*lanes], text: &x.text[0], state: unsafe.Pointer(&x.state[0]), left: &w.left[from],
		rows: to - from, columns: columns, from: from, constants: unsafe.Pointer(&w.constants[0]), best: unsafe.Pointer(&w.best[0]),
	}
	if !keep {
		x.bundle.routine.run(a.ptr())
		return
	}
	a.marks = unsafe.Pointer(&x.marks[(from-first)*x.markSize(columns)])
	x.bundle.routine.kept(a.ptr())
}

// findEnds finds ends; of those whose column is not known yet it is the last one.
func (w *bundleWorths) findEnds(x *bundleMatrix, members []*bundleMember) {
	b := x.bundle
	lanes := b.kern.lanes
	for _, p := range members {
		best, v, h := int(w.best[p.lane]), int(w.best[lanes+p.lane]), int(w.best[2*lanes+p.lane])
		if v > 0 && h == 0 {
			h = p.text.n
		}
		p.end = spanCell{v, h, w.bias - best + b.model.FreeLetter*(p.pattern.n+p.text.n)}
	}
}

// lookAgain looks for cells that are worth as much as the best ones.
func (w *bundleWorths) lookAgain(x *bundleMatrix) {
	lanes := x.bundle.kern.lanes
	if len(w.found) == 0 {
		w.found = append(w.found, w.best[:lanes]...)
	}
	for l, c := range w.found {
		w.best[l] = c - min(c, 1)
	}
	fill(w.best[lanes:], 0)
}

func (w *bundleWorths) foundAgain(x *bundleMatrix, m *bundleMember) {
	if h := int(w.best[2*x.bundle.kern.lanes+m.lane]); h > 0 {
		m.end.h = h
		m.trace.start(&x.bundle.model, m, m.trace.cigar)
	}
}
