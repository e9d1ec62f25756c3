// Structures and constants that Go and the kernels share. Generated from
// gpu/internal/abi by gpu/internal/gen; do not edit.
// clang-format off
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// WFA_LAYOUT fails the build if the offset of a field differs from Go's.
#define WFA_LAYOUT(TYPE, FIELD, OFFSET) \
	static_assert(__builtin_offsetof(TYPE, FIELD) == OFFSET, #TYPE "::" #FIELD ": gpu/internal/abi")

// Task requests the alignment of a pair up to a score bound. Each sequence starts
// at a word of its own and has 16 bases per word, two bits each, the first base in
// the top bits.
struct Task {
	const u32 *pattern; // packed bases
	const u32 *text;
	int patternLength, textLength; // in letters, at least 1
	int bound;
	u32 final; // 1: no pass with a higher bound follows
};
static_assert(sizeof(Task) == 32, "gpu/internal/abi");
WFA_LAYOUT(Task, pattern, 0);
WFA_LAYOUT(Task, text, 8);
WFA_LAYOUT(Task, patternLength, 16);
WFA_LAYOUT(Task, textLength, 20);
WFA_LAYOUT(Task, bound, 24);
WFA_LAYOUT(Task, final, 28);

// Result is the result of a task. Kernels write it in full.
struct Result {
	int score; // -1: no alignment within the bound
	u32 cigar; // index of the first element in Params::cigars; without a score: an upper bound of it, or 0
	u32 cigarLength; // in elements; 0 with a score: no room, or scores only; without: the slack of the upper bound, or 0
	u32 flags;
};
static_assert(sizeof(Result) == 16, "gpu/internal/abi");
WFA_LAYOUT(Result, score, 0);
WFA_LAYOUT(Result, cigar, 4);
WFA_LAYOUT(Result, cigarLength, 8);
WFA_LAYOUT(Result, flags, 12);

static constexpr u32 flagNoRoom = 1; // Params::cigars is full
static constexpr u32 flagMemory = 2; // the worker's memory is too small
static constexpr u32 flagTrace = 4; // rows and score disagree: a bug
static constexpr u32 flagLost = 8; // the adaptive band has no cell
static constexpr u32 flagDrifted = 16; // the adaptive band has drifted or stalled
static constexpr u32 flagOverflow = 32; // cells are too far apart for 16-bit offsets
static constexpr u32 flagOpen = 64; // the alignment has open parts, and the score is that of the others
static constexpr u32 flagDoubtful = 128; // the score is that of an adaptive band, and doubtful

static constexpr int flagSlackShift = 8;
static constexpr u32 flagSlack = 65280;

static constexpr int openPattern = 9;
static constexpr int openText = 10;
static constexpr int openCost = 11;

// Params is the one argument of every kernel.
struct Params {
	const Task *tasks; // of this launch
	Result *results; // one for each task
	u32 *rows; // M rows or checkpoints, rowStride words for each task or worker
	u32 *cigars; // elements as in BAM: length << 4 | operation
	u32 *used; // number of elements of Cigars in use
	u32 *next; // counter: the next task to take

	// Stop is a word that the host sets to end a launch: results no longer matter.
	const u32 *stop;
	u64 rowStride; // in words of 4 bytes
	u32 cigarCapacity; // in elements
	int count; // of tasks
	int mismatch, gapOpen, gapExtend; // reduced: their gcd is 1
	int maxScore; // the largest bound of the tasks; Rows has room for it
	int textEntries, patternEntries; // of the look-ahead tables, for each sequence
	int pairThreads, pairWords; // shape of the rows: threads per pair, words per thread
	int span; // scores between two checkpoints

	// Helpers is not 0 if blocks of the tiles kernel without a pair join others.
	int helpers;

	// General and tiles kernels: cells per row. General kernel: rows per segment
	// (0: scores only), checkpoints, elements of scratch.
	int width, segmentRows, checkpoints, scratch;

	// letterWords is the memory of a pair ahead of its cells, for the letters of the
	// pattern: gotoh kernels.
	int letterWords;

	// Adaptive band: diagonals, scores between two moves, the largest drift,
	// moves between two stall tests (0: none), and words ahead of a pair's rows
	// for the band's first diagonal at score 0 and after each move.
	int band, lambda, maxDrift, stallInterval, bandStarts;

	// Memory of each block of the adaptive-block kernel for the rows that later
	// scores read; null: they lie in shared memory.
	u32 *ring;

	// Span kernels, cuda/span.cuh. What is added to a cell's value by a match, by a
	// mismatch, and by each letter of a free begin, and what is subtracted by the opening
	// and by each letter of a gap: of both of its costs.
	int cellMatch, cellMismatch, cellSlope;
	int cellOpen, cellExtend, cellOpenLong, cellExtendLong;

	// A value v of a cell (i, j) means the cost Potential·(i+j) - cellScale·v.
	int cellScale, potential, freeLetter;
	int floored, anywhere; // not 0: alignments begin, end anywhere

	// Letters that alignments may leave out.
	int patternBegin, patternEnd, textBegin, textEnd;

	// Stripes of the pair with the most, words of a pair's state ahead of all rows, and
	// words of the edges between stripes behind the letters. Gotoh kernels: words of values at
	// the edges of a pair's band, 0 for none.
	int stripes, stateWords, edgeWords;
	int cheapestRun; // least cost of a run of edits
	int one; // 1, which the compiler does not know

	// brokenSeeds is not 0 if the memory of pairs tells what broken seeds do: gotoh kernels.
	int brokenSeeds;
};
static_assert(sizeof(Params) == 248, "gpu/internal/abi");
WFA_LAYOUT(Params, tasks, 0);
WFA_LAYOUT(Params, results, 8);
WFA_LAYOUT(Params, rows, 16);
WFA_LAYOUT(Params, cigars, 24);
WFA_LAYOUT(Params, used, 32);
WFA_LAYOUT(Params, next, 40);
WFA_LAYOUT(Params, stop, 48);
WFA_LAYOUT(Params, rowStride, 56);
WFA_LAYOUT(Params, cigarCapacity, 64);
WFA_LAYOUT(Params, count, 68);
WFA_LAYOUT(Params, mismatch, 72);
WFA_LAYOUT(Params, gapOpen, 76);
WFA_LAYOUT(Params, gapExtend, 80);
WFA_LAYOUT(Params, maxScore, 84);
WFA_LAYOUT(Params, textEntries, 88);
WFA_LAYOUT(Params, patternEntries, 92);
WFA_LAYOUT(Params, pairThreads, 96);
WFA_LAYOUT(Params, pairWords, 100);
WFA_LAYOUT(Params, span, 104);
WFA_LAYOUT(Params, helpers, 108);
WFA_LAYOUT(Params, width, 112);
WFA_LAYOUT(Params, segmentRows, 116);
WFA_LAYOUT(Params, checkpoints, 120);
WFA_LAYOUT(Params, scratch, 124);
WFA_LAYOUT(Params, letterWords, 128);
WFA_LAYOUT(Params, band, 132);
WFA_LAYOUT(Params, lambda, 136);
WFA_LAYOUT(Params, maxDrift, 140);
WFA_LAYOUT(Params, stallInterval, 144);
WFA_LAYOUT(Params, bandStarts, 148);
WFA_LAYOUT(Params, ring, 152);
WFA_LAYOUT(Params, cellMatch, 160);
WFA_LAYOUT(Params, cellMismatch, 164);
WFA_LAYOUT(Params, cellSlope, 168);
WFA_LAYOUT(Params, cellOpen, 172);
WFA_LAYOUT(Params, cellExtend, 176);
WFA_LAYOUT(Params, cellOpenLong, 180);
WFA_LAYOUT(Params, cellExtendLong, 184);
WFA_LAYOUT(Params, cellScale, 188);
WFA_LAYOUT(Params, potential, 192);
WFA_LAYOUT(Params, freeLetter, 196);
WFA_LAYOUT(Params, floored, 200);
WFA_LAYOUT(Params, anywhere, 204);
WFA_LAYOUT(Params, patternBegin, 208);
WFA_LAYOUT(Params, patternEnd, 212);
WFA_LAYOUT(Params, textBegin, 216);
WFA_LAYOUT(Params, textEnd, 220);
WFA_LAYOUT(Params, stripes, 224);
WFA_LAYOUT(Params, stateWords, 228);
WFA_LAYOUT(Params, edgeWords, 232);
WFA_LAYOUT(Params, cheapestRun, 236);
WFA_LAYOUT(Params, one, 240);
WFA_LAYOUT(Params, brokenSeeds, 244);

// lettersPerWord is the number of bases in a word of packed bases. Kernels read
// up to two words past the last base.
static constexpr int lettersPerWord = 16;
// maxOffset bounds text positions plus scores in kernels with 16-bit cells:
// gaps run past the end of the text by up to one base per score.
static constexpr int maxOffset = 32000;
// maxLambda bounds the scores between two moves of an adaptive band in
// registers: a null cell grows by up to one per score, and a move resets it.
static constexpr int maxLambda = 8192;
// unreached is the byte that fills results before a kernel writes them: the
// score is negative, and the flags have bits without a meaning.
static constexpr int unreached = 128;

// unreachedFlags is Result::flags filled with unreached.
static constexpr u32 unreachedFlags = 2155905152;
