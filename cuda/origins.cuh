// Origins: the text positions that 16-bit offsets count from.
//
// In block.cuh an origin belongs to a stride, that is, to some neighbouring diagonals of a warp. With
// OneOrigin it is 0, so text positions fit into 16 bits. MovingOrigins follow the cells, for
// sequences of any length: what crosses from one stride to the next is a text position of 32
// bits, and before the cells of a stride come near the largest offset, its origin moves towards
// the least of them. A gap costs little, so cells of neighbouring diagonals are
// near each other, unless one of them follows a very long run of matches. A cell out of the range of
// offsets is noted, and the host aligns the pair with another kernel.
//
// In adaptivewarp.cuh there is one origin for all cells, which moves along with the band.
//
// Shared memory: none. Limits: above.
#pragma once
#include "wavefronts.cuh"

#ifndef WFA_LARGEST_OFFSET // tests have short sequences
#define WFA_LARGEST_OFFSET 32000
#endif

// The largest offset, one that is near it, and what a move leaves below the least one, which is more
// than neighbouring diagonals end apart.
static constexpr int largestOffset = WFA_LARGEST_OFFSET, nearOffset = largestOffset / 2,
                     spareOffset = largestOffset / 5;

// leastOf returns the least offset of a warp, given that of each lane as halves. Null cells are large
// unsigned numbers.
__device__ __forceinline__ int leastOf(u32 halves) {
	int least = (int)min(halves & 0xffffu, halves >> 16);
#pragma unroll
	for (int d = 1; d < 32; d *= 2) least = min(least, __shfl_xor_sync(~0u, least, d));
	return least;
}

// OneOrigin is origin 0, for all strides.
template <int STRIDES> struct OneOrigin {
	static constexpr bool moves = false;
	static constexpr u32 none = nullCells; // crosses from a stride without a cell

	__device__ __forceinline__ void reset() {}
	__device__ __forceinline__ int of(int) const { return 0; }
	__device__ __forceinline__ bool overflow() const { return false; }
	template <class L> __device__ __forceinline__ const L &look(const L &l, int) const { return l; }
	__device__ __forceinline__ u32 leaves(u32 word, bool, int) const { return word; }
	__device__ __forceinline__ u32 enters(u32 crossing, int) const { return crossing; }
};

// MovingOrigins are those of the strides of a warp.
template <int STRIDES> struct MovingOrigins {
	static constexpr bool moves = true;
	static constexpr u32 none = 0xc0000000u; // less any origin, as unsigned numbers it is below all small negative ones

	int origin[STRIDES];
	u32 most; // the largest of what crossed, less the origins
	bool far; // a cell was out of range

	__device__ __forceinline__ void reset() {
#pragma unroll
		for (int g = 0; g < STRIDES; g++) origin[g] = 0;
		most = 0;
		far = false;
	}
	__device__ __forceinline__ int of(int g) const { return origin[g]; }
	__device__ __forceinline__ bool overflow() const { return far || most >= 0xe0000000u; }

	// look returns the look-ups of a stride.
	template <class L> __device__ __forceinline__ L look(const L &l, int g) const { return l.from(origin[g]); }

	// leaves returns what the low or else the high half of a word is to the next stride.
	__device__ __forceinline__ u32 leaves(u32 word, bool low, int g) const {
		const int h = (int)(low ? word << 16 : word) >> 16;
		return h < 0 ? none : (u32)(h + origin[g]);
	}
	// enters returns, in both halves, what crosses into a stride. Offsets that are too large are those of
	// gaps beyond the end of the text, or follow does not miss M.
	__device__ __forceinline__ u32 enters(u32 crossing, int g) {
		const int h = min((int)crossing - origin[g], largestOffset + largestOffset / 64);
		most = max(most, (u32)h);
		const int half = max(h, -32768);
		return cells(half, half);
	}

	// lasts returns the last cells of the diagonals k and k + half.
	__device__ __forceinline__ u32 lasts(const Task &p, int k, int half, int g) const {
		const int a = min(p.textLength, p.patternLength + k), b = min(p.textLength, p.patternLength + k + half);
		return cells(max(min(a - origin[g], largestOffset), -30000), max(min(b - origin[g], largestOffset), -30000));
	}

	// follow moves the origin of stride g, words at..at+STRIDE-1 with the lowest diagonal k, if a cell of
	// M has come near the largest offset. All lanes of a warp call it, after each block of scores.
	template <int STRIDE, class W> __device__ __forceinline__ void follow(W &waves, const Task &p, int g, int k) {
		u32 most = nullCells;
#pragma unroll
		for (int q = g * STRIDE; q < (g + 1) * STRIDE; q++) most = max2(most, waves.most(q));
		const int largest = max(lowCell(most), highCell(most));
		if (!__any_sync(~0u, largest > nearOffset)) return;
		far |= largest >= largestOffset;
		const int by = (leastOf(least<STRIDE>(waves, g)) - spareOffset) & ~15; // look-ups are by whole words
		if (by <= 0) return;
		origin[g] += by;
#pragma unroll
		for (int q = g * STRIDE; q < (g + 1) * STRIDE; q++) {
			waves.lower(q, by);
			waves.last[q] = lasts(p, k + (q - g * STRIDE) * 64, 32, g);
		}
	}
	// least returns the least offsets of a stride in this lane, as halves.
	template <int STRIDE, class W> __device__ __forceinline__ u32 least(const W &waves, int g) const {
		u32 least = ~0u;
#pragma unroll
		for (int q = g * STRIDE; q < (g + 1) * STRIDE; q++) least = minHalves(least, waves.least(q));
		return least;
	}
};
