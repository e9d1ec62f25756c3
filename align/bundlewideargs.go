package align

import "unsafe"

// bundleWideArgs is the argument of the routines of wide bundles and states their recurrence. They are
// for alignments that may end anywhere, with one pair in each lane of 16 bits and what cells are worth:
// their relative cost (relativeCosts) subtracted from a bias. Results below 0 are 0:
//
//	d        = H(i-1,j-1) + match + mismatch if the letters are equal, else H(i-1,j-1); less mismatch
//	H(i,j)   = max(d, Ins(i,j), Del(i,j))
//	Ins(i+1,j) = max(Ins(i,j) - extend, H(i,j) - open)
//	Del(i,j+1) = max(Del(i,j) - extend, H(i,j) - open)
//
// and the same with openLong and extendLong for a second cost of gaps. Where extend is open, Ins and
// Del are H - open. In column 0, Del is H - open of it.
//
// The largest H, which has to exceed best, is noted with the first row that has it and, by routines
// that keep marks, the first column of that row. Marks are those of bundleArgs.
type bundleWideArgs struct {
	pattern, text *byte          // vectors of letters, half as long as others
	state         unsafe.Pointer // for each column a vector of H, of Ins and of the second Ins
	left          *uint16        // H of column 0, from the row before the first one on
	rows, columns int            // neither is 0
	from          int            // rows before the first one
	marks         unsafe.Pointer // of the rows, where the routine keeps them
	constants     unsafe.Pointer // vectors in the order of the constants below
	best          unsafe.Pointer // vectors of the largest H, its row and its column
}

// The constants; wideEqual is match + mismatch.
const (
	wideEqual = iota
	wideMismatch
	wideOpen
	wideExtend
	wideOpenLong
	wideExtendLong
	wideOne // 1
	wideConstants
)

func (a *bundleWideArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }
