// The band of a pair in gotoh.cuh, and the scores that it certifies.
#pragma once
#include "abi.cuh"

static constexpr int gotohWarps = 16;   // most warps of a pair
static constexpr int gotohLooks = 4096; // steps between two looks at the stop word

// gotohPad is the number of letters before and after the pattern's, of which rows outside
// the matrix are computed.
__host__ __device__ constexpr int gotohPad(int lanes, int columns) { return (2 * lanes + columns + 8 + 15) & ~15; }

// gotohShifts is the number of steps in which the least value changes by at most 5000.
__device__ __forceinline__ int gotohShifts(const Params &a) {
	return 5000 / max(a.mismatch - 2 * a.gapExtend, max(2 * a.gapExtend, 1));
}

// GotohBand is the diagonals -below..above of a pair. All others cannot be a part of an
// alignment of a score up to `certified`.
struct GotohBand {
	int above, below, certified;
	int bound; // the smaller of the task's bound and the certificate

	GotohBand() = default;

	// The diagonals are those that the strips in flight cover, in equal parts beside those
	// from 0 to the end cell's. If all columns are in flight, the matrix is. An alignment that leaves
	// them has a gap out and a gap back, or one of these with free ends: it begins at diagonal 0 or
	// above, and ends at the last cell's or below.
	__device__ __forceinline__ GotohBand(const Params &a, const Task &p, int strips, int columns, bool free) {
		const int end = p.textLength - p.patternLength, apart = abs(end);
		const int beside = strips * (columns + 1) - columns - 1 - apart, half = beside / 2 + 1;
		above = beside / 2 + max(end, 0);
		below = beside - beside / 2 + max(-end, 0);
		certified = beside < 0 ? -1
		            : free     ? a.gapOpen + a.gapExtend * (half + max(-end, 0)) - 1
		                       : 2 * a.gapOpen + a.gapExtend * (2 * half + apart) - 1;
		if (p.textLength <= strips * columns) {
			above = p.textLength;
			below = p.patternLength;
			certified = 1 << 30;
		}
		bound = min(certified, min(p.bound, a.maxScore));
	}
};
