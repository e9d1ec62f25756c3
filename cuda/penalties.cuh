// Penalties as a template argument, for kernels whose wavefronts live in
// registers: they decide how many scores back a step looks.
#pragma once
#include "params.cuh"

__host__ __device__ constexpr int gcdOf(int a, int b) { return b == 0 ? a : gcdOf(b, a % b); }
__host__ __device__ constexpr int larger(int a, int b) { return a > b ? a : b; }

template <int MISMATCH, int OPEN, int EXTEND> struct Penalties {
	static constexpr int x = MISMATCH, o = OPEN, e = EXTEND;
	// Scores of M that stay in registers. M[s-o-e] is not among them: it goes
	// into the gap fronts as soon as M[s-o] is to be had, e scores earlier.
	static constexpr int ring = larger(x, o);
	// Scores after which all rings are back at their first slot.
	static constexpr int turn = ring / gcdOf(ring, e) * e;
	// Scores in one unrolled round, over which the range of diagonals is held.
	static constexpr int round = turn >= 3 ? turn : 4;
	// slot is where M of score s - back is held, given s mod round.
	static __host__ __device__ constexpr int slot(int phase, int back) { return (phase + 8 * ring * back - back) % ring; }
};

// reach is the number of diagonals that a score gets away from diagonal 0.
__device__ __forceinline__ int reach(int s, int open, int extend) {
	return s < open + extend ? 0 : (s - open) / extend;
}

// Band is the diagonals [first, first + 2*half) of a pair, centred on the last
// one, and the largest score that it can vouch for.
struct Band {
	int end;   // diagonal of the end cell
	int first; // lowest diagonal
	int limit; // scores above it are not looked for; negative: none are
};

// makeBand applies the certificate: an alignment that leaves the band pays for
// a gap out and a gap home, so a score below that is optimal. most is the
// task's own limit.
__device__ __forceinline__ Band makeBand(const Params &a, const Pair &p, int most, int half) {
	Band b;
	b.end = p.textLength - p.patternLength;
	b.first = b.end - half;
	const int above = b.first + 2 * half, below = b.first - 1;
	const int up = above + (above - b.end), down = -below + (b.end - below);
	int limit = 2 * a.gapOpen + a.gapExtend * (up < down ? up : down) - 1;
	limit = min(limit, min(most, a.maxScore));
	b.limit = b.first > 0 || above <= 0 ? -1 : limit;
	return b;
}
