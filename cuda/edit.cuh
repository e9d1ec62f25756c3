// Exact edit distance, for penalties 1,0,1, by bit-parallel dynamic programming in a band:
// editcells.cuh has the recurrence.
//
// A strip is 32*WORDS rows of the matrix. A lane has a strip, and neighbouring lanes of a group
// have neighbouring ones. A stage is 32 columns of each strip; strip b computes block q of columns
// in stage q + b, so that the differences on its last row have gone to the strip below by one
// shuffle. When strip b has left the band, its lane takes strip b + V, of V lanes. So the band is
// the 32*(V*(WORDS+1) - WORDS) + 1 diagonals that the strips in flight cover, and every lane
// computes cells of the band in every stage.
//
// Blocks of columns end with the text; the first one begins up to 31 columns before it. Beside the
// matrix costs grow to the left by one from column to column, which the recurrence keeps with any
// letters. A strip that comes begins as if costs grew by one from row to row, and a strip without
// one above it takes a one in each column: costs of alignments along the edge of the band, so that
// none is too low.
//
// Groups of a warp take pairs of their own. A lane group is a part of a warp, or all warps of a
// block; warps then exchange the edges of their strips through shared memory, with a barrier for
// each stage.
//
// Where no pass with a higher bound follows, a pair ends as soon as all cells through which its
// alignments come cost more than the bound.
//
// For the traceback, the words of a strip before each stage and what its first row takes are
// stored, 2*WORDS+2 words for 1024*WORDS cells: edittrace.cu computes the cells again.
//
// Shared memory, static: up to 600 bytes if a block aligns a pair, none otherwise.
//
// Limits: none but memory and the width of the band.
#pragma once
#include "editgroup.cuh"
#include "stop.cuh"

static constexpr int editLooks = 1024; // stages between two looks at the stop word
static constexpr int editTests = 8;    // stages between two tests whether a final pair is beyond

// takeNumbers returns the number of the next pair to the first lane of each group that wants one,
// by one atomic operation of a warp.
__device__ __forceinline__ int takeNumbers(const Params &a, bool wants) {
	const int lane = threadIdx.x & 31;
	const u32 all = __ballot_sync(~0u, wants);
	int base = 0;
	if (lane == 0 && all != 0) base = (int)atomicAdd(a.next, (u32)__popc(all));
	return __shfl_sync(~0u, base, 0) + __popc(all & ((1u << lane) - 1));
}

// alignEdit aligns the pairs of a launch by groups of a part of a warp. UNROLL is the number of
// columns in a turn of the loop.
template <int LANES, int WORDS, bool STORE, int UNROLL> __device__ __forceinline__ void alignEdit(const Params &a) {
	Edit<LANES, WORDS, STORE, false> g(a);
	for (int turn = 1;; turn++) {
		const bool idle = g.idle();
		if (__any_sync(~0u, idle)) {
			if (idle) g.finish();
			int number = takeNumbers(a, idle && g.in == 0);
			number = __shfl_sync(~0u, number, g.lane & ~(LANES - 1));
			if (idle) g.start(number);
			if (!__any_sync(~0u, g.at >= 0)) return;
		}
		if (turn % editLooks == 0 && __any_sync(~0u, g.lane == 0 && stopped(a))) return;
		EditEdge from = g.edge();
		if constexpr (LANES > 1)
			from = {__shfl_sync(~0u, from.p, g.left), __shfl_sync(~0u, from.n, g.left),
			        __shfl_sync(~0u, from.cost, g.left)};
		g.template run<UNROLL>(from);
		if (turn % editTests == 0) {
			int least = g.least();
#pragma unroll
			for (int d = 1; d < LANES; d *= 2) least = min(least, __shfl_xor_sync(~0u, least, d));
			if (g.at >= 0 && g.pair.final && least > g.band.bound) g.beyond();
		}
	}
}

// alignEditBlock aligns the pairs of a launch, each by all warps of a block, WARPS at most.
template <int WORDS, int WARPS, bool STORE, int UNROLL> __device__ __forceinline__ void
alignEditBlock(const Params &a) {
	__shared__ EditEdge border[2][WARPS];
	__shared__ int taken;
	Edit<32, WORDS, STORE, true> g(a);
	const int warp = threadIdx.x >> 5, before = (warp == 0 ? blockDim.x >> 5 : warp) - 1;
	for (int turn = 1;; turn++) {
		if (g.idle()) {
			g.finish();
			__syncthreads(); // the borders are no longer read
			if (threadIdx.x == 0) taken = (int)atomicAdd(a.next, 1u);
			__syncthreads();
			g.start(taken);
			if (g.at < 0) return;
			if (g.lane == 31) border[turn & 1 ^ 1][warp] = g.edge();
			__syncthreads();
		}
		if (turn % editLooks == 0 && __syncthreads_or(threadIdx.x == 0 && stopped(a))) return;
		EditEdge from = g.edge();
		from = {__shfl_sync(~0u, from.p, g.left), __shfl_sync(~0u, from.n, g.left),
		        __shfl_sync(~0u, from.cost, g.left)};
		if (g.lane == 0) from = border[turn & 1 ^ 1][before];
		g.template run<UNROLL>(from);
		if (g.lane == 31) border[turn & 1][warp] = g.edge();
		__syncthreads();
		if (turn % editTests == 0 && g.pair.final && !__syncthreads_or(g.least() <= g.band.bound)) g.beyond();
	}
}
