package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The gotoh family, cuda/gotoh.cuh: exact, for most penalties and lengths. A part of a
// warp, a warp or a block computes a band of the matrix. Its time depends on the lengths
// and the width of the band, not on the score. The kernels of the gotoh_free family align patterns within texts.
//
// A band certifies scores by the gaps of an alignment that leaves it, and by the broken seeds of a pair,
// cuda/brokenseeds.cuh, which a kernel of their own counts first. The slack of a score is what the narrowest band
// certifies by gaps alone that certifies the score by broken seeds: the less, the narrower.

const (
	// gotohWarps is the largest number of warps of a pair; cuda/gotohband.cuh.
	gotohWarps = 16
	// gotohRange is the largest difference between the values of cells that 16 bits hold
	// beside how they change between two shifts.
	gotohRange = 44_000
	// gotohLongest is the longest text that the traceback takes.
	gotohLongest = 1 << 26
	// gotohRows is the number of steps between two checkpoints, gotohLines that of lines that a lane writes at a time,
	// and gotohHead that of words ahead of them; cuda/gotohcheckpoints.cuh.
	gotohRows, gotohLines, gotohHead = 8, 4, 4
	// gotohSpare is the memory behind the pairs that groups without a pair read.
	gotohSpare = 8 << 10
	// gotohSeeded is the least number of lanes of kernels that use broken seeds. Narrower bands take little time.
	gotohSeeded = 4
	// gotohLeaving is the memory of a pair for what broken seeds tell, in bytes, and gotohTables is the number of seed
	// tables that the shared memory of an SM has room for.
	gotohLeaving, gotohTables = 16, 24
	// gotohWide is the least half of bands that certify scores by what is outside;
	// cuda/gotohband.cuh. borderLow is how much lower than others values at borders may be, and
	// mostEdged the largest sum of penalties of pairs for which values at the edges are stored;
	// cuda/gotohrims.cuh and cuda/gotohedges.cuh.
	gotohWide, borderLow, mostEdged = 84, 1100, 1<<27 - 1
	// lettersAround is the number of letters around a pattern within a text that are taken to be there; cuda/gotohband.cuh.
	lettersAround = 100
	// segmentLetters is the length of a segment, and segmentWarps the number of warps of a block
	// that measures some, at most; cuda/indels.cuh.
	segmentLetters, segmentWarps = 64, 8
)

// gotoh is a compiled kernel with some lanes for each pair.
type gotoh struct {
	gotohBand
	family  *Family
	kernel  *driver.Function
	trace   *driver.Function // nil for scores alone
	seeds   *driver.Function // nil if the band certifies by gaps alone
	detours *driver.Function // global: certifies scores after the band; nil if there is none
	outside *driver.Function // with free ends: looks outside of the rims before the band; nil if it has none
	sms     int
	cell    float64 // work of a cell
	longest int     // text that it takes
	whole   int     // longest text of which each kernel that looks outside of bands computes the whole matrix
}

// looks reports whether what is outside of bands certifies scores.
func (k *gotoh) looks() bool { return k.detours != nil || k.outside != nil }

// tells reports whether results tell the slack that pairs with a text have in bands. If the whole
// matrix is computed, there is nothing outside, and seeds alone tell too much, unless bands are no
// narrower.
func (k *gotoh) tells(text int) bool {
	return !k.looks() || text > k.strips()*k.columns || text <= k.whole
}

func (k *gotoh) Family() *Family { return k.family }

func (k *gotoh) Band() align.AdaptiveBand { return align.AdaptiveBand{} }

// half returns the number of diagonals beside those that the ends of an alignment are likely to have, in bands with rims of
// patterns within longer texts, and beside for others, as GotohBand of cuda/gotohband.cuh does.
func (k *gotoh) half(pattern, text int) int {
	beside := k.beside(pattern, text)
	if beside < 0 || beside == MaxBound || k.outside == nil {
		return beside
	}
	return beside + min(max(text-pattern, 0), lettersAround)/2
}

// slack returns the largest slack that the band certifies, negative if it lacks the end cell. It is
// that of a score of sequences of one length: how many diagonals others need on either side of those
// from 0 to the end cell's, or likely ends, does not depend on how many these are.
func (k *gotoh) slack(pattern, text int) int {
	half := k.half(pattern, text)
	if half < 0 || half == MaxBound {
		return half
	}
	return gapsCertify(k.penalties, k.free, half)
}

// Takes reports whether the band certifies the bound by gaps alone.
func (k *gotoh) Takes(pattern, text, bound int) bool {
	return bound <= k.certifies(pattern, text) && k.holdsLengths(pattern, text)
}

// takesSlack reports whether the band certifies scores with a slack.
func (k *gotoh) takesSlack(pattern, text, slack int) bool {
	return slack <= k.slack(pattern, text) && k.holdsLengths(pattern, text)
}

func (k *gotoh) holdsLengths(pattern, text int) bool {
	return text <= k.longest && pattern <= gotohLongest
}

// stretch returns up to which bound the kernel takes about as long. With broken seeds, what it certifies depends on the
// pair. A higher bound takes more memory for CIGARs, so that fewer pairs are in a launch, and more of what is outside of rims is looked at.
func (k *gotoh) stretch(pattern, text, bound int) int {
	most := bound + bound/4
	switch {
	case k.outside != nil:
		return bound
	case k.seeds != nil:
		return most
	}
	return max(bound, min(k.certifies(pattern, text), most))
}

// MaxBound does not depend on the memory: what is stored depends on the lengths alone.
func (k *gotoh) MaxBound(int) int { return MaxBound }

func (k *gotoh) Outcome(flags abi.Flags) Outcome {
	if flags == abi.FlagNoRoom && Exceeds(k) {
		return NoRoom
	}
	return exactOutcome(flags)
}
