// What host and device share: the argument of every kernel, the structures that
// it points to, flags and constants. gpu/internal/abi is the host's side.
//
// No code lies here. Addresses are 64-bit; a word has 4 bytes.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// WFA_LAYOUT fails the build when a field is not where the host writes it.
#define WFA_LAYOUT(TYPE, FIELD, OFFSET)                                                                                \
	static_assert(__builtin_offsetof(TYPE, FIELD) == OFFSET, #TYPE "::" #FIELD ": gpu/internal/abi")

// Pair is one pair of sequences. Both start at a multiple of letterUnit letters
// and are given in units of that: letters[16*pattern] is the pattern's first
// letter, bases[pattern] holds its first 16 bases, two bits each, the first on
// top.
struct Pair {
	u32 pattern, text;
	int patternLength, textLength; // in letters, at least 1
};
static_assert(sizeof(Pair) == 16, "gpu/internal/abi");
WFA_LAYOUT(Pair, pattern, 0);
WFA_LAYOUT(Pair, text, 4);
WFA_LAYOUT(Pair, patternLength, 8);
WFA_LAYOUT(Pair, textLength, 12);

// Task asks for one pair's alignment if its score is at most bound.
struct Task {
	u32 pair; // index into Params::pairs
	int bound;
};
static_assert(sizeof(Task) == 8, "gpu/internal/abi");
WFA_LAYOUT(Task, pair, 0);
WFA_LAYOUT(Task, bound, 4);

// Result is what the device reports for a pair.
struct Result {
	int score;       // -1: not found within the bound
	u32 cigar;       // index of the first element in Params::cigars
	u32 cigarLength; // in elements; 0 with a score: no room, or score only
	u32 flags;
};
static_assert(sizeof(Result) == 16, "gpu/internal/abi");
WFA_LAYOUT(Result, score, 0);
WFA_LAYOUT(Result, cigar, 4);
WFA_LAYOUT(Result, cigarLength, 8);
WFA_LAYOUT(Result, flags, 12);

// Flags of a Result.
enum : u32 {
	flagLetters = 1,  // a letter outside ACGTU, in either case
	flagNoRoom = 2,   // Params::cigars was full
	flagMemory = 4,   // the worker's memory ended before the alignment did
	flagTrace = 8,    // rows and score disagree: a bug
	flagLost = 16,    // the adaptive band holds no cell
	flagDrifted = 32, // the alignment drifts out of the adaptive band, or stalls
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
	u64 rowStride;     // in words
	u32 cigarCapacity; // in elements
	int count;         // of tasks, or of pairs for the packing kernel

	int mismatch, gapOpen, gapExtend; // reduced: their gcd is 1

	int maxScore; // no task's bound is larger; rows have room for it

	// Look-ahead tables of the kernels with bands in registers, entries per
	// sequence.
	int textEntries, patternEntries;
	// Shape of their rows, for the traceback: threads a pair, words a thread.
	int pairThreads, pairWords;

	// General kernel: cells a row, rows a segment (0: scores only), checkpoints
	// there is room for, elements of an alignment.
	int width, segmentRows, checkpoints, scratch;

	// Adaptive band: diagonals in it, scores between its moves, how far from its
	// middle the cell nearest to the end may be then, moves between stall tests
	// (0: none); words ahead of a pair's rows for the band's lowest diagonal, at
	// score 0 and after each move.
	int band, lambda, maxDrift, stallInterval, bandStarts;
	// Rings of the blocks of wfa_adaptive_block_*; null: they are in shared memory.
	u32 *ring;
};
static_assert(sizeof(Params) == 168, "gpu/internal/abi");
WFA_LAYOUT(Params, letters, 0);
WFA_LAYOUT(Params, bases, 8);
WFA_LAYOUT(Params, pairs, 16);
WFA_LAYOUT(Params, results, 24);
WFA_LAYOUT(Params, tasks, 32);
WFA_LAYOUT(Params, rows, 40);
WFA_LAYOUT(Params, cigars, 48);
WFA_LAYOUT(Params, used, 56);
WFA_LAYOUT(Params, next, 64);
WFA_LAYOUT(Params, rowStride, 72);
WFA_LAYOUT(Params, cigarCapacity, 80);
WFA_LAYOUT(Params, count, 84);
WFA_LAYOUT(Params, mismatch, 88);
WFA_LAYOUT(Params, gapOpen, 92);
WFA_LAYOUT(Params, gapExtend, 96);
WFA_LAYOUT(Params, maxScore, 100);
WFA_LAYOUT(Params, textEntries, 104);
WFA_LAYOUT(Params, patternEntries, 108);
WFA_LAYOUT(Params, pairThreads, 112);
WFA_LAYOUT(Params, pairWords, 116);
WFA_LAYOUT(Params, width, 120);
WFA_LAYOUT(Params, segmentRows, 124);
WFA_LAYOUT(Params, checkpoints, 128);
WFA_LAYOUT(Params, scratch, 132);
WFA_LAYOUT(Params, band, 136);
WFA_LAYOUT(Params, lambda, 140);
WFA_LAYOUT(Params, maxDrift, 144);
WFA_LAYOUT(Params, stallInterval, 148);
WFA_LAYOUT(Params, bandStarts, 152);
WFA_LAYOUT(Params, ring, 160);

// letterUnit is the number of bases in a word; sequences begin at multiples of it.
static const int letterUnit = 16;

// maxOffset bounds a text position plus a score where cells have 16 bits: gap
// wavefronts may run past the end of the text by one base a score.
static const int maxOffset = 32000;

// maxLambda bounds the scores between two moves of a band in registers: a null
// cell gains up to one a score and starts anew when the band moves.
static const int maxLambda = 8192;

// staticShared bounds the bytes of shared memory that a kernel declares itself,
// beside those that a launch asks for.
static const int staticShared = 2048;
