// Runs of matches on packed bases in global memory, 16 bases at a time.
#pragma once
#include "abi.cuh"

// prefetch brings the memory at an address into the cache of the device.
__device__ __forceinline__ void prefetch(const void *at) {
#ifdef WFA_EMULATED
	(void)*(const volatile u8 *)at;
#else
	asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#endif
}

// sixteen returns the 16 bases from position i on, the first on top.
__device__ __forceinline__ u32 sixteen(const u32 *bases, int i) {
	const u32 *w = bases + (i >> 4);
	return __funnelshift_l(__ldg(w + 1), __ldg(w), (i & 15) * 2);
}

// matchesFrom counts the matches from text position h and pattern position v on, up to
// most.
__device__ __forceinline__ int matchesFrom(const u32 *text, const u32 *pattern, int h, int v, int most) {
	int n = 0;
	while (n < most) {
		const u32 d = sixteen(text, h + n) ^ sixteen(pattern, v + n);
		if (d != 0) {
			n += __clz((int)d) >> 1;
			break;
		}
		n += 16;
	}
	return n < most ? n : most;
}

// sixteenBefore returns the 16 bases that end before position i > 0, the last at the
// bottom. Bases at positions below 0 are undefined.
__device__ __forceinline__ u32 sixteenBefore(const u32 *bases, int i) {
	const int w = (i - 1) >> 4, filled = i - 16 * w; // 1..16 bases of word w
	const u32 last = __ldg(bases + w), before = w > 0 ? __ldg(bases + w - 1) : 0;
	return __funnelshift_r(last, before, 32 - 2 * filled);
}

// matchesBefore counts the matches that end before text position h and pattern
// position v.
__device__ __forceinline__ int matchesBefore(const u32 *text, const u32 *pattern, int h, int v) {
	const int most = h < v ? h : v;
	int n = 0;
	while (n < most) {
		const u32 d = sixteenBefore(text, h - n) ^ sixteenBefore(pattern, v - n);
		if (d != 0) {
			n += (__ffs((int)d) - 1) >> 1;
			break;
		}
		n += 16;
	}
	return n < most ? n : most;
}
