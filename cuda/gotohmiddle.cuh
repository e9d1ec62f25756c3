// The diagonal in the middle of a band with rims: where the ends of a pattern lie in its text. For brokenseeds.cuh and probe.cuh.
//
// Letters at either end of the pattern are compared with those of the text on each diagonal from 0 to the end cell's.
// Where the alignment lies, runs of gotohSeed letters match. The diagonals with most of them are those next to each other on
// which an end lies, and their mean is its diagonal.
#pragma once
#include "gotohband.cuh"
#include "seedtable.cuh"

// gotohEndLetters is the number of letters of an end, at most.
static constexpr int gotohEndLetters = 512;

// EndDiagonals are the diagonals on which an end of a pattern lies.
struct EndDiagonals {
	int runs, sum; // of matching letters, and of the diagonals that these are on, less `from`
	int from;

	// matches returns how many runs of gotohSeed letters of a word are matches, by a word of the bits that differ.
	static __device__ __forceinline__ int matches(u32 differ) {
		u32 same = ~(differ | differ >> 1) & 0x55555555u;
		static_assert(gotohSeed == 8, "runs are doubled three times");
#pragma unroll
		for (int by = 2; by < 2 * gotohSeed; by *= 2) same &= same >> by;
		return __popc(same);
	}

	// Letters from a multiple of 16 on, of some words, end no later than the pattern. All lanes of a warp call it.
	__device__ __forceinline__ EndDiagonals(const Task &p, int letter, int words) : runs(0), sum(0), from(0) {
		const int lane = threadIdx.x & 31, end = p.textLength - p.patternLength, last = (p.textLength - 1) >> 4;
		int before = 0, sumBefore = 0; // of the 32 diagonals before
		for (int first = 0; first <= end; first += 32) {
			const int at = letter + min(first + lane, end), shift = 2 * (at & 15);
			int w = at >> 4, found = 0;
			u32 word = __ldg(p.text + w);
			for (int i = 0; i < words; i++) {
				const u32 after = __ldg(p.text + min(++w, last));
				found += matches(__funnelshift_l(after, word, shift) ^ __ldg(p.pattern + (letter >> 4) + i));
				word = after;
			}
			if (first + lane > end) found = 0;
			int weighed = found * lane;
#pragma unroll
			for (int d = 1; d < 32; d *= 2) {
				found += __shfl_xor_sync(~0u, found, d);
				weighed += __shfl_xor_sync(~0u, weighed, d);
			}
			if (before + found > runs) {
				runs = before + found;
				from = first - 32;
				sum = sumBefore + weighed + 32 * found;
			}
			before = found;
			sumBefore = weighed;
		}
	}

	__device__ __forceinline__ int mean() const { return from + sum / runs; }
};

// PatternEnds are the diagonals of the ends of a pattern within a longer text.
struct PatternEnds {
	bool known;
	int first, last;

	// All lanes of a warp call it.
	__device__ __forceinline__ PatternEnds(const Task &p) {
		const int words = min(p.patternLength, gotohEndLetters) >> 4;
		const EndDiagonals begin(p, 0, words), end(p, (p.patternLength - 16 * words) & ~15, words);
		known = begin.runs != 0 || end.runs != 0;
		first = begin.runs != 0 ? begin.mean() : known ? end.mean() : 0;
		last = end.runs != 0 ? end.mean() : first;
	}
	// middle is the diagonal in their midst, or GotohLeaving::anywhere.
	__device__ __forceinline__ int middle() const {
		return known ? min((first + last) / 2, 0x7fff) : (int)GotohLeaving::anywhere;
	}
};
