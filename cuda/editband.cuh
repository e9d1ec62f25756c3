// The band of a pair in edit.cuh, the distances that it certifies, and where the words of its
// tiles are stored.
#pragma once
#include "abi.cuh"

// editTileWords is the memory of a tile: the words of its column 0, and what its first row takes.
__host__ __device__ constexpr int editTileWords(int words) { return 2 * words + 2; }

// EditBand is the diagonals -below..above of a pair. All others cannot be a part of an
// alignment of a distance up to `certified`.
struct EditBand {
	int skew;   // columns beside the matrix in the first block of columns
	int flight; // strips in flight
	int period; // stages between the coming of two strips
	int first;  // the block with which strip 0 would come
	int last;   // the last strip
	int stages; // until the end cell
	int above, below, certified;
	int bound; // the smaller of the task's bound and the certificate

	EditBand() = default;

	// Blocks of columns end at the end of the text. The diagonals are, as far as whole blocks
	// allow, in equal parts beside those from 0 to the end cell's. If all strips are in flight,
	// the matrix is.
	__device__ __forceinline__ EditBand(const Params &a, const Task &p, int strips, int words) {
		const int end = p.textLength - p.patternLength, spread = strips * (words + 1) - words;
		skew = -p.textLength & 31;
		flight = strips;
		period = words + 1;
		first = (end + 2 * skew - 32 * spread + 32) >> 6;
		last = (p.patternLength - 1) / (32 * words);
		stages = (p.textLength + skew) / 32 + last;
		below = skew - 32 * first;
		above = 32 * (first + spread) - skew;
		certified = min(2 * above + 2 - end, 2 * below + 2 + end) - 1;
		if (above < max(end, 0) || below < max(-end, 0)) certified = -1;
		if (last < strips) certified = 1 << 30;
		bound = min(certified, min(p.bound, a.maxScore));
	}

	// leaves returns the stage in which another strip takes the place of strip b.
	__device__ __forceinline__ int leaves(int b) const {
		return b + flight > last ? 0x7fffffff : first + (b + flight) * period;
	}
};
