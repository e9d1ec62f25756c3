package kernel

import (
	"fmt"

	"wfagpu/align"
)

// shape is the shape of a compiled kernel with wavefronts in registers. Its number of
// diagonals bounds the scores that its band certifies.
type shape struct {
	pairThreads int    // threads per pair; 32 if a block aligns a pair
	words       int    // words of two diagonals per thread, over all warps of the pair
	warps       int    // warps per block
	pairs       int    // pairs per block at a time
	bases       int    // bases per look-ahead entry: 8, 16, or packed
	longest     int    // letters of the longer sequence above which another shape is faster; 0: none
	checkpoints bool   // stores checkpoints in place of rows
	origins     bool   // offsets count from origins that move; checkpoints have them
	rings       bool   // wavefronts are in shared memory, for any penalties
	free        bool   // patterns within texts
	blocks      int    // per SM that registers allow, if that matters
	name        string // part of the kernel's name
	arguments   string // of the macro that defines the kernel, after the penalties
}

// packed look-ahead tables hold the bases themselves, in two bits.
const packed = 0

// tableName returns the name of a look-ahead table in cuda/tables.cuh, without the
// prefix "Table".
func tableName(bases int) string {
	if bases == packed {
		return "Packed"
	}
	return fmt.Sprint(bases)
}

// half returns the number of diagonals on either side of the end cell's.
func (s *shape) half() int { return s.pairThreads * s.words }

// ofBlock reports whether a block aligns a pair, whose warps wait for each other.
func (s *shape) ofBlock() bool { return s.pairs == 1 && s.warps > 1 }

// threads returns the size of a block.
func (s *shape) threads() int { return 32 * s.warps }

// rowWords returns the size of a row of M of one pair, in words.
func (s *shape) rowWords() int { return s.pairThreads * s.words }

// spareRows returns the number of pairs past the last one whose rows are written: a
// warp writes rows for all its groups of threads, also for those without a pair.
func (s *shape) spareRows() int { return 32/s.pairThreads - 1 }

// tables returns the entries of the look-ahead tables of a text and a pattern, each
// at least least. Extensions read past the end of a sequence by less than an entry.
func (s *shape) tables(text, pattern, least int) (textEntries, patternEntries int) {
	const unit = 16 // entries, so that tables begin at multiples of 8 bytes
	round := func(n int) int { return (n + unit - 1) &^ (unit - 1) }
	beyond := s.bases
	if s.bases == packed {
		beyond = 16
	}
	return round(max(text+1, least)), round(max(pattern+1, least) + beyond)
}

// tableBytes returns the size of all look-ahead tables of a block for a number of
// entries per pair.
func (s *shape) tableBytes(entries int) int {
	if s.bases == packed {
		return s.pairs * (entries / 4)
	}
	return s.pairs * (entries * s.bases / 4) // two bits per base
}

// certifies returns the largest score that the band certifies for a pair whose end
// cell lies on diagonal end: the cost of a gap out of the band and one back to the
// end, or of one of these with free ends, minus one. It is negative if the band lacks diagonal 0 or the end's.
// Band of cuda/penalties.cuh computes the same.
func (s *shape) certifies(p *align.Penalties, end int) int {
	half := s.half()
	if s.free {
		beside := (2*half - 1 - end) >> 1
		if beside < 0 || beside >= 2*half {
			return -1
		}
		return p.GapOpen + p.GapExtend*(beside+1) - 1
	}
	if end > half || end <= -half {
		return -1
	}
	return 2*p.GapOpen + p.GapExtend*(2*half+min(end, 2-end)) - 1
}

// Unroll returns the number of scores in a block that kernels with wavefronts in
// registers unroll. They test the end cell after each block, and so may compute up
// to Unroll scores beyond the bound. cuda/variants-*.cuh asserts that
// Penalties::unroll is equal.
func Unroll(p align.Penalties) int {
	ring := max(p.Mismatch, p.GapOpen)
	turn := ring
	for turn%p.GapExtend != 0 {
		turn += ring
	}
	if turn >= 3 {
		return turn
	}
	return 4
}

// unroll is Unroll for kernels with wavefronts in registers, and the like for others.
func (s *shape) unroll(p align.Penalties) int {
	if s.rings {
		return ringScores
	}
	return Unroll(p)
}

// registerPenalties are the reduced penalties that kernels with wavefronts in
// registers are compiled for.
var registerPenalties = []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}}
