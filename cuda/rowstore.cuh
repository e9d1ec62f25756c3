// What a lane stores of its cells for the traceback: the low bits of each, row by row.
//
// The words of a lane, those of row t from number t*words on, are written in pieces of four,
// pieces of the same number by all lanes next to each other: 16 bytes of a lane, a row of which
// may end inside a piece. `period` rows end with one.
#pragma once
#include "simd.cuh"

// storePeriod is the number of rows of some words after which a piece ends.
__host__ __device__ constexpr int storePeriod(int words) { return words % 4 == 0 ? 1 : words % 2 == 0 ? 2 : 4; }

// storedRows rounds up a number of rows, so that pieces are whole.
__host__ __device__ constexpr int storedRows(int rows) { return (rows + 3) & ~3; }

// storedWord is the place of word k of a row of some words, of a lane among some: in words from
// that of the first row's first lane.
__device__ __forceinline__ u64 storedWord(u64 row, int words, int k, int lane, int lanes) {
	const u64 word = row * words + k;
	return ((word >> 2) * lanes + lane) * 4 + (word & 3);
}

// storedCells joins the low bits of cells, BITS each, to word k of a row.
template <int BITS, int COLUMNS> __device__ __forceinline__ u32 storedCells(const u32 (&h)[COLUMNS], int k) {
	if constexpr (BITS == 8) return __byte_perm(h[2 * k], h[2 * k + 1], 0x6420);
	const u32 low = __byte_perm(h[4 * k], h[4 * k + 1], 0x6420), high = __byte_perm(h[4 * k + 2], h[4 * k + 3], 0x6420);
	return (low & 0x0f0f0f0fu) | (high * 16 & 0xf0f0f0f0u);
}

template <int COLUMNS, int BITS, int LANES> struct RowStore {
	static constexpr int words = COLUMNS * BITS / 16, period = storePeriod(words);
	u32 *to;      // the lane's first piece of the present period
	u32 begun[4]; // words of a piece that a later row ends

	// begin begins at row 1, in the memory of a group of lanes.
	__device__ __forceinline__ void begin(u32 *memory, int lane) {
		to = memory + 4 * lane + (period == 1 ? words * LANES : 0);
	}

	// next stores a row if `on`, and it is in the period. Rows follow each other from the first
	// one of a period on.
	template <int ROW> __device__ __forceinline__ void next(const u32 (&h)[COLUMNS], bool on) {
		constexpr int first = ROW * words / 4, have = ROW * words % 4;
#pragma unroll
		for (int k = 0; k < words; k++) {
			begun[(have + k) % 4] = storedCells<BITS>(h, k);
			if ((have + k) % 4 == 3 && on)
				*(uint4 *)(to + (first + (have + k) / 4) * 4 * LANES) =
				    make_uint4(begun[0], begun[1], begun[2], begun[3]);
		}
		if constexpr (ROW == period - 1) to += period * words * LANES;
	}

	// alone stores row t if `on`, whatever rows have been before it.
	__device__ __forceinline__ void alone(const u32 (&h)[COLUMNS], int t, bool on) {
		if constexpr (period == 1) return next<0>(h, on);
		const int row = t & (period - 1);
#pragma unroll
		for (int k = 0; k < words; k++) {
			const int word = row * words + k;
			if (on) to[(word >> 2) * 4 * LANES + (word & 3)] = storedCells<BITS>(h, k);
		}
		if (row == period - 1) to += period * words * LANES;
	}
};

// Of scores alone nothing is stored.
template <int COLUMNS, int LANES> struct RowStore<COLUMNS, 0, LANES> {
	static constexpr int words = 0, period = 1;
	__device__ __forceinline__ void begin(u32 *, int) {}
	template <int ROW> __device__ __forceinline__ void next(const u32 (&)[COLUMNS], bool) {}
	__device__ __forceinline__ void alone(const u32 (&)[COLUMNS], int, bool) {}
};
