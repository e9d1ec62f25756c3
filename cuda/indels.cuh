// Bit-parallel indel distance: the least number of inserted and deleted letters that turn a segment of a pattern into a
// part of a text, which begins and ends anywhere. A mismatch counts as two. Hyyrö, Pinzón and Shinohara, Fast
// bit-vector algorithms for approximate string matching under indel distance, 2005.
//
// D(i,j) is the distance of i letters from the text before its letter j. Differences between neighbouring cells are -1,
// 0 or 1. Bit i of `more` says that row i+1 of the column has one more than row i, bit i of `less` one less.
#pragma once
#include "editcells.cuh"

// segmentLetters is the number of letters of a segment. It begins at a multiple of that.
static constexpr int segmentLetters = 64;

struct IndelSegment {
	u64 upper, lower; // the bits of the letters, the first at the bottom
	u64 more, less;
	int distance, least; // in the last row: of the column, and of all columns so far

	// load takes the segment with a number. There are no letters of the text yet.
	__device__ __forceinline__ void load(const u32 *pattern, int number) {
		EditStrip<2> letters;
		const int word = number * (segmentLetters / 16);
		letters.load(pattern, word, word + segmentLetters / 16 - 1);
		upper = letters.p1[0] | (u64)letters.p1[1] << 32;
		lower = letters.p0[0] | (u64)letters.p0[1] << 32;
		more = ~0ull;
		less = 0;
		distance = least = segmentLetters;
	}

	// column takes the next letter of the text, on top of t.
	__device__ __forceinline__ void column(u32 t) {
		const u64 u = twice((int)t >> 31), l = twice((int)(t << 1) >> 31);
		// Cells that cost as much as the one before on the diagonal, by a match or by a neighbour that has one less.
		const u64 x = ~(upper ^ u) & ~(lower ^ l) | less;
		const u64 same = (((x & more) + more) ^ more) | x;
		// Rows in which the column has one less than the one before.
		const u64 left = same & more;
		// Rows in which it has one more, each moved one up: these cells begin that, and the row above makes it go on.
		const u64 begins = (less | ~(same | more)) << 1, goesOn = more & ~same;
		const u64 right = (((begins & goesOn) + goesOn) ^ goesOn) | begins;
		const u32 top = (u32)((less | ~(same | more) | goesOn & right) >> 32);
		distance += (int)(top >> 31) - (int)(left >> 63);
		least = min(least, distance);
		const u64 above = more;
		more = left << 1 | ~same & (~right | above);
		less = same & right;
	}

	// twice is a word in both halves of another.
	static __device__ __forceinline__ u64 twice(int v) { return (u64)(u32)v << 32 | (u32)v; }

	// take takes the letters of a text from one place to another, and up to 15 more.
	__device__ __forceinline__ void take(const u32 *text, int length, int from, int to) {
		const int last = (length - 1) >> 4, shift = (from & 15) * 2;
		int w = from >> 4;
		u32 word = __ldg(text + min(w, last));
		for (; from < to; from += 16) {
			const u32 after = __ldg(text + min(++w, last));
			const u32 letters = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll
			for (int k = 0; k < 16; k++) column(letters << (2 * k));
		}
	}
};
