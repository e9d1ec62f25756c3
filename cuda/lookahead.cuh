// Extension along matches by look-ahead tables in shared memory.
//
// A table has one entry a position, which holds the bases from there on, two
// bits each, the first on top: 8 bases in 16 bits or 16 in 32. One exclusive
// or of a text and a pattern entry shows how many bases match. Two-bit codes
// have no letter that ends a sequence, so cells are clamped to the last cell
// of their diagonal first; matches may then run past it by less than an entry,
// which is harmless as all cells are clamped again before they are used.
#pragma once
#include "simd.cuh"

// All shared memory of a block, 16-byte aligned.
extern __shared__ __align__(16) u8 sharedMemory[];

template <int BASES> struct Entry;
template <> struct Entry<8> {
	typedef u16 Word;
	static constexpr u32 low = 0x000f000fu;
	static constexpr int fullShift = 3;
};
template <> struct Entry<16> {
	typedef u32 Word;
	static constexpr u32 low = 0x001f001fu;
	static constexpr int fullShift = 4;
};

template <int BASES> struct Lookahead {
	typedef typename Entry<BASES>::Word Word;
	static constexpr int size = sizeof(Word);
	// Set in the halves in which a whole entry matched.
	static constexpr u32 full = 0x00010001u << Entry<BASES>::fullShift;

	int text;    // byte address of the text's table
	int pattern; // byte address of the pattern entry that meets text entry 0 on this lane's first diagonal

	// matches returns how many bases match from the cells of the diagonals
	// first + step and first + step + half, 0 for cells that are null. Cells
	// must not lie behind the end of their diagonal.
	__device__ __forceinline__ u32 matches(u32 cell, int step, int half) const {
		const u32 h = max2(cell, 0);
		const u32 h0 = h & 0xffffu, h1 = h >> 16;
		const u8 *m = sharedMemory;
		const u32 d0 = *(const Word *)(m + (text + (int)h0 * size)) ^
		               *(const Word *)(m + (pattern + (int)h0 * size - step * size));
		const u32 d1 = *(const Word *)(m + (text + (int)h1 * size)) ^
		               *(const Word *)(m + (pattern + (int)h1 * size - (step + half) * size));
		// Twice the bases, and a bit too much, in each half.
		const u32 twice = (BASES == 8 ? 0x000f000fu : 0x001f001fu) - (u32)topBit(d0) - ((u32)topBit(d1) << 16);
		return (twice >> 1) & Entry<BASES>::low & ~negative2(cell);
	}

	// extend goes on from cells of which some halves, as n tells, have matched
	// a whole entry.
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 limit, int step, int half) const {
		u32 on = n & full;
		do {
			on &= negative2(sub2(cell, limit)); // halves that are not at their end
			n = matches(cell, step, half) & ((on >> Entry<BASES>::fullShift) * 0xffffu);
			cell += n;
			on = n & full;
		} while (on);
		return cell;
	}

	// build writes the table of a sequence of n bases to shared memory: n + 1
	// entries, the last ones with whatever follows the sequence.
	static __device__ __forceinline__ void build(int at, const u32 *bases, int n, int thread, int threads) {
		for (int i = thread; i <= n; i += threads) {
			const int w = i >> 4;
			const u32 v = __funnelshift_l(__ldg(bases + w + 1), __ldg(bases + w), (i & 15) * 2);
			*(Word *)(sharedMemory + at + i * size) = (Word)(v >> (32 - 2 * BASES));
		}
	}
};
