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

// Band is the diagonals [first, first + 2*half) of a pair, and the score bound: the smaller of the task's
// bound and the largest score that the band certifies. The band is centred on the end cell's diagonal or, with
// FREE ends, on the diagonals from 0 to that: the pattern lies anywhere within the text.
template <bool FREE = false> struct Band {
	int end;   // diagonal of the end cell
	int first; // lowest diagonal
	int bound; // negative: the pair is not aligned

	Band() = default;

	// The certificate: an alignment that leaves the band pays for a gap out and a gap back, or one of these with
	// free ends: it begins at diagonal 0 or above, and ends at the end cell's or below. So a score below that is optimal.
	__device__ __forceinline__ Band(const Params &a, const Task &p, int half) {
		end = p.textLength - p.patternLength;
		const int beside = (2 * half - 1 - end) >> 1; // diagonals below 0, as many as above the end cell's, or one less
		first = FREE ? -beside : end - half;
		const int above = first + 2 * half, below = first - 1;
		const int up = above + (above - end), down = -below + (end - below);
		const int certified = FREE ? a.gapOpen + a.gapExtend * (beside + 1) - 1
		                           : 2 * a.gapOpen + a.gapExtend * (up < down ? up : down) - 1;
		const int most = min(certified, min(p.bound, a.maxScore));
		bound = first > 0 || above <= 0 ? -1 : most;
	}

	// lowest and highest return the places in the band of the diagonals whose cells matter, if gaps of earlier scores
	// reach r diagonals, and those of later ones `rest`.
	__device__ __forceinline__ int lowest(int r, int rest) const { return (FREE ? -r : max(-r, end - rest)) - first; }
	__device__ __forceinline__ int highest(int r, int rest) const {
		return (FREE ? end + rest : min(r, end + rest)) - first;
	}

	// matters reports whether a cell of score s on diagonal k does, and so is computed.
	__device__ __forceinline__ bool matters(int s, int k, int r, int extend) const {
		return k >= -r && (FREE ? (k - end) * extend : abs(k - end) * extend) <= bound - s && (FREE || k <= r);
	}
};
