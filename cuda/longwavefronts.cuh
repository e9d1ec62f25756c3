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
		copy(to, text, patternAt);
		copy(to + patternAt, pattern, sharedWords(p.patternLength));
	}
	static __device__ __forceinline__ void copy(u32 *to, const u32 *from, int words) {
		constexpr int batch = 8; // loads at a time
		for (int i = threadIdx.x; i < words; i += batch * blockDim.x) {
			u32 w[batch];
#pragma unroll
			for (int q = 0; q < batch; q++) w[q] = __ldg(from + min(i + q * (int)blockDim.x, words - 1));
#pragma unroll
			for (int q = 0; q < batch; q++)
				if (i + q * (int)blockDim.x < words) to[i + q * (int)blockDim.x] = w[q];
		}
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

	// of returns the bases of a lane's pair. All lanes of a warp call it.
	__device__ __forceinline__ Bases of(int lane) const {
		return SHARED ? *this : Bases{fromLane(text, lane), fromLane(pattern, lane), 0};
	}
	static __device__ __forceinline__ const u32 *fromLane(const u32 *p, int lane) {
		const u64 v = (u64)p;
		const u32 low = __shfl_sync(~0u, (int)v, lane), high = __shfl_sync(~0u, (int)(v >> 32), lane);
		return (const u32 *)((u64)high << 32 | low);
	}
	// runEnd returns the end of a run of matches from offset h of diagonal k on, at most the
	// diagonal's end. All lanes of a warp call it with the same bases and arguments, and compare
	// 16 bases each.
	__device__ __forceinline__ int runEnd(int h, int k, int end) const {
		for (;; h += 32 * 16) {
			const int at = min(h + (int)(threadIdx.x & 31) * 16, end);
			const int n = __clz((int)differ(at, at - k)) >> 1;
			const u32 stop = __ballot_sync(~0u, n < 16 || at == end);
			if (stop == 0) continue;
			const int lane = __ffs((int)stop) - 1;
			return min(h + lane * 16 + __shfl_sync(~0u, n, lane), end);
		}
	}
};

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

	// start sets score 0: only the origin is not null or, with FREE ends, the cells of diagonals that begin in
	// the text.
	template <bool FREE = false> __device__ __forceinline__ void start() {
		empty();
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
			const int k = FREE ? first + j : 0;
			if (FREE ? k < 0 || k > textLength : first + j != 0) continue;
			int h = k;
			for (int n = 16; n == 16 && h < last(k); h += n) n = __clz((int)bases.differ(h, h - k)) >> 1;
			m[0][j] = h;
			if (P::o == 0) del[0][j] = ins[0][j] = m[0][j];
		}
	}

	// extend extends the cells of a row that come from c by 16 matches, as n says. All lanes of a
	// warp call it, and follow the runs of a few lanes together.
	__device__ __forceinline__ void extend(int (&row)[CELLS], const int (&c)[CELLS], const int (&n)[CELLS]) {
		constexpr int few = 3; // lanes with runs, for which that is faster
		u32 open = 0;          // cells
#pragma unroll
		for (int j = 0; j < CELLS; j++) open |= (u32)(n[j] == 16 && c[j] >= 0 && row[j] < last(first + j)) << j;
		// In memory, each lane alone goes on first: most runs end there.
		bool alone = !SHARED;
		for (u32 lanes; (lanes = __ballot_sync(~0u, open != 0)) != 0; alone = false) {
			const int number = max(__ffs((int)open) - 1, 0), k = first + number, end = last(k);
			int h = row[0];
#pragma unroll
			for (int j = 1; j < CELLS; j++)
				if (number == j) h = row[j];
			bool mine = open != 0, over = true;
			if (!alone && __popc(lanes) <= few) {
				const int lane = __ffs((int)lanes) - 1;
				mine = (threadIdx.x & 31) == lane;
				h = bases.of(lane).runEnd(__shfl_sync(~0u, h, lane), __shfl_sync(~0u, k, lane),
				                          __shfl_sync(~0u, end, lane));
			} else if (mine) {
				const int more = __clz((int)bases.differ(h, h - k)) >> 1;
				h += more;
				over = more < 16 || h >= end;
			}
			if (!mine) continue;
			if (over) open &= open - 1;
#pragma unroll
			for (int j = 0; j < CELLS; j++)
				if (number == j) row[j] = h;
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
		if (__any_sync(~0u, longest == 16)) extend(m[ring], c, n);
		if (P::o == 0) {
#pragma unroll
			for (int j = 0; j < CELLS; j++) del[from][j] = ins[from][j] = m[ring][j];
		}
	}
};
