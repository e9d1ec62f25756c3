// Exact scores by dynamic programming over the whole matrix: of global, ends-free, extension
// and local alignments, with linear, affine and two-piece affine gaps, for any costs within the
// limits below. Gotoh, An improved algorithm for matching biological sequences, 1982; Smith and
// Waterman, Identification of common molecular subsequences, 1981.
//
// The cells are those of spancells.cuh, two in a word: a lane has two strips of COLUMNS columns,
// neighbouring strips are in neighbouring halves, and strip b computes its row i in step i + b.
// With T the value without an alignment that ends in a deletion, and o, e what a gap subtracts,
//
//	T(i,j) = max(H(i-1,j-1) + s(i,j), F(i,j))     H(i,j) = max(T(i,j), E(i,j), floor)
//	E(i,j+1) = max(T(i,j) - o, E(i,j)) - e        F(i+1,j) = max(H(i,j) - o, F(i,j)) - e
//
// Linear gaps have no E and F, two-piece gaps have two of each. Steps in which some strip is
// above row 1 or below the last one keep the cells of these strips, so that rows 0 and n stay.
// Between two events, every 64 steps, a loop without branches computes rows. An event shifts all
// values into the range of 16 bits, by multiples of 256, and feeds the first strip with what is
// to its left.
//
// A part of a warp aligns a pair, or a warp a stripe of a pair, 64 strips. Stripes exchange the
// column between them through memory: the one to the left publishes 64 rows at a time. Warps take
// stripes from a counter, the first ones of all pairs, then the second ones, and so on, so that a
// stripe waits only for one that was taken before it, and warps need not run at the same time.
//
// An end is in the last row or column, or with BEST any cell: then each strip keeps its greatest
// value and the first row that has it. Result::cigar and cigarLength are the end cell's row and
// column, or with BEST the row and the strip, until the traceback.
//
// For the traceback, the low 4 or 8 bits of each H are stored by step: rowstore.cuh. A pair's memory in
// a.rows, behind the states of all pairs, has the selectors of the pattern's letters, two bytes a
// row, the column between stripes with the shift of every 64 rows, and the stored cells.
//
// Shared memory, static: 528 bytes for each pair of a warp, 768 for a stripe; about twice that with
// two-piece gaps.
//
// Limits: what a step adds takes 8 bits with a sign; the values of a stripe's row differ by at
// most spanRange of gpu/internal/kernel; costs take 31 bits; BITS hold the differences between
// neighbouring cells. The text of a pair without stripes has at most 2*LANES*COLUMNS letters.
#pragma once
#include "spanrows.cuh"

template <int LANES, int COLUMNS, int GAPS, bool BEST, int BITS, int UNROLL>
__device__ __forceinline__ void alignSpan(const Params &a) {
	typedef Span<LANES, COLUMNS, GAPS, BEST, BITS> S;
	__shared__ __align__(16) u32 ring[32 / LANES * S::ringWords];
	__shared__ __align__(8) u32 sent[S::striped ? spanChunk * S::edge : 1];
#if __CUDA_ARCH__ >= 900 || defined(WFA_EMULATED)
	constexpr int turn = UNROLL;
#else
	constexpr int turn = S::Store::period; // each maximum takes several instructions
#endif
	S g(a, ring, sent);
	const int interval = max(8192 / (a.cellMatch + 2 * max(a.cellExtend, a.cellExtendLong)) & -spanChunk, spanChunk);

	while (g.take()) {
		// Steps of the warp, and those in which all strips of all groups are in the matrix.
		int steps = g.live ? g.pair.patternLength + S::strips - 1 : 0;
		const bool columns = a.patternEnd > 0; // ends in the last column
		int full = g.live ? g.pair.patternLength - min(a.patternEnd, g.pair.patternLength) - columns : 0x7fffffff;
#pragma unroll
		for (int d = LANES; d < 32; d *= 2) {
			steps = max(steps, __shfl_xor_sync(~0u, steps, d));
			full = min(full, __shfl_xor_sync(~0u, full, d));
		}
		int nextShift = interval, t = 1;
		__syncwarp(); // the selectors are written
		while (t <= steps) {
			if (t == 1 || t % spanChunk == 0) {
				const int from = t & -spanChunk;
				if (t % (64 * spanChunk) == 0 && __any_sync(~0u, g.lane == 0 && stopped(a))) return;
				if constexpr (S::striped) {
					__syncwarp();
					if (!g.last && from >= 2 * spanChunk) {
						g.flush(from - spanChunk, from);
						g.publish(from - spanChunk);
					}
				}
				if (t >= nextShift) {
					nextShift += interval;
					g.shiftAll();
				}
				if constexpr (S::striped) {
					if (!g.wait(min(from + spanChunk, g.pair.patternLength))) return;
				}
				__syncwarp();
				if (g.live && !g.flat) {
					for (int i = from + g.in; i <= from + spanChunk; i += LANES) g.feedRow(i);
				} else if (g.live && g.due) {
					g.feedAll();
				}
				g.due = false;
				__syncwarp();
				g.feed = g.ring + (t & (S::fed - 1)) * S::edge;
				g.send = g.sent + (t & (spanChunk - 1)) * S::edge;
				if (t == 1) {
					g.next = *g.letter;
					if (g.live) g.letter++;
				}
			}
			const int chunk = min((t | (spanChunk - 1)) + 1, steps + 1);
			int until = t < S::strips ? t : min(chunk, full + 1); // rows without masks
			for (; until - t >= turn; t += turn) g.template rows<turn>(t);
			until = t < S::strips ? min(chunk, S::strips) : t <= full ? until : chunk;
			for (; t < until; t++) {
				g.template row<true, 0>(t);
				if (columns) g.endInColumn(t);
			}
		}
		if constexpr (S::striped) {
			__syncwarp();
			if (!g.last) g.flush(steps & -spanChunk, steps + 1);
			g.finish();
			if (!g.last) g.publish(g.pair.patternLength);
		} else {
			g.finish();
		}
	}
}
