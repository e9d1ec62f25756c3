// Checkpoints: the wavefronts from which later scores are computed, stored every few
// scores. Kernels of long pairs store them in place of all M rows; retrace.cuh recomputes
// the few rows and diagonals that the traceback reads.
//
// The checkpoint of score s has, in this order, ring rows of M, of scores s, s-1, …, and
// e rows each of del and ins, of scores s, s-1, …, where ring = max(x, o), and del and
// ins are the gap wavefronts that recurrence.cuh computes along with a score. Checkpoint
// n is that of score (n + 1)*span, where span is spanOf. Score 0 needs none.
//
// Layouts: PackedStates, which block.cuh stores, and TileStates of tilestates.cuh. With ORIGINS, those
// of origins.cuh for each word of a row follow the rows of a checkpoint.
#pragma once
#include "penalties.cuh"
#include "recurrence.cuh"
#include "simd.cuh"

// spanOf returns the scores between two checkpoints for windows of some diagonals
// (window.cuh), a multiple of the unrolled scores: a gap stays within half of a window.
template <class P> __host__ __device__ constexpr int spanOf(int diagonals) {
	return (diagonals / 2 - 1) / P::unroll * P::unroll;
}

// PackedStates are words of two 16-bit cells, in the order of StoredRows.
template <class P, bool ORIGINS = false, bool FREE = false> struct PackedStates {
	static constexpr int cells = 4, fields = P::ring + 2 * P::e; // cells: of a window, per thread
	static constexpr bool free = FREE;
	const u32 *at;
	Band<FREE> band;
	int words;

	__device__ __forceinline__ PackedStates(const Params &a, const Task &p, const u32 *memory) {
		at = memory;
		words = a.pairWords;
		band = Band<FREE>(a, p, 32 * words);
	}

	// cell returns the cell of a field of a checkpoint, which belongs to score s.
	__device__ __forceinline__ int cell(int checkpoint, int field, int s, int k) const {
		// Cells outside were not computed, or not stored.
		const int d = k - band.first;
		if (s < 0 || !band.matters(s, k, reach(s, P::o, P::e), P::e) || d < 0 || d >= 64 * words) return nullOffset;
		const u32 *from = at + (u64)checkpoint * (fields * 32 + (ORIGINS ? 1 : 0)) * words;
		const u32 w = from[field * (32 * words) + (d >> 6) * 32 + (d & 31)];
		const int h = d & 32 ? highCell(w) : lowCell(w);
		if (h < 0) return nullOffset;
		return ORIGINS ? h + (int)from[fields * 32 * words + (d >> 6)] : h;
	}
};
