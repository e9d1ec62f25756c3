// Package abi declares the structures and constants that Go and the CUDA kernels
// share: structures in device memory, kernel parameters, flags. It is their only
// source: gpu/internal/gen generates cuda/abi.cuh from it, with a static_assert for
// the offset of every field, and a test fails if that file is not up to date.
package abi

import "wfagpu/gpu/internal/driver"

// Task requests the alignment of a pair up to a score bound. Each sequence starts
// at a word of its own and has 16 bases per word, two bits each, the first base in
// the top bits.
type Task struct {
	Pattern                   driver.Ptr `c:"const u32 *"` // packed bases
	Text                      driver.Ptr `c:"const u32 *"`
	PatternLength, TextLength int32      // in letters, at least 1
	Bound                     int32
	Final                     uint32 // 1: no pass with a higher bound follows
}

// Result is the result of a task. Kernels write it in full.
type Result struct {
	Score       int32  // -1: no alignment within the bound
	Cigar       uint32 // index of the first element in Params.Cigars; without a score: an upper bound of it, or 0
	CigarLength uint32 // in elements; 0 with a score: no room, or scores only; without: the slack of the upper bound, or 0
	Flags       Flags
}

// Flags are the bits of Result.Flags.
type Flags uint32

const (
	FlagNoRoom   Flags = 1 << iota // Params.Cigars is full
	FlagMemory                     // the worker's memory is too small
	FlagTrace                      // rows and score disagree: a bug
	FlagLost                       // the adaptive band has no cell
	FlagDrifted                    // the adaptive band has drifted or stalled
	FlagOverflow                   // cells are too far apart for 16-bit offsets
	FlagOpen                       // the alignment has open parts, and the score is that of the others
	FlagDoubtful                   // the score is that of an adaptive band, and doubtful
)

// Of a score that a band certifies by broken seeds, FlagSlack has the share that is slack, in 255ths, 0 if it is not
// known: cuda/gotohband.cuh.
const (
	FlagSlackShift       = 8
	FlagSlack      Flags = 255 << FlagSlackShift
)

// Operations of the elements that stand for an open part, which the host has aligned: its letters of the
// pattern, those of the text, both not 0, and an upper bound of its cost, one behind the other.
const (
	OpenPattern = 9 + iota
	OpenText
	OpenCost
)

// Params is the one argument of every kernel.
type Params struct {
	Tasks   driver.Ptr `c:"const Task *"` // of this launch
	Results driver.Ptr `c:"Result *"`     // one for each task
	Rows    driver.Ptr `c:"u32 *"`        // M rows or checkpoints, RowStride words for each task or worker
	Cigars  driver.Ptr `c:"u32 *"`        // elements as in BAM: length << 4 | operation
	Used    driver.Ptr `c:"u32 *"`        // number of elements of Cigars in use
	Next    driver.Ptr `c:"u32 *"`        // counter: the next task to take
	// Stop is a word that the host sets to end a launch: results no longer matter.
	Stop driver.Ptr `c:"const u32 *"`

	RowStride     uint64 // in words of 4 bytes
	CigarCapacity uint32 // in elements
	Count         int32  // of tasks

	Mismatch, GapOpen, GapExtend int32 // reduced: their gcd is 1

	MaxScore int32 // the largest bound of the tasks; Rows has room for it

	TextEntries, PatternEntries int32 // of the look-ahead tables, for each sequence
	PairThreads, PairWords      int32 // shape of the rows: threads per pair, words per thread

	Span int32 // scores between two checkpoints
	// Helpers is not 0 if blocks of the tiles kernel without a pair join others.
	Helpers int32

	// General and tiles kernels: cells per row. General kernel: rows per segment
	// (0: scores only), checkpoints, elements of scratch.
	Width, SegmentRows, Checkpoints, Scratch int32

	// LetterWords is the memory of a pair ahead of its cells, for the letters of the
	// pattern: gotoh kernels.
	LetterWords int32

	// Adaptive band: diagonals, scores between two moves, the largest drift,
	// moves between two stall tests (0: none), and words ahead of a pair's rows
	// for the band's first diagonal at score 0 and after each move.
	Band, Lambda, MaxDrift, StallInterval, BandStarts int32

	// Memory of each block of the adaptive-block kernel for the rows that later
	// scores read; null: they lie in shared memory.
	Ring driver.Ptr `c:"u32 *"`

	// Span kernels, cuda/span.cuh. What is added to a cell's value by a match, by a
	// mismatch, and by each letter of a free begin, and what is subtracted by the opening
	// and by each letter of a gap: of both of its costs.
	CellMatch, CellMismatch, CellSlope                 int32
	CellOpen, CellExtend, CellOpenLong, CellExtendLong int32
	// A value v of a cell (i, j) means the cost Potential·(i+j) - CellScale·v.
	CellScale, Potential, FreeLetter int32
	Floored, Anywhere                int32 // not 0: alignments begin, end anywhere
	// Letters that alignments may leave out.
	PatternBegin, PatternEnd, TextBegin, TextEnd int32
	// Stripes of the pair with the most, words of a pair's state ahead of all rows, and
	// words of the edges between stripes behind the letters. Gotoh kernels: words of values at
	// the edges of a pair's band, 0 for none.
	Stripes, StateWords, EdgeWords int32
	CheapestRun                    int32 // least cost of a run of edits
	One                            int32 // 1, which the compiler does not know
	// BrokenSeeds is not 0 if the memory of pairs tells what broken seeds do: gotoh kernels.
	BrokenSeeds int32
}

const (
	// LettersPerWord is the number of bases in a word of packed bases. Kernels read
	// up to two words past the last base.
	LettersPerWord = 16
	// MaxOffset bounds text positions plus scores in kernels with 16-bit cells:
	// gaps run past the end of the text by up to one base per score.
	MaxOffset = 32_000
	// MaxLambda bounds the scores between two moves of an adaptive band in
	// registers: a null cell grows by up to one per score, and a move resets it.
	MaxLambda = 8192
	// Unreached is the byte that fills results before a kernel writes them: the
	// score is negative, and the flags have bits without a meaning.
	Unreached = 0x80
)

// UnreachedFlags is Result.Flags filled with Unreached.
const UnreachedFlags Flags = Unreached * 0x01010101
