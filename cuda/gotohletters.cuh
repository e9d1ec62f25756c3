// Letters of a pattern as bytes, for gotoh.cuh.
#pragma once
#include "abi.cuh"

// fourLetters makes bytes of four letters, the first in the lowest byte: the code in both
// halves of a byte.
__device__ __forceinline__ u32 fourLetters(u32 codes) {
	return ((codes >> 6 & 0x3u) | (codes << 4 & 0x300u) | (codes << 14 & 0x30000u) | (codes << 24 & 0x3000000u)) *
	       0x11u;
}

// spreadLetters writes the letters of the pattern, with pad letters on either side, a
// multiple of 16. `in` and `lanes` are the lane and the lanes that share the work.
__device__ __forceinline__ void spreadLetters(uint4 *to, const Task &p, int pad, int in, int lanes) {
	const int before = pad >> 4, words = (p.patternLength + 15) >> 4;
	for (int i = in; i < 2 * before + words; i += lanes) {
		const int w = i - before;
		const u32 v = w >= 0 && w < words ? __ldg(p.pattern + w) : 0;
		to[i] = make_uint4(fourLetters(v >> 24), fourLetters(v >> 16 & 255u), fourLetters(v >> 8 & 255u),
		                   fourLetters(v & 255u));
	}
}
