package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// wideTest has the arguments of a routine of wide bundles.
type wideTest struct {
	pattern, text        []byte
	state, left          []uint16
	best                 []uint16
	marks                []byte
	rows, columns, lanes int
	constants            []uint16
}

func (b *wideTest) args() *byte {
	a := &bundleWideArgs{
		pattern: &b.pattern[0], text: &b.text[0], state: unsafe.Pointer(&b.state[0]), left: &b.left[0], from: 7,
		rows: b.rows, columns: b.columns, marks: unsafe.Pointer(&b.marks[0]), constants: unsafe.Pointer(&b.constants[0]),
		best: unsafe.Pointer(&b.best[0]),
	}
	return a.ptr()
}

// plain is the recurrence of bundleWideArgs, with columns of the best cells.
func (b *wideTest) plain(k *bundleKernels, f *bundleRoutine, costs [wideConstants]uint16) {
	lanes, pieces := b.lanes, f.parts-1
	less := func(a, b uint16) uint16 { return a - min(a, b) }
	open, extend := [2]uint16{costs[wideOpen], costs[wideOpenLong]}, [2]uint16{costs[wideExtend], costs[wideExtendLong]}
	for i := range b.rows {
		for l := range lanes {
			before := b.left[i]
			del := [2]uint16{less(b.left[i+1], open[0]), less(b.left[i+1], open[1])}
			most, from := uint16(0), uint16(0)
			for j := range b.columns {
				s := b.state[j*f.parts*lanes+l:]
				ins := [2]uint16{less(s[0], open[0])}
				for p := range pieces {
					ins[p] = s[(1+p)*lanes]
				}
				d := before
				if b.pattern[i*lanes+l] == b.text[j*lanes+l] {
					d += costs[wideEqual]
				}
				d = less(d, costs[wideMismatch])
				h := d
				for p := range max(1, pieces) {
					h = max(h, ins[p], del[p])
				}
				mark := func(word int, is bool) {
					for bit := range k.bits {
						at := &b.marks[((i*b.columns+j)*f.marks+word)*lanes*k.bits/8+(l*k.bits+bit)/8]
						*at &^= 1 << ((l*k.bits + bit) % 8)
						if is {
							*at |= 1 << ((l*k.bits + bit) % 8)
						}
					}
				}
				for p := range max(1, pieces) {
					mark(4*p+markIns, ins[p] == h && h > d)
					mark(4*p+markDel, del[p] == h && h > d)
				}
				if h > most {
					most, from = h, uint16(j+1)
				}
				before, s[0] = s[0], h
				if pieces == 0 {
					del[0] = less(h, open[0])
				}
				for p := range pieces {
					o := less(h, open[p])
					ins, d := max(less(ins[p], extend[p]), o), max(less(del[p], extend[p]), o)
					mark(4*p+markInsOpen, o == ins)
					mark(4*p+markDelOpen, o == d)
					s[(1+p)*lanes], del[p] = ins, d
				}
			}
			if most > b.best[l] {
				b.best[l], b.best[lanes+l], b.best[2*lanes+l] = most, uint16(8+i), from
			}
		}
	}
}

// The assembly computes the rows, marks and best cells that the recurrence defines.
func TestWideBundleKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 21))
	eachSIMDKernels(t, func(t *testing.T, k *kernels) {
		for range 60 {
			for pieces, f := range k.bundleWide.forms() {
				lanes, rows, columns := k.bundleWide.lanes, 1+r.IntN(11), 1+r.IntN(9)
				number := func(n int) uint16 { return uint16(1 + r.IntN(n)) }
				costs := [wideConstants]uint16{
					wideEqual: number(9), wideMismatch: number(6), wideOpen: number(9), wideExtend: number(3),
					wideOpenLong: number(20), wideExtendLong: number(2), wideOne: 1,
				}
				numbers := func(n, most int) []uint16 {
					s := make([]uint16, n)
					for i := range s {
						s[i] = uint16(r.IntN(most))
					}
					return s
				}
				b := &wideTest{
					rows: rows, columns: columns, lanes: lanes, left: numbers(rows+1, 30), best: numbers(wideParts*lanes, 30),
					pattern: randomLetters(r, rows*lanes), text: randomLetters(r, columns*lanes),
					state: numbers(columns*f.parts*lanes, 30), marks: make([]byte, rows*columns*f.marks*lanes*k.bundleWide.bits/8),
				}
				for _, c := range costs {
					b.constants = append(b.constants, slices.Repeat([]uint16{c}, lanes)...)
				}
				clone := func() *wideTest {
					c := *b
					c.state, c.best, c.marks = slices.Clone(b.state), slices.Clone(b.best), slices.Clone(b.marks)
					return &c
				}
				kept, last := clone(), clone()
				f.kept(kept.args())
				f.run(last.args())
				b.plain(k.bundleWide, &f, costs)
				if !slices.Equal(kept.state, b.state) || !slices.Equal(last.state, b.state) {
					t.Fatalf("%d costs, %d rows, %d columns: other cells", pieces, rows, columns)
				}
				if !slices.Equal(kept.marks, b.marks) {
					t.Fatalf("%d costs, %d rows, %d columns: other marks", pieces, rows, columns)
				}
				if !slices.Equal(kept.best, b.best) || !slices.Equal(last.best[:2*lanes], b.best[:2*lanes]) {
					t.Fatalf("%d costs, %d rows, %d columns: other best cells", pieces, rows, columns)
				}
			}
		}
	})
}
