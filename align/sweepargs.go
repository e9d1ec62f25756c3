package align

import "unsafe"

// sweepArgs is the argument of the sweep routines and states their recurrence. A sweep computes
// a strip of the matrix, rows of neighbouring pattern letters, from the first column to the
// last. Lanes hold the rows of the strip in reverse, lane 0 the last one, and each row is one
// column behind the row before it: with R rows, lane l of step t is column t - (R-1-l). So the
// letters of the text stand in the order of the lanes, text[0] in lane 0 of the first step, and
// all cells of a step are on one antidiagonal.
//
// A step computes, from the cells of the step before,
//
//	Del = min(Del + extend, H + open)                 in the same row
//	Ins = min(Ins + extend, H + open)                 from the row before
//	H   = min(H of the row and column before + match or mismatch, Del, Ins, floor)
//
// and the same with openLong and extendLong for a second cost of gaps. Costs are relative, as
// relativeCosts says, to a cost of each letter that the caller chooses. Before its first column and
// behind its last one, where the text has the letter textEnd, a row keeps its H.
//
// h, g and long are elements 0, for the first step, of the H and Ins of the strip's border: the
// row before the strip on input, in the column of its first row, and the last row of the strip
// on output: Ins R elements before the one that is read, and H R-1 elements.
//
// The state has whole vectors: H, Del, Ins, the H of the row and column before, with a second
// cost of gaps Del and Ins of it, and for routines that track it the least H so far.
type sweepArgs struct {
	state         unsafe.Pointer
	pattern, text *byte // pattern: the letter of lane 0, those of the rows before it behind it
	h, g, long    unsafe.Pointer
	steps         int
	history       unsafe.Pointer // where each step's H goes
	stride        int            // bytes from one step's to the next's, 0 where they are not kept
	constants     unsafe.Pointer // vectors in the order of the constants below, the last of textEnd
}

// The parts of a state, in vectors of the strip each; the least H is the last one.
const (
	sweepH = iota
	sweepDel
	sweepIns
	sweepBefore
	sweepDelLong
	sweepInsLong
	sweepParts
)

// The constants: costs, of which mismatch is what one costs more than a match.
const (
	sweepMatch = iota
	sweepMismatch
	sweepOpen
	sweepExtend
	sweepOpenLong
	sweepExtendLong
	sweepFloor
	sweepEnd
	sweepConstants
)

// sweepKernels are the sweep routines of one code path for one type of cells.
type sweepKernels struct {
	lanes int
	// free is for one cost of gaps where extend is 0, affine for any; least tracks the least
	// cost. long and longLeast are for two costs of gaps. Each has strips of several sizes.
	free, affine, least, long, longLeast []sweepRoutine
}

// sweepRoutine computes strips of so many vectors.
type sweepRoutine struct {
	vectors int
	step    float64 // its cost in nanoseconds: see choose.go
	run     func(*sweepArgs)
}

func (a *sweepArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }
