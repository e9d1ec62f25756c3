// Bit-parallel indel distance: the least number of inserted and deleted letters that turn a segment of one sequence into a
// part of another, which begins and ends anywhere. A mismatch counts as two. It is i + j - 2*L(i,j) for i and j letters with
// a longest common subsequence of L(i,j). Hyyrö, Bit-parallel LCS-length computation revisited, 2004.
//
// A part begins anywhere if the first row has i + j - 2*L = 0. It has -1 in odd columns and 0 in even ones here, so that
// L is a whole number: grows by one, as if there was a match, in odd columns. So the distance is the least one, or less by one.
//
// Bit i of `level` says that L is the same in rows i and i+1 of the column.
//
// Shared memory: the rows that match each of the four letters, 32 bytes a thread.
#pragma once
#include "editcells.cuh"

// segmentLetters is the number of letters of a segment. It begins at a multiple of that.
static constexpr int segmentLetters = 64;

// indelThreads is the number of threads of a block, at most.
static constexpr int indelThreads = 256;

// IndelRows are the rows of the segments of a block that match a letter: those of each letter by thread.
struct alignas(16) IndelRows {
	static constexpr u32 shift = 11; // of a letter, to make it a place
	uint2 of[4][indelThreads];
};
static_assert(sizeof(IndelRows) == 4 << IndelRows::shift, "");

struct IndelSegment {
	IndelRows &rows;
	u32 level[2];
	int gain;              // L of the last row, less half of the columns, rounded up
	int mostOdd, mostEven; // largest ones, in odd and in even columns

	__device__ __forceinline__ IndelSegment(IndelRows &shared) : rows(shared) {}

	// load takes the segment with a number of a sequence. There are no letters of the other one yet.
	__device__ __forceinline__ void load(const u32 *sequence, int number) {
		EditStrip<2> letters;
		const int word = number * (segmentLetters / 16);
		letters.load(sequence, word, word + segmentLetters / 16 - 1);
		const u32 *upper = letters.p1, *lower = letters.p0;
		rows.of[0][threadIdx.x] = make_uint2(~upper[0] & ~lower[0], ~upper[1] & ~lower[1]);
		rows.of[1][threadIdx.x] = make_uint2(~upper[0] & lower[0], ~upper[1] & lower[1]);
		rows.of[2][threadIdx.x] = make_uint2(upper[0] & ~lower[0], upper[1] & ~lower[1]);
		rows.of[3][threadIdx.x] = make_uint2(upper[0] & lower[0], upper[1] & lower[1]);
		level[0] = level[1] = ~0u;
		gain = mostEven = 0;
		mostOdd = -1;
	}

	// column takes the next letter of the other sequence, whose rows match. The first column is odd.
	template <bool ODD> __device__ __forceinline__ void column(uint2 match) {
		u32 sum[2]; // level + both, and one more in odd columns: level - ~both
#ifdef WFA_EMULATED
		const u64 all = level[0] | (u64)level[1] << 32, both = all & (match.x | (u64)match.y << 32);
		const u64 v = ODD ? all - ~both : all + both;
		sum[0] = (u32)v;
		sum[1] = (u32)(v >> 32);
		gain += ODD ? -(all < ~both) : v < all;
#else
		if constexpr (ODD)
			asm("{ .reg .b32 u, v; lop3.b32 u, %3, %5, 0, 0x3f; lop3.b32 v, %4, %6, 0, 0x3f;\n"
			    "sub.cc.u32 %0, %3, u; subc.cc.u32 %1, %4, v; subc.u32 %2, %2, 0; }"
			    : "=&r"(sum[0]), "=&r"(sum[1]), "+r"(gain)
			    : "r"(level[0]), "r"(level[1]), "r"(match.x), "r"(match.y));
		else
			asm("add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %6; addc.u32 %2, %2, 0;"
			    : "=&r"(sum[0]), "=&r"(sum[1]), "+r"(gain)
			    : "r"(level[0]), "r"(level[1]), "r"(level[0] & match.x), "r"(level[1] & match.y));
#endif
		level[0] = sum[0] | (level[0] & ~match.x);
		level[1] = sum[1] | (level[1] & ~match.y);
		int &most = ODD ? mostOdd : mostEven;
		most = max(most, gain);
	}

	// match returns the rows that match a letter, the two bits from IndelRows::shift on of a number.
	__device__ __forceinline__ uint2 match(u32 letter) const {
		const u32 place = (letter & 3u << IndelRows::shift) | threadIdx.x * (u32)sizeof(uint2);
		return *(const uint2 *)((const char *)&rows + place);
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
			static_assert(IndelRows::shift == 11, "letters 0, 6 and, two bits lower, 12 of a word");
			u32 parts[3] = {letters >> 19, letters >> 7, letters << 5};
			for (u32 &part : parts) asm("" : "+r"(part)); // or shifts are to the right, in the pipe that is full
#pragma unroll
			for (int k = 0; k < 16; k += 2) {
				column<true>(match(parts[k / 6] << 2 * (k % 6)));
				column<false>(match(parts[(k + 1) / 6] << 2 * ((k + 1) % 6)));
			}
		}
	}

	// least returns the distance.
	__device__ __forceinline__ int least() const { return segmentLetters - max(2 * mostEven, 2 * mostOdd + 1); }
};
