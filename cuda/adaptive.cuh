// The rule of the adaptive band, a heuristic: a band of diagonals follows the cell
// nearest to the end (WFA-GPU, Aguado-Puig et al., Bioinformatics 2023, section
// 2.3.5, with a bounded shift). Package align states the same rule; both give the
// same scores.
//
// Every lambda scores, the band
//
//	drops the cells at the end of their diagonal, unless it holds the end cell's
//	diagonal, and finds the cell of the last M row that is nearest to the end;
//	has drifted if that cell is more than maxDrift diagonals from its middle;
//	has stalled if the distance to the end has shrunk, since the last stall test,
//	by less than half of the largest progress so far, or by less than 5/(2x) a
//	score; a stall test is due every stallInterval moves;
//	has a doubtful score if the latter holds for a sixth of that, rounded up;
//	moves towards that cell, d diagonals away, by min(d, ceil(4 lambda d / 3 band));
//	is lost if it holds no cell.
//
// This file has the arithmetic of the rule. Storage differs, for speed:
// adaptivewarp.cuh keeps cells at places known at compile time, in registers or in rings in
// shared memory; adaptiveblock.cu keeps them in memory, for any band and any penalties.
#pragma once
#include "abi.cuh"

// Wide is a signed integer for products of scores, diagonals and letters.
template <class KEY> struct Wide;
template <> struct Wide<u32> {
	typedef int type;
};
template <> struct Wide<u64> {
	typedef long long type;
};

// KeyOf is the type of the keys of cells, for sequences of any length if LONG.
template <bool LONG> struct KeyOf {
	typedef u32 type;
};
template <> struct KeyOf<true> {
	typedef u64 type;
};

// fromLane returns another lane's key, that of this lane's number xor n.
__device__ __forceinline__ u32 fromLane(u32 key, int n) { return __shfl_xor_sync(~0u, key, n); }
__device__ __forceinline__ u64 fromLane(u64 key, int n) {
	const u32 low = __shfl_xor_sync(~0u, (u32)key, n), high = __shfl_xor_sync(~0u, (u32)(key >> 32), n);
	return (u64)high << 32 | low;
}

// AdaptiveBand is the position of a pair's band, and the pair's progress. KEY orders
// cells by their distance from the end: u32 for sequences up to maxOffset letters and a
// lambda up to maxLambda, u64 for any.
template <class KEY> struct AdaptiveBand {
	static constexpr int never = 0x7fffffff;
	static constexpr KEY absent = ~(KEY)0; // the key of a null cell
	// Bits of a key below the distance.
	static constexpr int sideBits = sizeof(KEY) == 4 ? 17 : 32;
	static_assert(sizeof(KEY) > 4 || maxOffset < 1 << (32 - sideBits), "distances must fit");

	typedef typename Wide<KEY>::type Product;
	int band, lambda, maxDrift, stallInterval; // as in Params
	int doubtInterval;                         // a sixth of stallInterval, rounded up
	Product least, leastSure;                  // progress in such intervals, times 2x

	int patternLength, textLength;
	int end;                   // diagonal of the end cell
	int first;                 // lowest diagonal of the band
	int bound;                 // the task's
	int next;                  // the next score with a move
	int moves;                 // since the last stall test
	int mark, most;            // distance from the end then, the largest progress between two
	int doubtMoves, doubtMark; // since the last test for a doubtful score, distance then
	bool doubtful;

	__device__ __forceinline__ void configure(const Params &a) {
		band = a.band;
		lambda = a.lambda;
		maxDrift = a.maxDrift;
		stallInterval = a.stallInterval;
		doubtInterval = (a.stallInterval + 5) / 6;
		least = (Product)5 * a.stallInterval * a.lambda;
		leastSure = (Product)5 * doubtInterval * a.lambda;
	}

	// begin centres the band on diagonal 0.
	__device__ __forceinline__ void begin(const Task &p) {
		patternLength = p.patternLength;
		textLength = p.textLength;
		end = textLength - patternLength;
		first = -(band / 2);
		bound = p.bound;
		next = lambda <= bound ? lambda : never;
		moves = doubtMoves = most = 0;
		mark = doubtMark = max(patternLength, textLength);
		doubtful = false;
	}

	// holdsEnd reports whether the end cell's diagonal is in the band.
	__device__ __forceinline__ bool holdsEnd() const { return (u32)(end - first) < (u32)band; }

	// key orders the non-null cells, offset h on diagonal k: by distance from the end,
	// then by the distance of the diagonal from the end cell's, then by diagonal.
	__device__ __forceinline__ KEY key(int h, int k) const {
		const u32 distance = (u32)(max(patternLength + k, textLength) - h);
		return (KEY)distance << sideBits | (u32)abs(k - end) << 1 | (k > end ? 1u : 0u);
	}
	static __device__ __forceinline__ int distance(KEY key) { return (int)(key >> sideBits); }
	__device__ __forceinline__ int diagonal(KEY key) const {
		const u32 away = (u32)key >> 1 & (u32)((1ull << (sideBits - 1)) - 1);
		return (int)(key & 1 ? (u32)end + away : (u32)end - away); // may wrap where key is absent
	}

	// drift returns the distance, in diagonals, of the cell nearest to the end from the
	// band's middle.
	__device__ __forceinline__ int drift(KEY nearest) const {
		const int off = (int)((u32)diagonal(nearest) - (u32)(first + band / 2));
		return nearest == absent ? 0 : off;
	}

	// stalled notes whether the score is doubtful, and reports whether a stall test is due and the pair
	// has stalled.
	__device__ __forceinline__ bool stalled(KEY nearest, int mismatch) {
		if (++doubtMoves == doubtInterval) {
			doubtMoves = 0;
			if (nearest != absent) {
				doubtful = doubtful || (Product)2 * mismatch * (doubtMark - distance(nearest)) < leastSure;
				doubtMark = distance(nearest);
			}
		}
		if (++moves != stallInterval) return false;
		moves = 0;
		if (nearest == absent) return false;
		const int by = mark - distance(nearest);
		const bool slow = (Product)2 * by < most || (Product)2 * mismatch * by < least;
		mark = distance(nearest);
		most = max(most, by);
		return slow;
	}

	// shift returns how many diagonals the band moves for a drift.
	__device__ __forceinline__ int shift(int drift) const {
		const KEY d = (u32)abs(drift), share = 3 * (KEY)(u32)band;
		const int size = (int)min(d, (4 * (KEY)(u32)lambda * d + share - 1) / share);
		return drift < 0 ? -size : size;
	}

	// moved sets the score of the next move.
	__device__ __forceinline__ void moved() { next = next <= bound - lambda ? next + lambda : never; }
};
