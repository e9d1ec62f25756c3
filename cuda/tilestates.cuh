// The memory of a pair in the tiles kernel, and its checkpoints.
//
// Scores are computed in rounds of `span` scores. The range of a round is the diagonals
// that gaps reach within its last score and from which gaps reach the end within the
// bound. At its end the round stores a checkpoint (checkpoint.cuh) of its range, with
// 32-bit cells. In words:
//
//	header        headerWords, zero at first
//	checkpoints   width words for each row; with scores alone two, else one for each round
#pragma once
#include "checkpoint.cuh"

// TileHeader is what the blocks that share a pair tell each other.
struct TileHeader {
	u32 taken;  // tiles that blocks have taken, over all rounds
	u32 done;   // tiles that are stored
	u32 tiles;  // of the latest round
	u32 blocks; // that share the pair
	u32 over;   // not 0 if the result is written
};
static constexpr int headerWords = 32;

// Diagonals is a range; it is empty if high < low.
struct Diagonals {
	int low, high;
};

// tileSpan returns the scores of a round.
template <class P> __host__ __device__ constexpr int tileSpan() { return spanOf<P>(64); }

// Rounds are the rounds of a pair.
struct Rounds {
	int open, extend, span;
	int end, bound;   // diagonal of the end cell, largest score
	int below, above; // diagonals on either side of 0 that any score has
	int origin;       // diagonal of a row's first word, a multiple of 8

	__device__ __forceinline__ Rounds(const Params &a, const Task &p) {
		open = a.gapOpen;
		extend = a.gapExtend;
		span = a.span;
		end = p.textLength - p.patternLength;
		bound = min(p.bound, a.maxScore);
		// Gaps reach a diagonal and then the end's within the bound.
		const int most = reach(bound, open, extend);
		below = min(p.patternLength, (most - end) / 2 + 1);
		above = min(p.textLength, (most + end) / 2 + 1);
		origin = -((below + 7) & ~7);
	}
	__device__ __forceinline__ int count() const { return max((bound + span - 1) / span, 1); }

	// range returns the diagonals of a round, which begins at score round*span.
	__device__ __forceinline__ Diagonals range(int round) const {
		const int from = round * span, r = reach(from + span, open, extend), left = max((bound - from - 1) / extend, 0);
		// Not as a maximum of negative numbers: nvcc 13.0 drops the sign of an operand when it
		// merges two maxima into one instruction.
		return {-min(min(r, below), left - end), min(min(r, above), end + left)};
	}
};

// TileStates are the checkpoints of a pair for the traceback.
template <class P> struct TileStates {
	static constexpr int cells = 8, fields = P::ring + 2 * P::e; // cells: of a window, per thread
	static constexpr bool free = false;
	Rounds rounds;
	const u32 *at;
	int width;

	__device__ __forceinline__ TileStates(const Params &a, const Task &p, const u32 *memory)
	    : rounds(a, p), at(memory + headerWords), width(a.width) {}

	// cell returns the cell of a field of a checkpoint.
	__device__ __forceinline__ int cell(int checkpoint, int field, int, int k) const {
		const Diagonals range = rounds.range(checkpoint);
		if (k < range.low || k > range.high) return nullOffset;
		return (int)at[((u64)checkpoint * fields + field) * width + (k - rounds.origin)];
	}
};
