package align

import "unsafe"

// lanesArgs is the argument of the lanes routines and states their recurrence. They compute bands of
// several pairs at a time, one pair in each lane of vectors, row by row: a row has the cells of one
// letter of the pattern, by diagonals. Lanes have a byte, or two. With row 0 and the insertions into row 0 given,
//
//	Ins(i,d) = min(Ins(i-1,d+1) + insExtend, H(i-1,d+1) + insOpen)
//	Del(i,d) = min(Del(i,d-1) + delExtend, H(i,d-1) + delOpen)
//	H(i,d)   = min(H(i-1,d) + 0 or mismatch, Ins(i,d), Del(i,d))
//
// for letter i-1 of the pattern and letter i-1+d of the text, which are vectors of a letter of each
// pair, a byte each. Costs do not exceed the largest number of a lane, which stands for all higher ones, too.
//
// Alignments may leave the band and come back to it. What they cost beside it at least is known of
// seeds (lanebeside.go): Before(i) is that of alignments for which each seed counts that lies beside the
// band, and InSeed(i) that of those that have come there since the last seed began. On the left
//
//	InSeed(i) = min(InSeed(i-1), Ins(i-1,0) + insExtend, H(i-1,0) + insOpen)
//	Before(i) = Before(i-1) + what the seed costs that ends behind letter i-1
//	Del(i,0)  = min(InSeed(i), Before(i)) + leftIn
//
// and then, where a seed begins, InSeed less leftOut comes to Before. On the right it is Del(i,width) that
// leads out, rightOut is in the place of leftOut, and H(i,width) is InSeed(i) less rightIn or Before(i)
// less beforeIn. A difference is not below zero.
type lanesArgs struct {
	pattern, text *byte
	// h has row 0, and the next ones behind it, with one cell for each lane more than width each. Of lanes of two
	// bytes it has the low one of each cell but the last.
	h           unsafe.Pointer
	row         unsafe.Pointer // the last row, of lanes of two bytes
	ins         unsafe.Pointer // insertions into the last row, one vector more than width
	rows, width int            // neither is 0
	stride      int            // bytes from a row of h to the next one
	costs       unsafe.Pointer // vectors in the order of the constants below
	beside      unsafe.Pointer // lanesBeside vectors for each row
	state       unsafe.Pointer // lanesStates vectors, of the last row
}

// The constants, where open is what the first letter of a gap costs.
const (
	lanesMismatch = iota
	lanesInsOpen
	lanesInsExtend
	lanesDelOpen
	lanesDelExtend
	lanesLeftOut
	lanesLeftIn
	lanesRightOut
	lanesRightIn
	lanesBeforeIn
	lanesConstants
)

// What is known of a row beside the band.
const (
	lanesSeedLeft  = iota // what the seed costs that ends here
	lanesSeedRight        // on the right
	lanesBegin            // the largest number where a seed begins behind this row, else 0
	lanesBeside
)

// What alignments beside the band cost.
const (
	lanesBeforeLeft = iota
	lanesInSeedLeft
	lanesBeforeRight
	lanesInSeedRight
	lanesStates
)

// laneCell is the type of a lane.
type laneCell interface{ uint8 | uint16 }

// laneMax returns the largest number of a lane.
func laneMax[C laneCell]() int { return int(^C(0)) }

func (a *lanesArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// laneRoutine computes bands in lanes of one size.
type laneRoutine struct {
	lanes int
	run   func(*lanesArgs)
}

// lanesKernel are routines for lanes of a byte and of two. There is none of bytes for AVX-512: bands of twice as
// many pairs leave the cache.
type lanesKernel struct {
	bytes, words laneRoutine
	// places looks for seeds: see seedArgs.
	places func(*seedArgs) int
}
