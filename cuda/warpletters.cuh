// Letters of a pair, looked at by a warp: 512 at a time.
#pragma once
#include "match.cuh"

// Pair is a pair of packed sequences.
struct Pair {
	const u32 *pattern, *text;
	int n, m; // their letters

	// differences returns what differs in the 16 letters from position v of the pattern and h of the
	// text on, two bits each, the first on top. What is behind an end counts as different.
	__device__ __forceinline__ u32 differences(int v, int h) const {
		const int left = min(n - v, m - h);
		if (left <= 0) return ~0u;
		const u32 d = sixteen(pattern, v) ^ sixteen(text, h);
		return left < 16 ? d | ~0u >> 2 * left : d;
	}

	// matches counts the matches from position v of the pattern and h of the text on, up to 16.
	__device__ __forceinline__ int matches(int v, int h) const { return __clz((int)differences(v, h)) >> 1; }

	// run counts all of them. Every lane has the same position.
	__device__ __forceinline__ int run(int v, int h) const {
		const int lane = threadIdx.x & 31;
#pragma unroll 1
		for (int passed = 0;; passed += 512) {
			const int k = matches(v + passed + 16 * lane, h + passed + 16 * lane);
			const u32 ends = __ballot_sync(~0u, k < 16);
			if (ends == 0) continue;
			const int first = __ffs((int)ends) - 1;
			return passed + 16 * first + __shfl_sync(~0u, k, first);
		}
	}

	// mismatches counts the different letters among count. Every lane has the same positions.
	__device__ __forceinline__ int mismatches(int v, int h, int count) const {
		int sum = 0;
#pragma unroll 1
		for (int i = 16 * (int)(threadIdx.x & 31); i < count; i += 512) {
			u32 d = sixteen(pattern, v + i) ^ sixteen(text, h + i);
			d = (d | d >> 1) & 0x55555555u;
			if (count - i < 16) d &= ~(~0u >> 2 * (count - i));
			sum += __popc(d);
		}
#pragma unroll
		for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
		return sum;
	}
};
