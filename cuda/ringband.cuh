// The adaptive band of a pair whose wavefronts are in shared memory, at any penalties. See adaptivewarp.cuh.
#pragma once
#include "placedband.cuh"
#include "ringwavefronts.cuh"

// ringScores is the number of scores in a block. gpu/internal/kernel knows it, too.
static constexpr int ringScores = 4;

template <int WORDS, int STRIDE, bool ROWS>
struct RingBand : PlacedBand<RingWavefronts<WORDS>, GlobalPacked, WORDS, ringScores, true> {
	typedef PlacedBand<RingWavefronts<WORDS>, GlobalPacked, WORDS, ringScores, true> Placed;
	using Placed::above;
	using Placed::below;
	using Placed::lane;
	using Placed::look;
	using Placed::next;
	using Placed::starts;
	using Placed::startWords;
	using Placed::waves;
	static constexpr int scores = ringScores;
	static constexpr bool rows = ROWS; // they are stored
	int mismatch;

	__device__ __forceinline__ void layOut(const Params &a) {
		mismatch = a.mismatch;
		waves.layOut(a, lane);
	}

	// step computes the next score. It reports, in lane 0, whether it has the end cell.
	__device__ __forceinline__ bool step(u32 *row) {
		u32 d[WORDS], i[WORDS];
		waves.turn();
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			d[j] = __shfl_sync(~0u, waves.deletions(j), lane - 1);
			i[j] = __shfl_sync(~0u, waves.insertions(j), lane + 1);
		}
		bool reached = false;
#pragma unroll
		for (int g = 0; g < WORDS; g += STRIDE) {
			u32 ds[STRIDE], is[STRIDE], c[STRIDE];
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				const int j = g + q;
				ds[q] = permuteSigned(d[j], d[(j + WORDS - 1) % WORDS], below);
				is[q] = permuteSigned(i[j], i[(j + 1) % WORDS], above);
			}
			waves.template advance<STRIDE>(g, ds, is, look, g * 64, 32, c);
			if (g == 0) reached = this->reached(c[0]);
			if (ROWS) {
#pragma unroll
				for (int q = 0; q < STRIDE; q++) row[(g + q) * 32] = c[q];
			}
		}
		return reached;
	}

	// unrolled computes scores s+1..s+scores. It returns the first score that reaches
	// the end cell, lost, drifted, overflow, or 0.
	__device__ __forceinline__ int unrolled(int s, u32 *&row) {
		int found = 0;
#pragma unroll 1
		for (int i = 1; i <= scores; i++) {
			if (ROWS) row += WORDS * 32;
			if (step(row) && found == 0) found = s + i;
			if (s + i != next) continue;
			found = __shfl_sync(~0u, found, 0);
			if (found == 0) found = this->follow(mismatch, [&](int j) { return waves.current(j); });
			if (found != 0) return found;
			this->moved();
			if (ROWS) {
				starts += startWords;
				this->store();
			}
		}
		return __shfl_sync(~0u, found, 0);
	}
};
