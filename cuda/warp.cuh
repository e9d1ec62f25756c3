// Exact scores of short pairs, wavefronts in registers. A group of THREADS threads, a
// warp or a part of one, aligns a pair.
//
// Shared memory, dynamic: for each group of threads the look-ahead table of its text,
// then that of its pattern. Null cells read text entry 0 and the pattern entry of their
// diagonal. A table therefore has at least as many entries as the band has diagonals,
// which keeps such reads within the group's own memory.
//
// With FREE ends the pattern lies anywhere within the text: freeends.cuh. Result::cigar and cigarLength are where
// the alignment ends in the pattern and in the text, until the traceback.
//
// Limits: text position plus score up to maxOffset; look-ahead tables within the block's
// shared memory; scores that the band certifies.
#pragma once
#include "freeends.cuh"

template <class P, class L, int THREADS, int WORDS, int STRIDE, bool ROWS, bool FREE> struct WarpWavefronts {
	static constexpr int groups = (WORDS + STRIDE - 1) / STRIDE;
	static constexpr int half = THREADS * WORDS; // diagonals on each side of the end cell's
	static constexpr int none = FREE ? noEnd : 0;
	Wavefronts<P, WORDS> waves;
	FreeEnds ends;
	L look;
	u32 below, above; // byte permutes for a shift by one diagonal up and down
	int up, down;     // source lanes of shuffles

	// step computes the next score on the words of the strides low..high.
	template <int PHASE> __device__ __forceinline__ void step(int low, int high, u32 *row) {
		u32 d[WORDS], i[WORDS];
		constexpr int from = PHASE % P::e;
#pragma unroll
		for (int g = 0; g < groups; g++) {
			// Gaps enter a stride from its neighbours.
			const bool on = groups == 1 || (g >= low - 1 && g <= high + 1);
#pragma unroll
			for (int j = g * STRIDE; j < (g + 1) * STRIDE && j < WORDS; j++) {
				d[j] = i[j] = nullCells;
				if (on) {
					d[j] = __shfl_sync(~0u, waves.del[from][j], up);
					i[j] = __shfl_sync(~0u, waves.ins[from][j], down);
				}
			}
		}
#pragma unroll
		for (int g = 0; g < groups; g++) {
			if (groups > 1 && (g < low || g > high)) continue;
			constexpr int n = STRIDE;
			u32 ds[n], is[n];
#pragma unroll
			for (int q = 0; q < n; q++) {
				const int j = g * n + q;
				ds[q] = permuteSigned(d[j], j > 0 ? d[j > 0 ? j - 1 : 0] : nullCells, below);
				is[q] = permuteSigned(i[j], j + 1 < WORDS ? i[j + 1 < WORDS ? j + 1 : j] : nullCells, above);
			}
			waves.template advance<PHASE, n>(g * n, ds, is, look, g * n * 2 * THREADS, THREADS);
			if (ROWS) {
#pragma unroll
				for (int q = 0; q < n; q++) row[(g * n + q) * THREADS] = waves.m[PHASE % P::ring][g * n + q];
			}
		}
	}

	// ended reports whether a row of M has the end cell. Only the group's first thread
	// has its diagonal.
	__device__ __forceinline__ bool ended(u32 m, int textLength) const {
		return ((WORDS & 1) ? highCell(m) : lowCell(m)) >= textLength;
	}

	// least returns the least end in the last N rows, up to the one of score s, and in all threads of the group.
	template <int PHASE, int N> __device__ __forceinline__ int least(int s, int found) const {
#pragma unroll
		for (int j = 0; j < WORDS; j++)
			found = ends.template least<P, PHASE, N>(waves, j, s, j * 2 * THREADS, THREADS, found);
		if (!__any_sync(~0u, found != none)) return found;
#pragma unroll
		for (int d = 1; d < THREADS; d *= 2) found = min(found, __shfl_xor_sync(~0u, found, d));
		return found;
	}

	// unrolled computes scores s+1..s+P::unroll. It returns the first score that reaches
	// the end cell, or 0; with free ends the least end, in all threads of the group.
	template <int I = 1>
	__device__ __forceinline__ int unrolled(int s, int low, int high, u32 *&row, int textLength, int found = none) {
		constexpr int phase = I % P::unroll;
		if (ROWS) row += WORDS * THREADS;
		step<phase>(low, high, row);
		if constexpr (I % P::ring == 0 || I == P::unroll) {
			// The rows since the last test.
			constexpr int since = I % P::ring == 0 ? P::ring : I % P::ring;
			if constexpr (FREE) {
				found = least<phase, since>(s + I, found);
			} else {
#pragma unroll
				for (int b = since - 1; b >= 0; b--)
					if (found == 0 && ended(waves.m[P::slot(phase, b)][WORDS / 2], textLength)) found = s + I - b;
			}
		}
		if constexpr (I < P::unroll) return unrolled<I + 1>(s, low, high, row, textLength, found);
		return found;
	}
};

template <class P, class L, int THREADS, int WORDS, int STRIDE, bool ROWS, bool FREE>
__device__ __forceinline__ void alignWarp(const Params &a) {
	static_assert(WORDS % STRIDE == 0, "");
	static_assert(THREADS == 32 || WORDS == STRIDE, "strides differ between the pairs of a warp");
	typedef WarpWavefronts<P, L, THREADS, WORDS, STRIDE, ROWS, FREE> W;
	constexpr int pairsPerWarp = 32 / THREADS;
	const int lane = threadIdx.x & 31, group = lane / THREADS, in = lane & (THREADS - 1);
	const int slot = (threadIdx.x >> 5) * pairsPerWarp + group;
	const int slotBytes = (a.textEntries + a.patternEntries) * L::size;
	const int text = slot * slotBytes, pattern = text + a.textEntries * L::size;

	W w;
	w.below = fromBelow(in == 0);
	w.above = fromAbove(in == THREADS - 1);
	w.up = (lane & ~(THREADS - 1)) | ((lane - 1) & (THREADS - 1));
	w.down = (lane & ~(THREADS - 1)) | ((lane + 1) & (THREADS - 1));

	for (;;) {
		int at = 0;
		if (lane == 0) at = (int)atomicAdd(a.next, (u32)pairsPerWarp);
		at = __shfl_sync(~0u, at, 0);
		if (at >= a.count) return;
		at += group;
		// A group without a pair computes the last pair again and discards the result.
		// It writes spare rows past the last pair's.
		const bool live = at < a.count;
		const Task p = a.tasks[live ? at : a.count - 1];
		__syncwarp();
		L::build(text, p.text, p.textLength, in, THREADS);
		L::build(pattern, p.pattern, p.patternLength, in, THREADS);
		__syncwarp();

		const Band<FREE> b(a, p, W::half);
		if constexpr (FREE) w.ends = FreeEnds(b, p, in);
		w.look.set(text, pattern - (b.first + in) * L::size);
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			w.waves.template clear<FREE>(j, b.first + j * 2 * THREADS + in, THREADS, p);
			w.waves.start(j, w.look, j * 2 * THREADS, THREADS);
		}
		u32 *row = nullptr;
		if (ROWS) {
			row = a.rows + (u64)at * a.rowStride + in;
#pragma unroll
			for (int j = 0; j < WORDS; j++) row[j * THREADS] = w.waves.m[0][j];
		}

		int score = -1, end = W::none;
		bool done = b.bound < 0 || !live;
		if constexpr (FREE) {
			end = w.template least<0, 1>(0, end);
			if (!done && end != W::none) score = 0;
		} else {
			if (!done && in == 0 && w.ended(w.waves.m[0][WORDS / 2], p.textLength)) score = 0;
			score = __shfl_sync(~0u, score, lane & ~(THREADS - 1));
		}
		done = done || score == 0 || b.bound == 0;
		for (int s = 0; !__all_sync(~0u, done); s += P::unroll) {
			int low = 0, high = W::groups - 1;
			if (W::groups > 1) {
				// Diagonals that score s + P::unroll reaches, and from which gaps
				// reach the end within the bound.
				const int r = reach(s + P::unroll, P::o, P::e), left = (b.bound - s - 1) / P::e;
				low = max(b.lowest(r, left), 0) / (2 * THREADS * STRIDE);
				high = min(b.highest(r, left) / (2 * THREADS * STRIDE), high);
			}
			int found = w.unrolled(s, low, high, row, p.textLength);
			if constexpr (!FREE) found = __shfl_sync(~0u, in == 0 ? found : 0, lane & ~(THREADS - 1));
			if (!done) {
				const bool ended = found != W::none;
				const int at = FREE ? scoreOfEnd(found) : found;
				if (ended && at <= b.bound) {
					score = at;
					end = found;
				}
				done = ended || s + P::unroll >= b.bound;
			}
		}
		if (live && in == 0) {
			if (FREE && score >= 0)
				a.results[at] = {score, (u32)p.patternLength, (u32)(p.patternLength + b.first + placeOfEnd(end)), 0};
			else
				a.results[at] = {score, 0, 0, 0};
		}
	}
}
