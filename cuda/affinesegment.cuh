// Bit-parallel distance with affine gaps: the least cost that turns a segment of one sequence into a part of another, which begins and
// ends anywhere. A mismatch costs 2, a gap of k letters 2 + k. A gap of the segment's letters from its first one on has been opened
// before: it costs k.
//
// It is i + j - 2*S(i,j) for i and j letters: S is the number of matches less that of gaps, at most, and grows by 0 or 1 along a
// diagonal. Differences of neighbours are -1 to 2, in two bits. The cells of an antidiagonal depend on those before alone, so that no
// carry goes along a column: in place of the one of indels.cuh, a step takes one antidiagonal. The recurrences of differences are those
// of Suzuki and Kasahara, Introducing difference recurrence relations for faster semi-global alignment of long sequences, 2018.
//
// A part begins anywhere if the first row has i + j - 2*S = 0. It has -1 in odd columns here, as in indels.cuh: the distance is the
// least one, or less by one.
//
// The even rows are in one word, the odd ones in the other, so that what goes to the row below is moved in one of them only. Words are
// moved by multiplications: they take a pipe that has little else to do.
#pragma once
#include "indels.cuh"

// AffineCells are 32 rows of a segment.
struct AffineCells {
	u32 upper, lower;   // bits of the letters
	u32 down1, down0;   // bits of S less that of the cell above, and 1 more, in the column before
	u32 across;         // the best gap of the other sequence's letters that goes on costs no more than one that opens
	u32 right1, right0; // bits of S less that of the cell on the left, and 1 more, in the row
	u32 up;             // the best gap of the segment's letters that goes on costs no more than one that opens

	// begin has no letters of the other sequence.
	__device__ __forceinline__ void begin(u32 upperBits, u32 lowerBits) {
		upper = upperBits;
		lower = lowerBits;
		down1 = across = right1 = 0;
		down0 = right0 = up = ~0u;
	}

	// step takes one cell of each row. text1 and text0 are the bits of its letters, and it matches in `valid` rows alone. The others
	// are what the row above has: right1, right0 and up there.
	__device__ __forceinline__ void step(u32 text1, u32 text0, u32 valid, u32 above1, u32 above0, u32 aboveUp) {
		const u32 match = ~((upper ^ text1) | (lower ^ text0)) & valid;
		// Gaps that lead to 1 more than the cell before on the diagonal, or to as much.
		const u32 across1 = down1 & (down0 | across), across0 = (down1 & ~down0 & ~across) | (~down1 & down0 & across);
		const u32 up1 = above1 & (above0 | aboveUp), up0 = (above1 & ~above0 & ~aboveUp) | (~above1 & above0 & aboveUp);
		const u32 more = match | across1 | up1;
		across = across1 | (~more & across0);
		up = up1 | (~more & up0);
		right1 = ~down1 & (more | ~down0);
		right0 = more ^ down0;
		down1 = ~above1 & (more | ~above0);
		down0 = more ^ above0;
	}
};

struct AffineSegment {
	AffineCells even, odd;
	u32 text1[2], text0[2]; // bits of the letters of the even rows, in steps of either kind
	u32 two;
	u32 high, low;         // 2*high + low is S of the last row, and 1 more for each step
	int mostOdd, mostEven; // largest ones, less three halves of the steps, in odd and in even columns
	int first;             // of the first column

	// It has no rows in shared memory.
	__device__ __forceinline__ AffineSegment(IndelRows &) {
		two = min(blockDim.x, 2u); // a number that the compiler does not know
	}

	// load takes the segment with a number of a sequence. There are no letters of the other one yet.
	__device__ __forceinline__ void load(const u32 *sequence, int number) {
		EditStrip<2> letters;
		const int word = number * (segmentLetters / 16);
		letters.load(sequence, word, word + segmentLetters / 16 - 1);
		const u32 *upper = letters.p1, *lower = letters.p0;
		even.begin(halfOfBits(upper[0]) | halfOfBits(upper[1]) << 16, halfOfBits(lower[0]) | halfOfBits(lower[1])
		                                                                                         << 16);
		odd.begin(halfOfBits(upper[0] >> 1) | halfOfBits(upper[1] >> 1) << 16,
		          halfOfBits(lower[0] >> 1) | halfOfBits(lower[1] >> 1) << 16);
		text1[0] = text1[1] = text0[0] = text0[1] = 0;
		high = low = 0;
		mostOdd = mostEven = first = -segmentLetters;
	}

	// twice returns 2*v + more.
	__device__ __forceinline__ u32 twice(u32 v, u32 more) const {
#ifdef WFA_EMULATED
		return 2 * v + more;
#else
		u32 r;
		asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(two), "r"(more));
		return r;
#endif
	}
	// top adds the top bit of v.
	__device__ __forceinline__ u32 top(u32 v, u32 more) const {
#ifdef WFA_EMULATED
		return (v >> 31) + more;
#else
		u32 r;
		asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(two), "r"(more));
		return r;
#endif
	}

	// step takes the letter whose two bits are on top of `letters`, and moves these away. The first row's column is odd in even steps.
	template <int PARITY> __device__ __forceinline__ void step(u32 &letters, u32 validEven, u32 validOdd) {
		text1[PARITY] = __funnelshift_l(letters, text1[PARITY], 1);
		letters = twice(letters, 0);
		text0[PARITY] = __funnelshift_l(letters, text0[PARITY], 1);
		letters = twice(letters, 0);
		const u32 above1 = twice(odd.right1, PARITY == 0), above0 = twice(odd.right0, PARITY == 1),
		          up = twice(odd.up, 1);
		odd.step(text1[PARITY ^ 1], text0[PARITY ^ 1], validOdd, even.right1, even.right0, even.up);
		even.step(text1[PARITY], text0[PARITY], validEven, above1, above0, up);
		high = top(odd.right1, high);
		low = top(odd.right0, low);
	}

	// take takes the letters of the other sequence from one place to another, and some more.
	__device__ __forceinline__ void take(const u32 *sequence, int length, int from, int to) {
		if (from >= to) return;
		const int last = (length - 1) >> 4, shift = (from & 15) * 2;
		int w = from >> 4;
		u32 word = __ldg(sequence + min(w, last));
		// The last row has the last letter as many steps later as there are rows above it.
		const int words = (to - from + segmentLetters + 14) / 16;
		u32 validEven = 0, validOdd = 0;
#pragma unroll 1
		for (int k = 0; k < segmentLetters / 16; k++) {
			const u32 after = __ldg(sequence + min(++w, last));
			u32 letters = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll 2
			for (int i = 0; i < 16; i += 2) {
				validEven = 2 * validEven + 1;
				step<0>(letters, validEven, validOdd);
				validOdd = 2 * validOdd + 1;
				step<1>(letters, validEven, validOdd);
			}
		}
		first = (int)(2 * high + low);
		int lost = 0;
#pragma unroll 1
		for (int k = segmentLetters / 16; k < words; k++) {
			const u32 after = __ldg(sequence + min(++w, last));
			u32 letters = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll 4
			for (int i = 0; i < 16; i += 2) {
				step<0>(letters, ~0u, ~0u);
				mostEven = max(mostEven, (int)twice(high, low) - lost);
				step<1>(letters, ~0u, ~0u);
				mostOdd = max(mostOdd, (int)twice(high, low) - lost);
				lost += 3;
			}
		}
	}

	// least returns the distance. Before the first letter, the last row counts 1 in each step.
	__device__ __forceinline__ int least() const {
		const int before = segmentLetters - 1, steps = segmentLetters;
		const int odd = max(2 * first - 3 * steps, 2 * mostOdd - 3 * (steps + 2)),
		          even = 2 * mostEven - 3 * (steps + 1);
		return segmentLetters - max(max(odd, even) + before, 0);
	}
};
