// Exact scores by dynamic programming in a band, for any penalties within the limits below.
// Gotoh, An improved algorithm for matching biological sequences, 1982.
//
// H(i,j) is the least cost of aligning i letters of the pattern and j of the text; E and F
// are the costs if the alignment ends with a deletion or an insertion. Values are stored as
// H(i,j) - e*(i+j), so that extending a gap costs nothing, and letters that match -2e:
//
//	T(i,j) = min(H(i-1,j-1) + s(i,j), F(i,j))     H(i,j) = min(T(i,j), E(i,j))
//	E(i,j+1) = min(T(i,j) + o, E(i,j))            F(i+1,j) = min(H(i,j) + o, F(i,j))
//
// A word has a cell of two strips. A strip is COLUMNS columns of the matrix; strip b computes
// its row i in step i + b. A group of lanes has two strips per lane, V in all; neighbouring
// ones are in neighbouring halves. When strip b has left the band, its place takes strip
// b + V. So the band is the V*(COLUMNS+1) - COLUMNS diagonals that the strips in flight
// cover, and every lane computes cells of the band in every step.
//
// Everything but the recurrence is an event: the begin and the end of a pair, the change of a
// strip, and the shift of all values into the range of 16 bits, by multiples of 256. Between
// two events a loop without branches computes rows. Groups of a warp take pairs of their own;
// the strips of all of them change in the same steps. In the next step a strip that has come detaches its right neighbour, which is
// less of an event than others.
//
// With FREE ends the pattern lies anywhere within the text. The letters before it are free: when a
// strip has come to row 0, its cells there are set. Those behind it are free, too: when a strip has come to
// the last row, its cells there may be the end. Result::cigar and cigarLength are the end cell's row and
// column, until the traceback.
//
// A score above a task's bound counts, too, if the band certifies it, unless the task is the last one of its pair or ends are free: what the
// band takes does not depend on bounds.
//
// A lane group is a part of a warp, or all warps of a block; warps then exchange the values
// at their borders through shared memory, with a barrier for each step.
//
// For the traceback, values at the borders of strips and checkpoints are stored: gotohcheckpoints.cuh.
//
// Shared memory, static: 320 bytes if a block aligns a pair, 128 more with free ends; with rims, 128 for each group. A pair's memory in
// a.rows begins with the letters of the pattern, a byte each, a.edgeWords words of what is outside of its band (detours.cuh, and
// gotohrims.cuh with free ends), and what broken seeds tell of it: brokenseeds.cuh.
//
// Limits: 2e and the difference x - 2e take 8 bits with a sign; 2e*V*COLUMNS + 2o is at most
// gotohRange; for the traceback, o + e is at most 127, and x + o at most 255.
#pragma once
#include "gotohgroup.cuh"
#include "stop.cuh"

// alignGotoh aligns the pairs of a launch. UNROLL is the number of steps in a turn of the
// loop.
template <int LANES, int COLUMNS, bool STORE, bool BLOCK, bool FREE, int UNROLL> __device__ __forceinline__ void
alignGotoh(const Params &a) {
	typedef Gotoh<LANES, COLUMNS, STORE, BLOCK, FREE> G;
	__shared__ uint2 border[2][BLOCK ? gotohWarps : 1];
	__shared__ int ofWarps[BLOCK ? gotohWarps : 1], taken;
	__shared__ GotohEnd ends[BLOCK && FREE ? gotohWarps : 1];
	__shared__ GotohOutside outside[!G::rimmed || BLOCK ? 1 : 32 / LANES];
	G g(a, outside);
#if __CUDA_ARCH__ >= 900 || defined(WFA_EMULATED)
	constexpr int turn = UNROLL;
#else
	constexpr int turn = 1; // each minimum takes several instructions
#endif
	const int fall = gotohFall(a, g.unit),
	          interval = (G::rimmed ? rimDrift : gotohDrift) / fall; // steps between shifts
	int nextShift = interval, nextLook = gotohLooks;

	for (int t = 0, others = 0;;) { // others is the step of the next event, but for detachments
		if (t == others) {
			// The group of a pair that ends, or of none at first, takes the next one.
			const bool idle = t == 0 || t == g.end;
			if (g.inBottom(t)) g.ends(t);
			if constexpr (BLOCK) {
				if (idle) {
					if (FREE) g.bestEnd(ends);
					if (t > 0) g.finish();
					__syncthreads(); // the borders are no longer read
					if (threadIdx.x == 0) taken = (int)atomicAdd(a.next, 1u);
					if (threadIdx.x < 2 * gotohWarps)
						border[threadIdx.x & 1][threadIdx.x >> 1] = make_uint2(gotohNones, gotohNones);
					__syncthreads();
					g.start(taken, t);
					__syncthreads(); // the letters are written
					if (g.at < 0) return;
					g.next0 = *g.letter0;
					g.next1 = *g.letter1;
				}
			} else if (__any_sync(~0u, idle)) {
				if (FREE) g.bestEnd(ends);
				if (idle && t > 0) g.finish();
				int number = 0;
				if (idle && g.in == 0) number = (int)atomicAdd(a.next, 1u);
				number = __shfl_sync(~0u, number, g.lane & ~(LANES - 1));
				if (idle) g.start(number, t);
				__syncwarp(); // the letters are written
				if (!__any_sync(~0u, g.at >= 0)) return;
				if (g.at >= 0 && idle) {
					g.next0 = *g.letter0;
					g.next1 = *g.letter1;
				}
			}
			if (!BLOCK && LANES < 32 && g.at < 0)
				g.letter0 = g.letter1 = (const u8 *)a.rows; // a group without a pair reads on
			if (t == nextLook) {
				nextLook += gotohLooks;
				if (BLOCK ? __syncthreads_or(threadIdx.x == 0 && stopped(a))
				          : __any_sync(~0u, g.lane == 0 && stopped(a)))
					return;
			}
			if (t >= g.begin && t - g.begin <= 2) g.enter(t - g.begin);
			if (G::edged && t == g.edgeAt) g.keepEdge(t);
			int returning = gotohLive;
			bool moved = false;
			if constexpr (G::rimmed) {
				if (BLOCK ? t == g.movesAt : __any_sync(~0u, t == g.movesAt)) {
					moved = g.moveRims(t);
					if (moved) returning = g.lowest(t);
					if (moved && g.in == 0) g.outside.low = returning - g.shifted;
				}
			}
			bool changed = g.inTop(t); // the values at the borders of warps
			if (changed) g.top(t);
			// What returns may be less than all there is.
			const bool low = returning < borderLow + fall * (nextShift - t);
			// What comes later is about as low as that before.
			if (G::rimmed && t == nextShift && !moved) returning = min(returning, g.outside.low + g.shifted);
			if (t == nextShift || (G::rimmed && (BLOCK ? low : __any_sync(~0u, low)))) {
				if (t == nextShift) nextShift += interval;
				g.shift(t, ofWarps, returning);
				changed = true;
				if (G::rimmed) g.wait();
			}
			if (G::rimmed && moved && t != g.change) {
				if (g.isLate(g.moving - 1))
					g.returnLate(t);
				else
					g.returnEarly(t);
				changed = true;
			}
			if (t == g.change)
				g.come(t);
			else if (g.detach)
				g.part(t);
			if constexpr (BLOCK) {
				if (changed) {
					if (g.lane == 31) border[(t & 1) ^ 1][g.warp] = make_uint2(g.hLast, g.eLast);
					__syncthreads();
				}
			}

			// The next event of any group.
			others = min(min(g.end, G::edged ? g.edgeAt : g.movesAt), g.change);
			if (t < g.begin)
				others = min(others, g.begin);
			else if (t - g.begin < (FREE ? max(g.tops, 2) : 2))
				others = min(others, t + 1);
			if (FREE) others = min(others, max(g.bottom, t) + 1);
			if (!BLOCK && LANES < 32) {
#pragma unroll
				for (int d = LANES; d < 32; d *= 2) others = min(others, __shfl_xor_sync(~0u, others, d));
			}
			others = min(others, min(nextShift, nextLook));
		} else if (g.detach)
			g.part(t);
		const int until = (BLOCK ? g.detach : __any_sync(~0u, g.detach)) ? t + 1 : others;

		while (t < until) {
			if (until - t >= turn) {
				const int phase = t % gotohLines;
#pragma unroll
				for (int u = 0; u < turn; u++) g.row(t + u, STORE && (phase + u + 1) % gotohLines == 0, border);
				t += turn;
			} else {
				g.row(t, STORE && (t + 1) % gotohLines == 0, border);
				t++;
			}
		}
	}
}
