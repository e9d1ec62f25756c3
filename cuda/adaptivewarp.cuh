// Adaptive band of a warp. adaptive.cuh has the rule. One warp aligns a pair; a block
// is one warp. Wavefronts are in registers (registerband.cuh), or in rings in shared memory (ringband.cuh).
//
// Cells do not move when the band moves. There are width = 64*WORDS places;
// diagonal k has place (k - end) mod width, end being the end cell's diagonal, so the
// end cell is always in lane 0. A place without a diagonal has a null last cell,
// which keeps its M null. Gap wavefronts leak past the band's ends into the places
// without a diagonal, one place a score, and are cleared before they reach the other
// end. This takes as many places as scores are between two clearings, B::scores.
//
// Shared memory, dynamic: the text's look-ahead table, then the pattern's. Null cells
// read text position 0 and the pattern's position on their diagonal. On diagonals
// above 0 that position lies before the pattern's table, by less than the length of
// the text's.
//
// With MOVES, kernels of the adaptive-long and adaptive-rings families, offsets count from an origin that moves along
// with the band (origins.cuh), and the bases are looked up in global memory: no tables.
//
// Limits: text and pattern up to maxOffset bases; with MOVES of any length, as long as
// cells are within the range of offsets. Lambda up to maxLambda, a band of up to B::width - B::scores diagonals.
#pragma once
#include "registerband.cuh"
#include "ringband.cuh"

// alignAdaptiveWarp aligns pairs in bands B, with the look-ups T.
template <class B, class T> __device__ __forceinline__ void alignAdaptiveWarp(const Params &a) {
	const int lane = threadIdx.x & 31;
	B b;
	b.lane = lane;
	b.below = kept(fromBelow(lane == 0));
	b.above = kept(fromAbove(lane == 31));
	b.text = 0;
	b.pattern = a.textEntries * T::size;
	b.configure(a);
	b.layOut(a);

	for (;;) {
		int at = 0;
		if (lane == 0) at = (int)atomicAdd(a.next, 1u);
		at = __shfl_sync(~0u, at, 0);
		if (at >= a.count) return;
		const Task p = a.tasks[at];
		if constexpr (B::moves) {
			b.look.base = p.pattern;
			b.pattern = 0;
			b.text = (int)(p.text - p.pattern) * 16;
		} else {
			__syncwarp(); // the previous pair's tables are no longer in use
			T::build(0, p.text, p.textLength, lane, 32);
			T::build(b.pattern, p.pattern, p.patternLength, lane, 32);
			__syncwarp();
		}

		b.start(p);
		u32 *row = nullptr;
		if (B::rows) {
			b.starts = a.rows + (u64)at * a.rowStride;
			row = b.starts + a.bandStarts + lane;
			b.store();
#pragma unroll
			for (int j = 0; j < B::width / 64; j++) row[j * 32] = b.waves.first(j);
		}
		int found = 0;
		const bool equal = __any_sync(~0u, b.reached(b.waves.first(0)));
		for (int s = 0; !equal && found == 0 && s < p.bound; s += B::scores) found = b.unrolled(s, row);
		if (B::moves) {
			b.watch();
			if (__any_sync(~0u, b.far)) found = B::overflow;
		}
		if (lane == 0) {
			const bool reached = equal || found > 0 && found <= p.bound;
			const u32 flags = found >= 0            ? reached && b.doubtful ? (u32)flagDoubtful : 0u
			                  : found == B::lost    ? (u32)flagLost
			                  : found == B::drifted ? (u32)flagDrifted
			                                        : (u32)flagOverflow;
			a.results[at] = {equal && found == 0 ? 0 : found > 0 && found <= p.bound ? found : -1, 0, 0, flags};
		}
	}
}
