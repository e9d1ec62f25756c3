package align

import "unsafe"

// lanesArgs is the argument of the lanes routines and states their recurrence. They compute bands of
// several pairs at a time, one pair in each lane of 16 bits, row by row: a row has the cells of one
// letter of the pattern, by diagonals. With row 0 and the insertions into row 0 given,
//
//	Ins(i,d) = min(Ins(i-1,d+1) + extend, H(i-1,d+1) + open)
//	Del(i,d) = min(Del(i,d-1) + extend, H(i,d-1) + open)
//	H(i,d)   = min(H(i-1,d) + 0 or mismatch, Ins(i,d), Del(i,d))
//
// for letter i-1 of the pattern and letter i-1+d of the text, which are vectors of a letter of each
// pair. Costs do not exceed lanesMost, which stands for all higher ones, too. Behind the last
// diagonal is one that costs so much.
type lanesArgs struct {
	pattern, text *byte
	h             unsafe.Pointer // row 0, the next ones behind it
	ins           unsafe.Pointer // insertions into the last row, one vector more than width
	rows, width   int            // neither is 0
	stride        int            // bytes from a row to the next one
	costs         unsafe.Pointer // vectors in the order of the constants below
}

// The constants, where open is what the first letter of a gap costs.
const (
	lanesMismatch = iota
	lanesOpen
	lanesExtend
	lanesNull // lanesMost
	lanesConstants
)

// lanesMost is the largest cost.
const lanesMost = 1<<16 - 1

func (a *lanesArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// lanesKernel is a routine for so many pairs.
type lanesKernel struct {
	lanes int
	run   func(*lanesArgs)
}
