package align

import "unsafe"

// fenceArgs is the argument of the routines for fenced bands and states what they add to the recurrence of
// bandArgs. Alignments may leave the band and come back to it. What those beside it cost at least is known of
// seeds (fenceseeds.go), as for lanesArgs: Before is for alignments for which each seed counts that lies
// beside the band, and InSeed for those that have come there since the last seed began. In step c an odd
// antidiagonal a = 2c+1 and an even one follow each other, and the first lane comes to cell (i,j) with
// i = a/2 - k/2 + 1 on its even diagonal k. What leads out of the first lane comes before what leads in:
//
//	InSeed = min(InSeed, Ins that leaves the first lane on the odd antidiagonal)
//	Before = Before + what the seed costs that ends behind letter i-1
//	Del(a+1,k) = min(InSeed, Before) + leftIn
//
// and then, where a seed begins, InSeed less leftOut comes to Before, and InSeed begins anew. On the other side it
// is the Del that leaves the last lane on the even antidiagonal that leads out, in the next step
//
//	Ins = min(InSeed - rightIn, Before - beforeIn) + open
//
// leads in on the odd antidiagonal, and rightOut is in the place of leftOut.
//
// So a band has costs that are no higher than those of any alignment, and lower than those of alignments that have
// been beside it. Costs are relative to the antidiagonal, as in bandArgs: InSeed and Before to the odd one on the
// left and to the even one on the right.
type fenceArgs struct {
	bandArgs
	fence  *fence
	events *fenceEvent // of each step
	least  *uint16     // for the least H of fenceLanes lanes each at the end, plus leastBias

	leftIn            fencePair
	rightIn, beforeIn fencePair
	_                 int32
}

// fence has what alignments beside a band cost at least.
type fence struct {
	beforeLeft, inSeedLeft   int16
	beforeRight, inSeedRight int16
	insRight                 int16 // the Ins that leads in on the right in the next step
}

// fenceEvent has what seeds change in a step.
type fenceEvent struct{ left, right fenceSide }

// fenceSide is a fenceEvent on one side.
type fenceSide struct {
	cost  fencePair // of the seed that ends, less 2·GapExtend
	begin fencePair // bandInf where a seed begins, else noSeed
	out   fencePair // leftOut or rightOut where a seed begins, else noSeed
}

// fencePair is a number, twice: pairs are quicker to load into all lanes.
type fencePair [2]int16

func pairOf(c int16) fencePair { return fencePair{c, c} }

const (
	noSeed     = -1 << 15
	fenceLanes = 16
	leastBias  = 1 << 15
)

func (a *fenceArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// none sets the costs for a band that no alignment has left.
func (f *fence) none() { *f = fence{bandInf, bandInf, bandInf, bandInf, bandInf} }
