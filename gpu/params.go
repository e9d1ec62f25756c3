package gpu

import "wfagpu/gpu/internal/driver"

// The structures below mirror cuda/params.cuh byte for byte; params_test.go
// and static_asserts there hold the two together.

// params is the one argument of every kernel.
type params struct {
	letters driver.Ptr
	bases   driver.Ptr
	pairs   driver.Ptr
	results driver.Ptr
	tasks   driver.Ptr
	rows    driver.Ptr
	cigars  driver.Ptr
	used    driver.Ptr
	next    driver.Ptr

	rowStride     uint64 // in words of 4 bytes
	cigarCapacity uint32 // in elements
	count         int32

	mismatch, gapOpen, gapExtend int32
	maxScore                     int32

	textEntries, patternEntries int32 // look-ahead tables
	lanes, words                int32 // shape of stored rows

	width, segmentRows, checkpoints, scratch int32 // general kernel

	band, lambda, stray, pace, windowWords int32 // approximate mode

	held driver.Ptr // of the window kernels; 0: in shared memory
}

// pairEntry is one pair on the device: where its sequences begin, in units of
// letterUnit letters, and their lengths in letters.
type pairEntry struct {
	pattern, text             uint32
	patternLength, textLength int32
}

// taskEntry asks for one pair's alignment if it costs no more than limit.
type taskEntry struct {
	pair  uint32
	limit int32
}

// resultEntry is what the device reports for a pair.
type resultEntry struct {
	score       int32 // -1: not found within the limit
	cigar       uint32
	cigarLength uint32
	flags       uint32
}

// Flags of a resultEntry.
const (
	flagLetters = 1 << iota // a letter outside ACGTU
	flagNoRoom              // no room for the alignment in the batch's memory
	flagMemory              // the worker's memory was too small
	flagTrace               // rows and score disagree: a bug
	flagLost                // approximate mode: no cell is left
	flagStrayed             // approximate mode: the window is not where it should be
)

// unreached fills results, byte by byte, before there is anything to report: a
// score that is negative, and bits of flags that stand for nothing.
const (
	unreached      = 0x80
	unreachedFlags = unreached * 0x01010101
)

// letterUnit is the number of letters in one word of packed bases; sequences
// begin at multiples of it.
const letterUnit = 16
