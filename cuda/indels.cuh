// Bit-parallel indel distance: the least number of inserted and deleted letters that turn a segment of one sequence into a
// part of another, which begins and ends anywhere. A mismatch counts as two. It is i + j - 2*L(i,j) for i and j letters with
// a longest common subsequence of L(i,j). Hyyrö, Bit-parallel LCS-length computation revisited, 2004.
//
// A part begins anywhere if the first row has i + j - 2*L = 0. It has -1 in odd columns and 0 in even ones here, so that
// L is a whole number: grows by one, as if there was a match, in odd columns. So the distance is the least one, or less by one.
//
// Bit i of `level` says that L is the same in rows i and i+1 of the column.
#pragma once
#include "editcells.cuh"

// segmentLetters is the number of letters of a segment. It begins at a multiple of that.
static constexpr int segmentLetters = 64;

struct IndelSegment {
	u32 upper[2], lower[2]; // the bits of the letters, the first at the bottom
	u32 level[2];
	int gain;              // L of the last row, less half of the columns, rounded up
	int mostOdd, mostEven; // largest ones, in odd and in even columns

	// load takes the segment with a number of a sequence. There are no letters of the other one yet.
	__device__ __forceinline__ void load(const u32 *sequence, int number) {
		EditStrip<2> letters;
		const int word = number * (segmentLetters / 16);
		letters.load(sequence, word, word + segmentLetters / 16 - 1);
#pragma unroll
		for (int w = 0; w < 2; w++) {
			upper[w] = letters.p1[w];
			lower[w] = letters.p0[w];
			level[w] = ~0u;
		}
		gain = mostEven = 0;
		mostOdd = -1;
	}

	// odd and even take the next letter of the other sequence, on top of t, in turn.
	__device__ __forceinline__ void odd(u32 t) {
		u32 match[2], others[2], sum[2]; // level + (level & match) + 1 = level - others
		matches(t, match);
#pragma unroll
		for (int w = 0; w < 2; w++) others[w] = ~(level[w] & match[w]);
#ifdef WFA_EMULATED
		const u64 all = level[0] | (u64)level[1] << 32, less = others[0] | (u64)others[1] << 32;
		sum[0] = (u32)(all - less);
		sum[1] = (u32)((all - less) >> 32);
		gain -= all < less;
#else
		asm("sub.cc.u32 %0, %3, %5; subc.cc.u32 %1, %4, %6; subc.u32 %2, %2, 0;"
		    : "=&r"(sum[0]), "=&r"(sum[1]), "+r"(gain)
		    : "r"(level[0]), "r"(level[1]), "r"(others[0]), "r"(others[1]));
#endif
#pragma unroll
		for (int w = 0; w < 2; w++) level[w] = sum[w] | (level[w] & ~match[w]);
		mostOdd = max(mostOdd, gain);
	}
	__device__ __forceinline__ void even(u32 t) {
		u32 match[2], longer[2], sum[2];
		matches(t, match);
#pragma unroll
		for (int w = 0; w < 2; w++) longer[w] = level[w] & match[w];
#ifdef WFA_EMULATED
		const u64 all = level[0] | (u64)level[1] << 32, more = all + (longer[0] | (u64)longer[1] << 32);
		sum[0] = (u32)more;
		sum[1] = (u32)(more >> 32);
		gain += more < all;
#else
		asm("add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %6; addc.u32 %2, %2, 0;"
		    : "=&r"(sum[0]), "=&r"(sum[1]), "+r"(gain)
		    : "r"(level[0]), "r"(level[1]), "r"(longer[0]), "r"(longer[1]));
#endif
#pragma unroll
		for (int w = 0; w < 2; w++) level[w] = sum[w] | (level[w] & ~match[w]);
		mostEven = max(mostEven, gain);
	}

	// matches finds the rows that match a letter on top of t.
	__device__ __forceinline__ void matches(u32 t, u32 (&match)[2]) const {
		const u32 u = (u32)((int)t >> 31), l = (u32)((int)(t << 1) >> 31);
#pragma unroll
		for (int w = 0; w < 2; w++) match[w] = ~(upper[w] ^ u) & ~(lower[w] ^ l);
	}

	// take takes the letters of the other sequence from one place to another, and up to 15 more.
	__device__ __forceinline__ void take(const u32 *sequence, int length, int from, int to) {
		const int last = (length - 1) >> 4, shift = (from & 15) * 2;
		int w = from >> 4;
		u32 word = __ldg(sequence + min(w, last));
		for (; from < to; from += 16) {
			const u32 after = __ldg(sequence + min(++w, last));
			const u32 letters = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll
			for (int k = 0; k < 16; k += 2) {
				odd(letters << (2 * k));
				even(letters << (2 * k + 2));
			}
		}
	}

	// least returns the distance.
	__device__ __forceinline__ int least() const { return segmentLetters - max(2 * mostEven, 2 * mostOdd + 1); }
};
