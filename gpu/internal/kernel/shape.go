package kernel

import (
	"fmt"

	"wfagpu/align"
)

// shape is the form in which a kernel with wavefronts in registers is compiled.
// Its diagonals bound the scores that a band certifies.
type shape struct {
	pairThreads int    // threads that share a pair, or of one warp of a block that does
	words       int    // of two diagonals, a thread, over all warps of the pair
	warps       int    // a block
	pairs       int    // that a block has at a time
	bases       int    // of an entry of the look-ahead tables: 8, 16, or packed
	name        string // as in the kernel's name
	arguments   string // of the macro that defines the kernel, after the penalties
}

// packed look-ahead tables hold the bases themselves, each twice, in two bits.
const packed = 0

// tableName is the name of the look-ahead tables as in cuda/lookahead.cuh, less
// "Table".
func tableName(bases int) string {
	if bases == packed {
		return "Packed"
	}
	return fmt.Sprint(bases)
}

// half is the number of diagonals on either side of the end cell's.
func (s *shape) half() int { return s.pairThreads * s.words }

// threads is the size of a block.
func (s *shape) threads() int { return 32 * s.warps }

// rowWords is the size of a row of M of one pair.
func (s *shape) rowWords() int { return s.pairThreads * s.words }

// spareRows is the number of pairs beyond the last one whose rows are written: a
// warp writes rows for all its groups of threads, those without a pair, too.
func (s *shape) spareRows() int { return 32/s.pairThreads - 1 }

// tables returns the entries of the look-ahead tables of a text and a pattern, at
// least some number. Extensions look past the end of a sequence by less than an
// entry.
func (s *shape) tables(text, pattern, least int) (textEntries, patternEntries int) {
	const unit = 16 // entries, so that tables begin at multiples of 8 bytes
	round := func(n int) int { return (n + unit - 1) &^ (unit - 1) }
	beyond := s.bases
	if s.bases == packed {
		beyond = 16
	}
	return round(max(text+1, least)), round(max(pattern+1, least) + beyond)
}

// tableBytes is the size of all look-ahead tables of a block, given the entries
// of one pair's.
func (s *shape) tableBytes(entries int) int {
	if s.bases == packed {
		return s.pairs * (entries / 2)
	}
	return s.pairs * (entries * s.bases / 4) // two bits a base
}

// certifies returns the largest score that the band certifies for a pair whose
// end cell lies on a diagonal, a negative one if the band lacks the first or the
// last diagonal. It is makeBand of cuda/penalties.cuh: the cost of a gap out of
// the band and one back to the end, less one.
func (s *shape) certifies(p *align.Penalties, end int) int {
	half := s.half()
	if end > half || end <= -half {
		return -1
	}
	return 2*p.GapOpen + p.GapExtend*(2*half+min(end, 2-end)) - 1
}

// Unroll is the number of scores that a kernel with wavefronts in registers
// computes between two tests of the end cell, and by which it may exceed its
// bound. cuda/variants.cuh asserts that Penalties::unroll is the same.
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

// registerPenalties are the reduced penalties for which there are kernels with
// wavefronts in registers.
var registerPenalties = []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}}
