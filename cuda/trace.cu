// Traceback over the rows that the warp and block kernels have stored. Walking
// back means waiting for one load after the other, so a thread a pair is best
// for very many short pairs, and several lanes a pair otherwise: they look at
// all that may come next at once. The rule is that of align/backtrace.go, which
// looks at nothing but whether a cell can be reached with a score, so it picks
// the same alignment as the CPU engine.
#include "penalties.cuh"
#include "simd.cuh"
#include "walk.cuh"

// StoredRows answers which cells a score reaches.
struct StoredRows {
	const u32 *rows;
	Band band;
	int lanes, laneBits, words, open, extend;

	// cell returns the offset stored for a score and diagonal, -1 where there is
	// none. It asks memory in any case, so that nothing waits for the answer.
	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		// What lies outside was not computed, or not stored.
		const int r = extend == 1 && s > open ? s - open : reach(s, open, extend), d = k - band.first;
		const bool there = on && s >= 0 && k <= r && k >= -r && abs(k - band.end) * extend <= band.limit - s && d >= 0 &&
		                   d < 2 * lanes * words;
		const int j = d >> (laneBits + 1), i = d & (2 * lanes - 1);
		const u32 w = rows[there ? (u64)s * (lanes * words) + j * lanes + (i & (lanes - 1)) : 0];
		return !there ? -1 : i & lanes ? highCell(w) : lowCell(w);
	}

	// fits tells whether a candidate for the step back from cell (k, h), with
	// matches before it, gets from its cell to where they begin.
	__device__ __forceinline__ bool fits(const Candidate &c, int k, int cell, int h, int matches) const {
		const int from = h - matches - c.columns();
		return cell >= from && from >= 0 && from >= c.diagonal(k);
	}
};

// oneStep is a step by a single thread from a cell that is not a match before it.
// It returns what Lanes::Back::length does.
__device__ __forceinline__ int oneStep(const StoredRows &m, const Params &a, int s, int k, int h) {
	for (Candidate c = {0};; c.number++) {
		const int from = c.score(a, s);
		if (from < 0 && c.number > 0) return stuck;
		if (m.fits(c, k, m.cell(true, from, c.diagonal(k)), h, 0)) return c.signedLength();
	}
}

template <int LANES> __device__ __forceinline__ void trace(const Params &a) {
	const Walk<LANES> walk(a);
	const Pair &p = walk.pair;
	const StoredRows m = {walk.rows, makeBand(a, p, walk.task.limit, a.lanes * a.words), a.lanes,
	                      topBit((u32)a.lanes), a.words, a.gapOpen, a.gapExtend};
	CigarWriter c;
	walk.start(c);
	int s = walk.score;
	int k = m.band.end, h = p.textLength;
	bool wrong = false, walking = walk.on;
	while (LANES == 1 ? walking : __any_sync(~0u, walking)) {
		int n = 0, l = 0;
		if (LANES == 1) {
			n = matchesBefore(walk.text, walk.pattern, h, h - k);
			if (s > 0) l = oneStep(m, a, s, k, h - n);
		} else
			l = walk.lanes.step(walking, m, a, walk.text, walk.pattern, s, k, h, n).length;
		if (!walking) continue;
		c.add(opMatch, n);
		h -= n;
		if (s == 0) {
			walking = false;
			continue;
		}
		if (l == stuck) {
			wrong = true;
			walking = false;
		} else if (l == 0) {
			c.add(opMismatch, 1);
			s -= a.mismatch;
			h--;
		} else if (l > 0) {
			c.add(opIns, l);
			k += l;
			s -= a.gapOpen + a.gapExtend * l;
		} else {
			c.add(opDel, -l);
			k += l;
			h += l;
			s -= a.gapOpen - a.gapExtend * l;
		}
	}
	walk.report(a, c, wrong || h != 0 || k != 0);
}

extern "C" __global__ void __launch_bounds__(128) wfa_trace_1(const __grid_constant__ Params a) { trace<1>(a); }
extern "C" __global__ void __launch_bounds__(128) wfa_trace_8(const __grid_constant__ Params a) { trace<8>(a); }
extern "C" __global__ void __launch_bounds__(128) wfa_trace_32(const __grid_constant__ Params a) { trace<32>(a); }
