// Wavefronts in registers with 32-bit offsets, for sequences of any length. A thread has
// neighbouring diagonals. recurrence.cuh has the recurrence; M, and the gap wavefronts
// before their shift, are rings indexed by score, as in wavefronts.cuh.
#pragma once
#include "lookahead.cuh"
#include "penalties.cuh"
#include "recurrence.cuh"

// sharedWords returns the words of a sequence in shared memory. Extensions read the word
// after the last base.
__device__ __forceinline__ int sharedWords(int letters) { return (letters >> 4) + 2; }

// Bases are a pair's packed bases, in shared or in global memory.
template <bool SHARED> struct Bases {
	const u32 *text, *pattern;
	int patternAt; // word of the pattern in shared memory

	__device__ __forceinline__ void set(const Task &p) {
		text = p.text;
		pattern = p.pattern;
		patternAt = sharedWords(p.textLength);
		if (!SHARED) return;
		u32 *to = (u32 *)sharedMemory;
		for (int i = threadIdx.x; i < sharedWords(p.textLength); i += blockDim.x) to[i] = __ldg(text + i);
		for (int i = threadIdx.x; i < sharedWords(p.patternLength); i += blockDim.x)
			to[patternAt + i] = __ldg(pattern + i);
	}

	// differ compares 16 bases from text position h and pattern position v on: 0 if they
	// are equal, else the first difference has the top bits.
	__device__ __forceinline__ u32 differ(int h, int v) const {
		const u32 *t, *p;
		if (SHARED) {
			t = (const u32 *)sharedMemory + (h >> 4);
			p = (const u32 *)sharedMemory + patternAt + (v >> 4);
			return __funnelshift_l(t[1], t[0], 2 * h) ^ __funnelshift_l(p[1], p[0], 2 * v);
		}
		t = text + (h >> 4);
		p = pattern + (v >> 4);
		return __funnelshift_l(__ldg(t + 1), __ldg(t), 2 * h) ^ __funnelshift_l(__ldg(p + 1), __ldg(p), 2 * v);
	}
};

// extend follows matches from offset h of diagonal k on, word by word, to the diagonal's
// end or less than a word beyond. It is rare and long, hence not inline.
template <bool SHARED> __device__ __noinline__ int extend(Bases<SHARED> bases, int h, int k, int end) {
	int n = 16;
	while (n == 16 && h < end) {
		n = __clz((int)bases.differ(h, h - k)) >> 1;
		h += n;
	}
	return h;
}

template <class P, bool SHARED, int CELLS> struct LongWavefronts {
	int m[P::ring][CELLS], del[P::e][CELLS], ins[P::e][CELLS];
	Bases<SHARED> bases;
	int textLength, patternLength;
	int first; // this thread's lowest diagonal

	__device__ __forceinline__ int last(int k) const { return min(textLength, patternLength + k); }

	// matches returns how many of the next 16 bases match from offset h of diagonal k, null
	// or not. Matches may run past the end of the diagonal.
	__device__ __forceinline__ int matches(int h, int k) const {
		const int from = max(h, 0);
		// The position of a null cell is anywhere in the pattern.
		return __clz((int)bases.differ(from, between0(from - k, patternLength))) >> 1;
	}

	__device__ __forceinline__ void empty() {
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
#pragma unroll
			for (int b = 0; b < P::ring; b++) m[b][j] = nullOffset;
#pragma unroll
			for (int b = 0; b < P::e; b++) del[b][j] = ins[b][j] = nullOffset;
		}
	}

	// start sets score 0: only the origin is not null.
	__device__ __forceinline__ void start() {
		empty();
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
			if (first + j != 0) continue;
			m[0][j] = extend(bases, 0, 0, last(0));
			if (P::o == 0) del[0][j] = ins[0][j] = m[0][j];
		}
	}

	// advance computes score s, s mod P::unroll = PHASE, from the gap wavefronts of the
	// diagonals below and above this thread's.
	template <int PHASE> __device__ __forceinline__ void advance(int below, int above) {
		constexpr int from = PHASE % P::e, ring = PHASE % P::ring;
		constexpr int xBack = P::slot(PHASE, P::x), oBack = P::slot(PHASE, P::o);
		int c[CELLS], n[CELLS], longest = 0;
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
			const int d = j == 0 ? below : del[from][j > 0 ? j - 1 : 0];
			const int i = j + 1 < CELLS ? ins[from][j + 1 < CELLS ? j + 1 : j] : above;
			c[j] = min(addMax(max(m[xBack][j], d), 1, i), last(first + j));
			n[j] = matches(c[j], first + j);
			longest = max(longest, n[j]);
		}
		if (P::o != 0) { // in an order that overwrites no neighbour that is still to be read
#pragma unroll
			for (int j = 0; j < CELLS; j++)
				ins[from][j] = max(j + 1 < CELLS ? ins[from][j + 1 < CELLS ? j + 1 : j] : above, m[oBack][j]);
#pragma unroll
			for (int j = CELLS - 1; j >= 0; j--)
				del[from][j] = addMax(j == 0 ? below : del[from][j > 0 ? j - 1 : 0], 1, m[oBack][j]);
		}
#pragma unroll
		for (int j = 0; j < CELLS; j++) m[ring][j] = c[j] + n[j];
		if (longest == 16) {
#pragma unroll
			for (int j = 0; j < CELLS; j++)
				if (n[j] == 16 && c[j] >= 0) m[ring][j] = extend(bases, m[ring][j], first + j, last(first + j));
		}
		if (P::o == 0) {
#pragma unroll
			for (int j = 0; j < CELLS; j++) del[from][j] = ins[from][j] = m[ring][j];
		}
	}
};
