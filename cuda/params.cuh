// What a launch is given. gpu/params.go mirrors these structures byte for byte.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// Pair is one pair of sequences. Both start at a multiple of 16 letters, given
// in units of 16: letters[16*pattern] is the pattern's first letter and
// bases[pattern] holds its first 16 bases, two bits each, the first on top.
struct Pair {
	u32 pattern, text;
	int patternLength, textLength; // in letters, at least 1
};
static_assert(sizeof(Pair) == 16, "gpu/params.go: pairEntry");

// Task asks for one pair's alignment if it costs no more than limit.
struct Task {
	u32 pair; // index into Params::pairs
	int limit;
};
static_assert(sizeof(Task) == 8, "gpu/params.go: taskEntry");

// Result is what the device reports for a pair.
struct Result {
	int score;       // -1: not found within the limit
	u32 cigar;       // index of the first element in Params::cigars
	u32 cigarLength; // in elements; 0 with a score: no room, or score only
	u32 flags;
};
static_assert(sizeof(Result) == 16, "gpu/params.go: resultEntry");

// Flags of a Result.
enum : u32 {
	flagLetters = 1, // a letter outside ACGTU, in either case
	flagNoRoom = 2,  // Params::cigars was full
	flagMemory = 4,  // the worker's memory ended before the alignment did
	flagTrace = 8,   // rows and score disagree: a bug
	flagLost = 16,   // the window of the approximate mode holds no cell
	flagStrayed = 32, // or is not where it should be
};

// Params is the one argument of every kernel.
struct Params {
	const u8 *letters;
	u32 *bases;
	const Pair *pairs;
	Result *results;
	const Task *tasks; // what this launch is for
	u32 *rows;         // memory for M rows, rowStride words for each task or worker
	u32 *cigars;       // elements as in BAM: length << 4 | operation
	u32 *used;         // elements of cigars handed out
	u32 *next;         // the next task to be taken
	u64 rowStride;     // in 32-bit words
	u32 cigarCapacity;
	int count; // of tasks, or of pairs for the packing kernel

	int mismatch, gapOpen, gapExtend; // reduced: their gcd is 1

	int maxScore; // no task's limit is larger; rows have room for it

	// Look-ahead tables of the warp and block kernels, entries per sequence.
	int textEntries, patternEntries;
	// Shape of the rows, for tracing: lanes a word, words a row.
	int lanes, words;

	// General kernel: cells a row, rows a segment (0: scores only), checkpoints.
	int width, segmentRows, checkpoints, scratch;

	// Approximate mode: diagonals in the window, scores between its moves, how far
	// off the closest cell may be then, moves between tests of the pace (0: none);
	// words ahead of a pair's rows for the window's first diagonal, at score 0 and
	// after each move.
	int band, lambda, stray, pace, windowWords;
	// Memory of each block of wfa_window_* for what later scores read; null: it is
	// in shared memory.
	u32 *held;
};
static_assert(sizeof(Params) == 168, "gpu/params.go: params");

// nothing is the 32-bit offset of a cell that no alignment reaches. Adding a
// score to it leaves it negative.
static const int nothing = -(1 << 30);
