// Traceback over the rows that the warp and block kernels have stored: one
// thread a pair. The rule is that of align/backtrace.go, which looks at nothing
// but whether a cell can be reached with a score, so it picks the same
// alignment as the CPU engine.
#include "cigar.cuh"
#include "match.cuh"
#include "penalties.cuh"
#include "simd.cuh"

// StoredRows answers which cells a score reaches.
struct StoredRows {
	const u32 *rows;
	Band band;
	int lanes, words, open, extend;

	// costs reports whether cell h of diagonal k is reached with score s.
	__device__ __forceinline__ bool costs(int s, int k, int h) const {
		if (s < 0 || h < 0 || h < k) return false;
		// What lies outside was not computed, or not stored.
		const int r = reach(s, open, extend);
		if (k > r || k < -r) return false;
		if (abs(k - band.end) * extend > band.limit - s) return false;
		const int d = k - band.first;
		if (d < 0 || d >= 2 * lanes * words) return false;
		const int j = d / (2 * lanes), i = d - j * 2 * lanes;
		const bool high = i >= lanes;
		const u32 w = rows[(u64)s * (lanes * words) + j * lanes + (high ? i - lanes : i)];
		return (high ? highCell(w) : lowCell(w)) >= h;
	}
};

extern "C" __global__ void __launch_bounds__(128) wfa_trace(const __grid_constant__ Params a) {
	const int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
	const bool live = at < a.count;
	Task task = {0, 0};
	if (live) task = a.tasks[at];
	Result &result = a.results[task.pair];
	int s = live ? result.score : -1;

	// Room for the warp's alignments, by one atomic operation.
	const int room = s < 0 ? 0 : cigarRoom(a, s);
	int sum = room;
#pragma unroll
	for (int o = 1; o < 32; o <<= 1) {
		const int v = __shfl_up_sync(~0u, sum, o);
		if (lane >= o) sum += v;
	}
	u32 base = 0;
	if (lane == 31 && sum > 0) base = atomicAdd(a.used, (u32)sum);
	base = __shfl_sync(~0u, base, 31) + (u32)(sum - room);
	if (s < 0) return;
	if ((u64)base + room > a.cigarCapacity) {
		result.flags = result.flags & flagLetters | flagNoRoom;
		return;
	}

	const Pair p = a.pairs[task.pair];
	const u32 *text = a.bases + p.text, *pattern = a.bases + p.pattern;
	const StoredRows m = {a.rows + (u64)at * a.rowStride, makeBand(a, p, task.limit, a.lanes * a.words), a.lanes, a.words,
	                      a.gapOpen, a.gapExtend};
	CigarWriter c = {a.cigars + base + room, a.cigars + base, 0, false};
	int k = m.band.end, h = p.textLength;
	bool wrong = false;
	for (;;) {
		const int n = matchesBefore(text, pattern, h, h - k);
		c.add(opMatch, n);
		h -= n;
		if (s == 0) break;
		if (m.costs(s - a.mismatch, k, h - 1)) {
			c.add(opMismatch, 1);
			s -= a.mismatch;
			h--;
			continue;
		}
		int l = 1;
		for (;; l++) {
			const int before = s - a.gapOpen - a.gapExtend * l;
			if (before < 0) {
				wrong = true;
				break;
			}
			if (m.costs(before, k + l, h)) {
				c.add(opIns, l);
				k += l;
				break;
			}
			if (m.costs(before, k - l, h - l)) {
				c.add(opDel, l);
				k -= l;
				h -= l;
				break;
			}
		}
		if (wrong) break;
		s -= a.gapOpen + a.gapExtend * l;
	}
	c.flush();
	const bool bad = wrong || c.full || h != 0 || k != 0;
	result.flags = result.flags & flagLetters | (bad ? (u32)flagTrace : 0u);
	result.cigar = (u32)(c.at - a.cigars);
	result.cigarLength = base + (u32)room - result.cigar;
}
