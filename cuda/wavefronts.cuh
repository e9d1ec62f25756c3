// Wavefronts in registers: two diagonals per 32-bit word, several words per thread.
//
// Word j of the THREADS threads that share a pair has 2*THREADS neighbouring diagonals:
// thread i has diagonal first + 2*THREADS*j + i in its low half and the one THREADS
// further in its high half. A shift by one diagonal is one shuffle and one byte permute.
//
// recurrence.cuh has the recurrence. M, and the gap wavefronts before their shift, are
// rings indexed by score. A score takes four DPX instructions per word.
#pragma once
#include "lookahead.cuh"
#include "penalties.cuh"

// fromBelow and fromAbove are the byte permutes of a shift by one diagonal, of the word that the
// neighbouring thread below or above has, and the word before or after it. The first thread's neighbour below is
// the last one: what is in its low half comes into the high half, and into the low half the word before's
// high one. The last thread's neighbour above is the first one, likewise.
__device__ __forceinline__ u32 fromBelow(bool first) { return first ? 0x1076u : 0x3210u; }
__device__ __forceinline__ u32 fromAbove(bool last) { return last ? 0x5432u : 0x3210u; }

// lowered subtracts from the cells of a word that are not null.
__device__ __forceinline__ u32 lowered(u32 word, int by) { return sub2(word, cells(by, by) & ~negative2(word)); }

// Words are neighbouring words of a lane.
template <int N> struct Words {
	u32 word[N];
};

// followRuns extends the halves of words in which a whole entry has matched, as n says, and returns the
// words; ends are the last cells. All lanes of a warp call it, and follow the runs of a few lanes
// together.
template <int N, class RUNS>
__device__ __forceinline__ Words<N> followRuns(RUNS runs, Words<N> c, Words<N> n, Words<N> ends) {
	constexpr int few = 3; // lanes with runs, for which that is faster
	u64 open = 0;          // bit 2*q + 1 is the high half of word q
#pragma unroll
	for (int q = 0; q < N; q++) {
		const u32 on = (n.word[q] & RUNS::full & negative2(sub2(c.word[q], ends.word[q]))) >> RUNS::fullShift;
		open |= (u64)(on & 1 | on >> 15) << 2 * q;
	}
	for (u32 lanes; (lanes = __ballot_sync(~0u, open != 0)) != 0;) {
		const int number = max(__ffsll((long long)open) - 1, 0); // this lane's run
		u32 cell = c.word[0], end = ends.word[0];
#pragma unroll
		for (int q = 1; q < N; q++) {
			if (number < 2 * q) continue;
			cell = c.word[q];
			end = ends.word[q];
		}
		int h = number & 1 ? highCell(cell) : lowCell(cell);
		const int most = number & 1 ? highCell(end) : lowCell(end);
		const int pattern = runs.patternAt(number);
		bool mine = open != 0, over = true;
		if (__popc(lanes) <= few) {
			const int lane = __ffs((int)lanes) - 1;
			mine = (threadIdx.x & 31) == lane;
			h = runs.runEnd(__shfl_sync(~0u, h, lane), __shfl_sync(~0u, most, lane), runs.text,
			                __shfl_sync(~0u, pattern, lane));
		} else if (mine) {
			const int n = runs.count(runs.text + h * RUNS::size, pattern + h * RUNS::size);
			h += n;
			over = n < RUNS::bases || h >= most;
		}
		if (mine && over) open &= open - 1;
#pragma unroll
		for (int q = 0; q < N; q++)
			if (mine && number >> 1 == q)
				c.word[q] = number & 1 ? cells(lowCell(c.word[q]), h) : cells(h, highCell(c.word[q]));
	}
	return c;
}

// LastCells are the last cells of the diagonals, up to which others are extended.
template <int WORDS> struct LastCells {
	u32 last[WORDS];

	// extend extends the halves of words in which a whole entry has matched, as n says; any is all
	// n together. All lanes of a warp call it.
	template <int N, class L>
	__device__ __forceinline__ void extend(int from, u32 (&c)[N], const u32 (&n)[N], u32 any, const L &look, int step,
	                                       int half) {
		if (!__any_sync(~0u, any & L::full)) return;
		Words<N> w, of, ends;
#pragma unroll
		for (int q = 0; q < N; q++) {
			w.word[q] = c[q];
			of.word[q] = n[q];
			ends.word[q] = last[from + q];
		}
		w = followRuns(look.template runs<N>(step, half), w, of, ends);
#pragma unroll
		for (int q = 0; q < N; q++) c[q] = w.word[q];
	}
};

template <class P, int WORDS> struct Wavefronts : LastCells<WORDS> {
	using LastCells<WORDS>::last;
	u32 m[P::ring][WORDS];
	u32 del[P::e][WORDS], ins[P::e][WORDS];

	// empty sets all cells of word j to null.
	__device__ __forceinline__ void empty(int j) {
#pragma unroll
		for (int i = 0; i < P::ring; i++) m[i][j] = nullCells;
#pragma unroll
		for (int i = 0; i < P::e; i++) del[i][j] = ins[i][j] = nullCells;
	}

	// most and least return the largest offsets of M in word j, and the least of all wavefronts as
	// unsigned halves: null cells are large.
	__device__ __forceinline__ u32 most(int j) const {
		u32 most = m[0][j];
#pragma unroll
		for (int i = 1; i < P::ring; i++) most = max2(most, m[i][j]);
		return most;
	}
	__device__ __forceinline__ u32 least(int j) const {
		u32 least = ~0u;
#pragma unroll
		for (int i = 0; i < P::ring; i++) least = minHalves(least, m[i][j]);
#pragma unroll
		for (int i = 0; i < P::e; i++) least = minHalves(minHalves(least, del[i][j]), ins[i][j]);
		return least;
	}
	// lower subtracts from all cells of word j that are not null.
	__device__ __forceinline__ void lower(int j, int by) {
		each(j, [=](u32 cell) { return lowered(cell, by); });
	}

	// each replaces all cells of word j by what f returns for them, negatives returns the halves in which all are null.
	template <class F> __device__ __forceinline__ void each(int j, const F &f) {
#pragma unroll
		for (int i = 0; i < P::ring; i++) m[i][j] = f(m[i][j]);
#pragma unroll
		for (int i = 0; i < P::e; i++) {
			del[i][j] = f(del[i][j]);
			ins[i][j] = f(ins[i][j]);
		}
	}
	__device__ __forceinline__ u32 negatives(int j) const {
		u32 all = ~0u;
#pragma unroll
		for (int i = 0; i < P::ring; i++) all &= negative2(m[i][j]);
#pragma unroll
		for (int i = 0; i < P::e; i++) all &= negative2(del[i][j]) & negative2(ins[i][j]);
		return all;
	}
	// begin sets word j of score 0, before start, and first returns it.
	__device__ __forceinline__ void begin(int j, u32 cells) { m[0][j] = cells; }
	__device__ __forceinline__ u32 first(int j) const { return m[0][j]; }

	// clear sets all cells of word j, whose low diagonal is k, to null and sets its last
	// cells. It sets the start cell or, with FREE ends, those of all diagonals that begin in the text.
	template <bool FREE = false> __device__ __forceinline__ void clear(int j, int k, int half, const Task &p) {
		empty(j);
		const int a = max(min(p.textLength, p.patternLength + k), -30000);
		const int b = max(min(p.textLength, p.patternLength + k + half), -30000);
		last[j] = cells(a, b);
		if (FREE) {
			const int none = lowCell(nullCells);
			m[0][j] = cells(k >= 0 && k <= p.textLength ? k : none,
			                k + half >= 0 && k + half <= p.textLength ? k + half : none);
			return;
		}
		if (k == 0) m[0][j] = cells(0, lowCell(nullCells));
		if (k + half == 0) m[0][j] = cells(lowCell(nullCells), 0);
	}

	// start extends word j of score 0.
	template <class L> __device__ __forceinline__ void start(int j, const L &look, int step, int half) {
		u32 c[1] = {m[0][j]};
		const u32 n[1] = {look.matches(c[0], max2(c[0], 0), step, half)};
		c[0] += n[0];
		if (L::together)
			this->template extend<1>(j, c, n, n[0], look, step, half);
		else if (n[0] & L::full)
			c[0] = look.extend(c[0], n[0], last[j], step, half);
		m[0][j] = c[0];
		if (P::o == 0) openGaps<0>(j, c[0], c[0], c[0]);
	}

	// openGaps computes the gap wavefronts of e scores later.
	template <int PHASE> __device__ __forceinline__ void openGaps(int j, u32 d, u32 i, u32 opened) {
		constexpr int to = PHASE % P::e;
		del[to][j] = P::o == 0 ? opened : addMax2(d, oneCells, opened);
		ins[to][j] = P::o == 0 ? opened : max2(i, opened);
	}

	// advance computes score s, s mod P::unroll = PHASE, of the words from..from+N-1
	// from the shifted gap wavefronts.
	template <int PHASE, int N, class L>
	__device__ __forceinline__ void advance(int from, const u32 (&d)[N], const u32 (&i)[N], const L &look, int step,
	                                        int half) {
		constexpr int now = PHASE % P::ring, xBack = P::slot(PHASE, P::x), oBack = P::slot(PHASE, P::o);
		u32 c[N], n[N], any = 0;
#pragma unroll
		for (int q = 0; q < N; q++) {
			const int j = from + q;
			const u32 before = addMax2(max2(m[xBack][j], d[q]), oneCells, i[q]);
			c[q] = min2(before, last[j]);
			n[q] = look.matches(c[q], minZero2(before, last[j]), step + 2 * half * q, half);
			c[q] += n[q];
			any |= n[q];
			if (P::o != 0) openGaps<PHASE>(j, d[q], i[q], m[oBack][j]);
		}
		if (L::together) {
			this->template extend<N>(from, c, n, any, look, step, half);
		} else if (any & L::full) {
#pragma unroll
			for (int q = 0; q < N; q++)
				if (N == 1 || (n[q] & L::full))
					c[q] = look.extend(c[q], n[q], last[from + q], step + 2 * half * q, half);
		}
#pragma unroll
		for (int q = 0; q < N; q++) {
			m[now][from + q] = c[q];
			if (P::o == 0) openGaps<PHASE>(from + q, 0, 0, c[q]);
		}
	}
};
