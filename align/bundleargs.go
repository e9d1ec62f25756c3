package align

import "unsafe"

// bundleArgs is the argument of the routines of bundles and states their recurrence. They compute the
// whole matrices of several pairs at a time, one pair in each lane of a byte, row by row: a row has the
// cells of one letter of the pattern, by letters of the text. A cell has the differences of costs to
// cells beside it, which a byte holds however long the pair is (Suzuki and Kasahara 2018). With e what
// a letter of a gap costs,
//
//	u(i,j) = H(i,j) - H(i,j-1) - e    v(i,j) = H(i,j) - H(i-1,j) - e
//	a(i,j) = Ins(i,j) - H(i-1,j-1) - 2e    b(i,j) = Del(i,j) - H(i-1,j-1) - 2e
//
// and
//
//	z        = -2e if the letters are equal, else min(mismatch - 2e, a(i,j), b(i,j))
//	u(i,j)   = z - v(i,j-1)
//	v(i,j)   = z - u(i-1,j)
//	a(i+1,j) = min(z + open, a(i,j)) - v(i,j-1)
//	b(i,j+1) = min(z + open, b(i,j)) - u(i-1,j)
//
// With a second cost of gaps there are a and b of it, where a letter costs longExtend more than e. With
// open 0, a is u and b is v. In column 0, b is v + open.
//
// Marks tell for each lane which steps lead to a cell at its cost where letters differ: see
// markIns. Letters are vectors of a letter of each pair.
type bundleArgs struct {
	pattern, text *byte
	state         unsafe.Pointer // for each column a vector of u, of a and of the second a
	left          *int8          // v of column 0 for each row
	rows, columns int            // neither is 0
	marks         unsafe.Pointer // of the rows, where the routine keeps them
	constants     unsafe.Pointer // vectors in the order of the constants below
}

// The constants.
const (
	bundleMatch = iota
	bundleMismatch
	bundleOpen
	bundleOpenLong
	bundleExtendLong
	bundleConstants
)

// The marks of a cell, words with a bit for each lane. markIns is set where an insertion leads to the
// cell at its cost and no mismatch does. markInsOpen is set where an insertion of one letter from the
// cell costs no more than a longer one. The last four are of the second cost; without a cost of
// opening, there are the first two.
const (
	markIns = iota
	markDel
	markInsOpen
	markDelOpen
	markInsLong
	markDelLong
	markInsLongOpen
	markDelLongOpen
)

func (a *bundleArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// bundleKernels are the routines for so many pairs, of cells of so many bytes, with so many bits of a
// word of marks for each lane.
type bundleKernels struct {
	lanes, size, bits    int
	linear, affine, long bundleRoutine
}

// bundleRoutine computes rows. kept keeps their marks.
type bundleRoutine struct {
	parts, marks int // vectors of a column's state, words of a cell's marks
	run, kept    func(args *byte)
	cell, mark   float64 // costs in nanoseconds of a vector of cells: see choose.go
}

// pick returns the routine for a model.
func (k *bundleKernels) pick(m *Model) *bundleRoutine {
	switch {
	case m.Long != (Gap{}):
		return &k.long
	case m.Gap.Open > 0:
		return &k.affine
	}
	return &k.linear
}
