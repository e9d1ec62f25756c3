// Wavefronts in registers: two diagonals a 32-bit word, several words a lane.
//
// Word j of the lanes of a group holds 2*LANES neighbouring diagonals: lane i
// has diagonal first + 2*LANES*j + i in its low half and the one LANES further
// in its high half. A shift by one diagonal is then one shuffle between lanes
// and one byte permute.
//
// M, and the gap fronts before they are shifted, are rings indexed by score.
// With I consuming the pattern and D the text, as in align/compute.go,
//
//	del[s] = max(M[s-o-e], D[s-e])   D[s,k] = del[s,k-1] + 1
//	ins[s] = max(M[s-o-e], I[s-e])   I[s,k] = ins[s,k+1]
//	M[s,k] = extend(max(M[s-x,k] + 1, D[s,k], I[s,k]))
//
// and del[s+e] = max(M[s+e-o-e], D[s]) = max(M[s-o], D[s]) can be made at once.
// Four DPX instructions a word make one score.
#pragma once
#include "lookahead.cuh"
#include "penalties.cuh"

template <class P, int WORDS> struct Front {
	u32 m[P::ring][WORDS];
	u32 del[P::e][WORDS], ins[P::e][WORDS];
	u32 limit[WORDS]; // last cell of each diagonal

	// empty leaves no cell in word j.
	__device__ __forceinline__ void empty(int j) {
#pragma unroll
		for (int i = 0; i < P::ring; i++) m[i][j] = cellNull;
#pragma unroll
		for (int i = 0; i < P::e; i++) del[i][j] = ins[i][j] = cellNull;
	}

	// clear empties word j, whose low diagonal is k, and sets its limits. It
	// puts the start cell in place.
	__device__ __forceinline__ void clear(int j, int k, int half, const Pair &p) {
		empty(j);
		const int a = max(min(p.textLength, p.patternLength + k), -30000);
		const int b = max(min(p.textLength, p.patternLength + k + half), -30000);
		limit[j] = cells(a, b);
		if (k == 0) m[0][j] = cells(0, lowCell(cellNull));
		if (k + half == 0) m[0][j] = cells(lowCell(cellNull), 0);
	}

	// start extends word j of score 0.
	template <class L> __device__ __forceinline__ void start(int j, const L &look, int step, int half) {
		u32 c = m[0][j];
		const u32 n = look.matches(c, step, half);
		c += n;
		if (n & L::full) c = look.extend(c, n, limit[j], step, half);
		m[0][j] = c;
		if (P::o == 0) openGaps<0>(j, c, c, c);
	}

	// openGaps makes the gap fronts for e scores from now.
	template <int PHASE> __device__ __forceinline__ void openGaps(int j, u32 d, u32 i, u32 opened) {
		constexpr int to = PHASE % P::e;
		del[to][j] = P::o == 0 ? opened : addMax2(d, cellOnes, opened);
		ins[to][j] = P::o == 0 ? opened : max2(i, opened);
	}

	// advance computes score s, s mod round = PHASE, of the words from..from+N-1
	// from the shifted gap fronts.
	template <int PHASE, int N, class L>
	__device__ __forceinline__ void advance(int from, const u32 (&d)[N], const u32 (&i)[N], const L &look, int step,
	                                        int half) {
		constexpr int now = PHASE % P::ring, xBack = P::slot(PHASE, P::x), oBack = P::slot(PHASE, P::o);
		u32 c[N], n[N], any = 0;
#pragma unroll
		for (int q = 0; q < N; q++) {
			const int j = from + q;
			c[q] = min2(addMax2(max2(m[xBack][j], d[q]), cellOnes, i[q]), limit[j]);
			n[q] = look.matches(c[q], step + 2 * half * q, half);
			c[q] += n[q];
			any |= n[q];
			if (P::o != 0) openGaps<PHASE>(j, d[q], i[q], m[oBack][j]);
		}
		if (any & L::full) {
#pragma unroll
			for (int q = 0; q < N; q++)
				if (N == 1 || (n[q] & L::full))
					c[q] = look.extend(c[q], n[q], limit[from + q], step + 2 * half * q, half);
		}
#pragma unroll
		for (int q = 0; q < N; q++) {
			m[now][from + q] = c[q];
			if (P::o == 0) openGaps<PHASE>(from + q, 0, 0, c[q]);
		}
	}
};
