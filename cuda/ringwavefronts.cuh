// Wavefronts in rings in shared memory, for any penalties: two diagonals per 32-bit word, as in wavefronts.cuh.
//
// Each lane reads and writes words of its own alone, so a warp waits for nothing. A ring has its rows one after the
// other, by score:
//
//	M                    max(x, o) rows
//	deletions            e rows, what they come from, as in wavefronts.cuh
//	insertions           likewise
//
// Offsets of rows are in bytes. Unlike those in registers, cells of gaps are limited to the last cells of their
// diagonals at once. Words are read and written by pointers: with the addresses of shared.cuh, nvcc 12 and 13 compile
// some of the kernels without end.
#pragma once
#include "wavefronts.cuh"

template <int WORDS> struct RingWavefronts : LastCells<WORDS> {
	using LastCells<WORDS>::last;
	static constexpr int row = WORDS * 128; // bytes
	int o;
	int lane4;          // this lane's first byte
	int mBytes, gBytes; // of the rows of M, and of those of a kind of gap
	// Rows of M of the newest score, and of those of x and o scores before the one that is computed; the row of gaps
	// of that one.
	int now, xBack, oBack, gap;
	int x;

	__device__ __forceinline__ void layOut(const Params &a, int lane) {
		x = a.mismatch;
		o = a.gapOpen;
		mBytes = max(x, o) * row;
		gBytes = a.gapExtend * row;
		lane4 = lane * 4;
	}

	__device__ __forceinline__ u32 m(int at, int j) const {
		return *(const u32 *)(sharedMemory + lane4 + at + j * 128);
	}
	__device__ __forceinline__ u32 current(int j) const { return m(now, j); }
	__device__ __forceinline__ u32 deletions(int j) const { return m(mBytes + gap, j); }
	__device__ __forceinline__ u32 insertions(int j) const { return m(mBytes + gBytes + gap, j); }
	__device__ __forceinline__ void set(int at, int j, u32 cells) {
		*(u32 *)(sharedMemory + lane4 + at + j * 128) = cells;
	}

	// each replaces all cells of word j by what f returns for them.
	template <class F> __device__ __forceinline__ void each(int j, const F &f) {
		for (int at = 0; at < mBytes + 2 * gBytes; at += row) set(at, j, f(m(at, j)));
	}
	// empty sets all cells of word j to null.
	__device__ __forceinline__ void empty(int j) {
		each(j, [](u32) { return nullCells; });
	}
	// negatives returns the halves of word j in which all cells are null.
	__device__ __forceinline__ u32 negatives(int j) const {
		u32 all = ~0u;
		for (int at = 0; at < mBytes + 2 * gBytes; at += row) all &= negative2(m(at, j));
		return all;
	}
	// most, least and lower are as in wavefronts.cuh.
	__device__ __forceinline__ u32 most(int j) const {
		u32 most = nullCells;
		for (int at = 0; at < mBytes; at += row) most = max2(most, m(at, j));
		return most;
	}
	__device__ __forceinline__ u32 least(int j) const {
		u32 least = ~0u;
		for (int at = 0; at < mBytes + 2 * gBytes; at += row) least = minHalves(least, m(at, j));
		return least;
	}
	__device__ __forceinline__ void lower(int j, int by) {
		each(j, [=](u32 cell) { return lowered(cell, by); });
	}

	// begin sets word j of score 0, before start, and first returns it.
	__device__ __forceinline__ void begin(int j, u32 cells) {
		now = gap = 0;
		xBack = mBytes - x * row;
		oBack = mBytes - o * row;
		if (oBack == mBytes) oBack = 0; // not read
		set(now, j, cells);
	}
	__device__ __forceinline__ u32 first(int j) const { return m(0, j); }
	// start extends word j of score 0.
	template <class L> __device__ __forceinline__ void start(int j, const L &look, int step, int half) {
		u32 c[1] = {current(j)};
		const u32 n[1] = {look.matches(c[0], max2(c[0], 0), step, half)};
		c[0] += n[0];
		this->template extend<1>(j, c, n, n[0], look, step, half);
		set(now, j, c[0]);
		if (o == 0) openGaps(j, c[0], c[0]);
	}

	// openGaps sets the gaps of e scores later, in the row of this one.
	__device__ __forceinline__ void openGaps(int j, u32 del, u32 ins) {
		set(mBytes + gap, j, min2(del, last[j]));
		set(mBytes + gBytes + gap, j, min2(ins, last[j]));
	}

	// turn goes on to the rows of the next score.
	__device__ __forceinline__ void turn() {
		now = after(now, mBytes);
		xBack = after(xBack, mBytes);
		oBack = after(oBack, mBytes);
		gap = after(gap, gBytes);
	}
	static __device__ __forceinline__ int after(int at, int bytes) { return at + row == bytes ? 0 : at + row; }

	// advance computes the words from..from+N-1 of the score of turn from its shifted gap wavefronts, and sets c to
	// those of M.
	template <int N, class L>
	__device__ __forceinline__ void advance(int from, const u32 (&d)[N], const u32 (&i)[N], const L &look, int step,
	                                        int half, u32 (&c)[N]) {
		u32 n[N], any = 0;
#pragma unroll
		for (int q = 0; q < N; q++) {
			const int j = from + q;
			const u32 before = addMax2(max2(m(xBack, j), d[q]), oneCells, i[q]);
			c[q] = min2(before, last[j]);
			n[q] = look.matches(c[q], minZero2(before, last[j]), step + 2 * half * q, half);
			c[q] += n[q];
			any |= n[q];
			if (o != 0) {
				const u32 opened = m(oBack, j);
				openGaps(j, addMax2(d[q], oneCells, opened), max2(i[q], opened));
			}
		}
		this->template extend<N>(from, c, n, any, look, step, half);
#pragma unroll
		for (int q = 0; q < N; q++) {
			set(now, from + q, c[q]);
			if (o == 0) openGaps(from + q, c[q], c[q]);
		}
	}
};
