package align

import (
	"math"
	"slices"
	"unsafe"
)

// bundleDifferences are the cells of bundles of global and ends-free alignments: bundleArgs has them.
type bundleDifferences struct {
	constants []int8
	left      []int8 // by row
	args      bundleArgs
}

// newBundleDifferences returns nil for models that it does not take: it finds ends in the last row
// alone, and differences have a byte.
func newBundleDifferences(b *bundle) *bundleDifferences {
	m := &b.model
	e, last := m.Gap.Extend, m.last()
	long := last.Open + last.Extend - e
	if max(m.Mismatch+m.Gap.Open+max(m.Gap.Open, long), m.Gap.Open+2*e) > math.MaxInt8 || m.Span == EndsFree && m.Free.PatternEnd > 0 {
		return nil
	}
	d := &bundleDifferences{}
	for _, c := range [bundleConstants]int{
		bundleMatch: -2 * e, bundleMismatch: m.Mismatch - 2*e, bundleOpen: m.Gap.Open,
		bundleOpenLong: long, bundleExtendLong: last.Extend - e,
	} {
		d.constants = append(d.constants, slices.Repeat([]int8{int8(c)}, b.kern.lanes)...)
	}
	return d
}

func (d *bundleDifferences) take(pattern, text int) bool { return true }

func (d *bundleDifferences) start(x *bundleMatrix) {
	b := x.bundle
	m, lanes, parts := &b.model, b.kern.lanes, b.routine.parts
	d.left = roomFor(d.left, x.rows)
	for i := range d.left {
		d.left[i] = int8(m.left(i+1) - m.left(i) - m.Gap.Extend)
	}
	last := m.last()
	opens := [2]int{m.Gap.Open, last.Open + last.Extend - m.Gap.Extend}
	before, column := 0, []byte(nil)
	for j := range x.columns {
		u := m.top(j+1) - m.top(j) - m.Gap.Extend
		like := column
		column = x.state[j*parts*lanes:][:parts*lanes]
		if j > 0 && u == before {
			copy(column, like)
			continue
		}
		before = u
		fill(column[:lanes], byte(u))
		for p := 1; p < parts; p++ {
			fill(column[p*lanes:][:lanes], byte(u+opens[p-1]))
		}
	}
}

func (d *bundleDifferences) advance(x *bundleMatrix, from, to, first, columns int, keep bool) {
	lanes := x.bundle.kern.lanes
	a := &d.args
	*a = bundleArgs{
		pattern: &x.pattern[from*lanes], text: &x.text[0], state: unsafe.Pointer(&x.state[0]), left: &d.left[from],
		rows: to - from, columns: columns, constants: unsafe.Pointer(&d.constants[0]),
	}
	if !keep {
		x.bundle.routine.run(a.ptr())
		return
	}
	a.marks = unsafe.Pointer(&x.marks[(from-first)*x.markSize(columns)])
	x.bundle.routine.kept(a.ptr())
}

func (d *bundleDifferences) lookAgain(x *bundleMatrix)                   {}
func (d *bundleDifferences) foundAgain(x *bundleMatrix, m *bundleMember) {}
