// The set of the seeds of a text: of all parts of gotohSeed letters. For brokenseeds.cuh and missingseeds.cuh.
//
// Memory: a bit for each seed there may be, 8 KB, which begins at a multiple of 16 bytes.
#pragma once
#include "abi.cuh"

static constexpr int gotohSeed = 8; // letters

// SeedTable is the set of the seeds of a text.
struct SeedTable {
	static constexpr int words = 1 << (2 * gotohSeed - 5);
	u32 *bits;
	int lane;

	// clear makes it empty. All lanes of the warp call it, and the other functions that change it.
	__device__ __forceinline__ void clear() const {
		__syncwarp(); // the one before is no longer read
		for (int i = lane; i < words / 4; i += 32) ((uint4 *)bits)[i] = make_uint4(0, 0, 0, 0);
		__syncwarp();
	}

	// load makes the table that of a text.
	__device__ __forceinline__ void load(const u32 *text, int length) const {
		clear();
		const int seeds = length - gotohSeed + 1;
		for (int from = 16 * lane; from < seeds; from += 16 * 32) {
			const u64 letters = lettersFrom(text, from);
#pragma unroll
			for (int i = 0; i < 16; i++) {
				const u32 seed = seedAt(letters, i);
				if (from + i < seeds) atomicOr(bits + (seed >> 5), 1u << (seed & 31));
			}
		}
		__syncwarp();
	}

	// add adds the seeds that begin from one letter of a text to another.
	__device__ __forceinline__ void add(const u32 *text, int from, int to) const {
		for (int at = from + lane; at < to; at += 32) {
			const u32 seed = seedOf(text, at);
			atomicOr(bits + (seed >> 5), 1u << (seed & 31));
		}
		__syncwarp();
	}

	// count returns how many seeds are in it.
	__device__ __forceinline__ int count() const {
		int n = 0;
		for (int i = lane; i < words; i += 32) n += __popc(bits[i]);
#pragma unroll
		for (int d = 1; d < 32; d *= 2) n += __shfl_xor_sync(~0u, n, d);
		return n;
	}

	// has reports whether a seed is one of them.
	__device__ __forceinline__ bool has(u32 seed) const { return bits[seed >> 5] >> (seed & 31) & 1; }

	// absent tells which of the 16 seeds from a multiple of 16 on the table lacks, the first at the bottom, of a
	// sequence with so many seeds.
	__device__ __forceinline__ u32 absent(const u32 *sequence, int from, int seeds) const {
		if (from >= seeds) return 0;
		const u64 letters = lettersFrom(sequence, from);
		u32 found = 0;
#pragma unroll
		for (int i = 0; i < 16; i++) {
			const u32 seed = seedAt(letters, i);
			if (from + i < seeds && !has(seed)) found |= 1u << i;
		}
		return found;
	}

	// seedOf returns the seed that begins with a letter of a sequence.
	static __device__ __forceinline__ u32 seedOf(const u32 *sequence, int at) {
		return seedAt(lettersFrom(sequence, at & ~15), at & 15);
	}
	// lettersFrom returns 32 letters from a multiple of 16 on, the first on top.
	static __device__ __forceinline__ u64 lettersFrom(const u32 *sequence, int from) {
		return (u64)__ldg(sequence + (from >> 4)) << 32 | __ldg(sequence + (from >> 4) + 1);
	}
	static __device__ __forceinline__ u32 seedAt(u64 letters, int i) {
		return (u32)(letters >> (64 - 2 * gotohSeed - 2 * i)) & ((1u << (2 * gotohSeed)) - 1);
	}
};
