// The end of a launch whose results no longer matter. Kernels that may take long look at a
// word that the host sets now and then.
#pragma once
#include "abi.cuh"

// Scores between two looks of a block, rounds of tiles.cuh, and letters of the pairs of gated.cuh, detours.cuh and outside.cuh.
static constexpr int stopScores = 256, stopRounds = 16;
static constexpr u32 stopLetters = 1 << 19;

__device__ __forceinline__ bool stopped(const Params &a) { return *(volatile const u32 *)a.stop != 0; }

// blockStops reports to all threads of a block at score s whether it stops.
__device__ __forceinline__ bool blockStops(const Params &a, int s) {
	return s % stopScores == 0 && __syncthreads_or(threadIdx.x == 0 && stopped(a));
}
