// Package abi declares what Go and the CUDA kernels share: the structures that
// lie in device memory or are passed to a kernel, and the constants that both
// sides use. It is the one source. gpu/internal/gen writes cuda/abi.cuh from it,
// with a static_assert for the offset of every field, and a test fails when that
// file is not what the generator writes.
package abi

import "wfagpu/gpu/internal/driver"

// Pair is one pair of sequences. Both start at a multiple of LettersPerWord
// letters and are given in that unit: letters[16*pattern] is the pattern's first
// letter, and bases[pattern] holds its first 16 bases, two bits each, the first
// in the top bits.
type Pair struct {
	Pattern, Text             uint32
	PatternLength, TextLength int32 // in letters, at least 1
}

// Task asks for one pair's alignment if its score does not exceed the bound.
type Task struct {
	Pair  uint32 // index into Params.Pairs
	Bound int32
}

// Result is what the device reports for a pair.
type Result struct {
	Score       int32  // -1: no alignment within the bound
	Cigar       uint32 // index of the first element in Params.Cigars
	CigarLength uint32 // in elements; 0 with a score: no room, or score only
	Flags       Flags
}

// Flags are the bits of Result.Flags.
type Flags uint32

const (
	FlagLetters Flags = 1 << iota // a letter outside ACGTU, in either case
	FlagNoRoom                    // Params.Cigars is full
	FlagMemory                    // the worker's memory ends before the alignment does
	FlagTrace                     // rows and score disagree: a bug
	FlagLost                      // no cell is left in the adaptive band
	FlagDrifted                   // the adaptive band is off the alignment, or stalls
)

// Params is the one argument of every kernel.
type Params struct {
	Letters driver.Ptr `c:"const u8 *"`
	Bases   driver.Ptr `c:"u32 *"`
	Pairs   driver.Ptr `c:"const Pair *"`
	Results driver.Ptr `c:"Result *"`
	Tasks   driver.Ptr `c:"const Task *"` // of this launch
	Rows    driver.Ptr `c:"u32 *"`        // M rows, RowStride words for each task or worker
	Cigars  driver.Ptr `c:"u32 *"`        // elements as in BAM: length << 4 | operation
	Used    driver.Ptr `c:"u32 *"`        // elements of Cigars handed out
	Next    driver.Ptr `c:"u32 *"`        // the next task to be taken

	RowStride     uint64 // in words of 4 bytes
	CigarCapacity uint32 // in elements
	Count         int32  // of tasks, or of pairs for the packing kernel

	Mismatch, GapOpen, GapExtend int32 // reduced: their gcd is 1

	MaxScore int32 // no task's bound is larger; rows have room for it

	TextEntries, PatternEntries int32 // of the look-ahead tables, for each sequence
	PairThreads, PairWords      int32 // shape of the rows: threads a pair, words a thread

	// General kernel: cells a row, rows a segment (0: scores only), checkpoints,
	// elements of scratch.
	Width, SegmentRows, Checkpoints, Scratch int32

	// Adaptive band: diagonals, scores between two moves, the largest drift,
	// moves between two stall tests (0: none), and words ahead of a pair's rows
	// for the band's first diagonal at score 0 and after each move.
	Band, Lambda, MaxDrift, StallInterval, BandStarts int32

	// Memory of each block of the adaptive-block kernel for the rows that later
	// scores read; null: they lie in shared memory.
	Ring driver.Ptr `c:"u32 *"`
}

const (
	// LettersPerWord is the number of bases in a word of packed bases.
	LettersPerWord = 16
	// MaxOffset bounds text positions plus scores in kernels with 16-bit cells:
	// gaps may run past the end of the text by one base a score.
	MaxOffset = 32_000
	// MaxLambda bounds the scores between two moves of an adaptive band in
	// registers: a null cell gains up to one a score, and a move resets it.
	MaxLambda = 8192
	// Unreached fills results, byte by byte, before a kernel has written them: a
	// negative score, and bits of Flags that stand for nothing.
	Unreached = 0x80
)

// UnreachedFlags are the bits of Result.Flags that Unreached leaves.
const UnreachedFlags Flags = Unreached * 0x01010101
