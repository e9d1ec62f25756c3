// The adaptive band of a pair in the registers of a warp, at penalties that are template arguments. See
// adaptivewarp.cuh.
#pragma once
#include "placedband.cuh"

template <class P, class T, int WORDS, int STRIDE, bool ROWS, bool MOVES>
struct RegisterBand : PlacedBand<Wavefronts<P, WORDS>, T, WORDS, P::unroll, MOVES> {
	typedef PlacedBand<Wavefronts<P, WORDS>, T, WORDS, P::unroll, MOVES> Placed;
	using Placed::above;
	using Placed::below;
	using Placed::lane;
	using Placed::look;
	using Placed::next;
	using Placed::reached;
	using Placed::starts;
	using Placed::startWords;
	using Placed::waves;
	static constexpr int scores = P::unroll; // of a block
	static constexpr bool rows = ROWS;       // they are stored

	// layOut needs no memory.
	__device__ __forceinline__ void layOut(const Params &) {}

	// spill nulls the gap wavefronts at the places without a diagonal.
	__device__ __forceinline__ void spill() {
#pragma unroll
		for (int j = 0; j < WORDS; j++)
#pragma unroll
			for (int i = 0; i < P::e; i++) {
				waves.del[i][j] = min2(waves.del[i][j], waves.last[j]);
				waves.ins[i][j] = min2(waves.ins[i][j], waves.last[j]);
			}
	}

	// step computes the next score, PHASE mod P::unroll.
	template <int PHASE> __device__ __forceinline__ void step(u32 *row) {
		u32 d[WORDS], i[WORDS];
		constexpr int from = PHASE % P::e;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			d[j] = __shfl_sync(~0u, waves.del[from][j], lane - 1);
			i[j] = __shfl_sync(~0u, waves.ins[from][j], lane + 1);
		}
#pragma unroll
		for (int g = 0; g < WORDS; g += STRIDE) {
			u32 ds[STRIDE], is[STRIDE];
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				const int j = g + q;
				ds[q] = permuteSigned(d[j], d[(j + WORDS - 1) % WORDS], below);
				is[q] = permuteSigned(i[j], i[(j + 1) % WORDS], above);
			}
			waves.template advance<PHASE, STRIDE>(g, ds, is, look, g * 64, 32);
			if (ROWS) {
#pragma unroll
				for (int q = 0; q < STRIDE; q++) row[(g + q) * 32] = waves.m[PHASE % P::ring][g + q];
			}
		}
	}

	// unrolled computes scores s+1..s+P::unroll. It returns the first score that reaches
	// the end cell, lost, drifted, or 0.
	template <int I = 1> __device__ __forceinline__ int unrolled(int s, u32 *&row, int found = 0) {
		constexpr int phase = I % P::unroll;
		constexpr bool turn = I % P::ring == 0 || I == P::unroll; // rows will be overwritten, or it is the end
		if (ROWS) row += WORDS * 32;
		step<phase>(row);
		if constexpr (I == P::unroll) {
			spill();
			this->watch();
		}
		const bool moves = s + I == next;
		if (turn || moves) {
			// The rows since the last turn.
#pragma unroll
			for (int b = (I - 1) % P::ring; b >= 0; b--)
				if (found == 0 && reached(waves.m[P::slot(phase, b)][0])) found = s + I - b;
		}
		if (moves) {
			found = __shfl_sync(~0u, found, 0);
			if (found != 0) return found;
			found = this->follow(P::x, [&](int j) { return waves.m[phase % P::ring][j]; });
			if (found != 0) return found;
			this->moved();
			if (ROWS) {
				starts += startWords;
				this->store();
			}
		}
		if constexpr (I < P::unroll) return unrolled<I + 1>(s, row, found);
		return __shfl_sync(~0u, found, 0);
	}
};
