// Penalties as template arguments, for kernels with wavefronts in registers, and the
// band that certifies scores.
#pragma once
#include "abi.cuh"

__host__ __device__ constexpr int gcdOf(int a, int b) { return b == 0 ? a : gcdOf(b, a % b); }
// divisorAbove returns the least divisor of b that is above a, which is below b.
__host__ __device__ constexpr int divisorAbove(int a, int b) {
	return b % (a + 1) == 0 ? a + 1 : divisorAbove(a + 1, b);
}
__host__ __device__ constexpr int larger(int a, int b) { return a > b ? a : b; }

template <int MISMATCH, int OPEN, int EXTEND> struct Penalties {
	static constexpr int x = MISMATCH, o = OPEN, e = EXTEND;
	// Number of M rows in registers. M[s-o-e] is not among them: the gap wavefronts take
	// it as soon as M[s-o] is known, e scores earlier.
	static constexpr int ring = larger(x, o);
	// Period of all rings, in scores.
	static constexpr int turn = ring / gcdOf(ring, e) * e;
	// Scores in an unrolled block; the range of diagonals is set once per block.
	static constexpr int unroll = turn >= 3 ? turn : 4;
	// slot is the slot of M of score s - back, given s mod unroll.
	static __host__ __device__ constexpr int slot(int phase, int back) {
		return (phase + 8 * ring * back - back) % ring;
	}
};

// reach returns how many diagonals from diagonal 0 a gap of cost up to s reaches.
__device__ __forceinline__ int reach(int s, int open, int extend) {
	return s < open + extend ? 0 : (s - open) / extend;
}

// Band is the diagonals [first, first + 2*half) of a pair, centred on the end cell's, and
// the score bound: the smaller of the task's bound and the largest score that the band
// certifies.
struct Band {
	int end;   // diagonal of the end cell
	int first; // lowest diagonal
	int bound; // negative: the pair is not aligned
};

// certify applies the certificate: an alignment that leaves the band pays for a
// gap out and a gap back, so a score below that is optimal.
__device__ __forceinline__ Band certify(const Params &a, const Task &p, int half) {
	Band b;
	b.end = p.textLength - p.patternLength;
	b.first = b.end - half;
	const int above = b.first + 2 * half, below = b.first - 1;
	const int up = above + (above - b.end), down = -below + (b.end - below);
	const int certified = 2 * a.gapOpen + a.gapExtend * (up < down ? up : down) - 1;
	const int most = min(certified, min(p.bound, a.maxScore));
	b.bound = b.first > 0 || above <= 0 ? -1 : most;
	return b;
}
