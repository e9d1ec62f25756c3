// Traceback over the rows that the warp and block kernels have stored. Walking
// back means waiting for one load after the other, so a thread a pair is best
// when there are very many short pairs, and a warp a pair otherwise: its lanes
// look at all that may come next at once. The rule is that of align/backtrace.go, which looks at nothing
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

// OneLane is a walk by a single thread.
struct OneLane {
	static constexpr int lanes = 1;
	__device__ __forceinline__ static int before(const u32 *text, const u32 *pattern, int h, int v) {
		return matchesBefore(text, pattern, h, v);
	}
	// step finds how the alignment gets to cell h of diagonal k with score s
	// from a cell that is not a match before it. It returns 0 for a mismatch,
	// the length of an insertion, minus that of a deletion, or stuck.
	__device__ __forceinline__ static int step(const StoredRows &m, const Params &a, int s, int k, int h) {
		if (m.costs(s - a.mismatch, k, h - 1)) return 0;
		for (int l = 1;; l++) {
			const int before = s - a.gapOpen - a.gapExtend * l;
			if (before < 0) return stuck;
			if (m.costs(before, k + l, h)) return l;
			if (m.costs(before, k - l, h - l)) return -l;
		}
	}
	static constexpr int stuck = 1 << 30;
};

// WarpLanes is a walk by a warp, whose lanes all know where it is.
struct WarpLanes {
	static constexpr int lanes = 32;
	__device__ __forceinline__ static int before(const u32 *text, const u32 *pattern, int h, int v) {
		const int most = min(h, v), lane = threadIdx.x & 31;
		for (int n = 0;; n += 16 * lanes) {
			// Each lane has 16 bases; one of them counts up to the first
			// difference.
			const int at = n + 16 * lane;
			u32 d = 0;
			const bool end = at >= most;
			if (!end) d = sixteenBefore(text, h - at) ^ sixteenBefore(pattern, v - at);
			const u32 stop = __ballot_sync(~0u, end || d != 0);
			if (stop != 0) {
				const int run = at + (d != 0 ? (__ffs((int)d) - 1) >> 1 : 0);
				return min(most, __shfl_sync(~0u, run, __ffs((int)stop) - 1));
			}
		}
	}
	// Lane 0 looks at the mismatch, lanes 2l-1 and 2l at gaps of length l.
	__device__ __forceinline__ static int step(const StoredRows &m, const Params &a, int s, int k, int h) {
		const int lane = threadIdx.x & 31;
		for (int base = 0;; base += 32) {
			const int at = base + lane, l = (at + 1) >> 1;
			const int before = at == 0 ? s - a.mismatch : s - a.gapOpen - a.gapExtend * l;
			const bool insertion = at & 1;
			const int kk = at == 0 ? k : insertion ? k + l : k - l;
			const int hh = at == 0 ? h - 1 : insertion ? h : h - l;
			const u32 yes = __ballot_sync(~0u, m.costs(before, kk, hh));
			if (yes != 0) {
				const int first = base + __ffs((int)yes) - 1, length = (first + 1) >> 1;
				return first & 1 ? length : -length;
			}
			if (s - a.gapOpen - a.gapExtend * ((base + 32) >> 1) < 0) return OneLane::stuck;
		}
	}
};

template <class W> __device__ __forceinline__ void trace(const Params &a) {
	const int lane = threadIdx.x & 31;
	const int at = (blockIdx.x * blockDim.x + threadIdx.x) / W::lanes;
	const bool live = at < a.count, writes = W::lanes == 1 || lane == 0;
	Task task = {0, 0};
	if (live) task = a.tasks[at];
	Result &result = a.results[task.pair];
	int s = live ? result.score : -1;

	// Room for the warp's alignments, by one atomic operation.
	const int room = s < 0 ? 0 : cigarRoom(a, s);
	int sum = W::lanes == 1 || lane == 31 ? room : 0;
	if (W::lanes == 1) {
#pragma unroll
		for (int o = 1; o < 32; o <<= 1) {
			const int v = __shfl_up_sync(~0u, sum, o);
			if (lane >= o) sum += v;
		}
	}
	u32 base = 0;
	if (lane == 31 && sum > 0) base = atomicAdd(a.used, (u32)sum);
	base = __shfl_sync(~0u, base, 31);
	if (W::lanes == 1) base += (u32)(sum - room);
	if (s < 0) return;
	if ((u64)base + room > a.cigarCapacity) {
		if (writes) result.flags = result.flags & flagLetters | flagNoRoom;
		return;
	}

	const Pair p = a.pairs[task.pair];
	const u32 *text = a.bases + p.text, *pattern = a.bases + p.pattern;
	const StoredRows m = {a.rows + (u64)at * a.rowStride, makeBand(a, p, task.limit, a.lanes * a.words), a.lanes,
	                      a.words, a.gapOpen, a.gapExtend};
	CigarWriter c = {a.cigars + base + room, a.cigars + base, 0, writes, false};
	int k = m.band.end, h = p.textLength;
	bool wrong = false;
	for (;;) {
		const int n = W::before(text, pattern, h, h - k);
		c.add(opMatch, n);
		h -= n;
		if (s == 0) break;
		const int l = W::step(m, a, s, k, h);
		if (l == OneLane::stuck) {
			wrong = true;
			break;
		}
		if (l == 0) {
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
	c.flush();
	if (!writes) return;
	const bool bad = wrong || c.full || h != 0 || k != 0;
	result.flags = result.flags & flagLetters | (bad ? (u32)flagTrace : 0u);
	result.cigar = (u32)(c.at - a.cigars);
	result.cigarLength = base + (u32)room - result.cigar;
}

extern "C" __global__ void __launch_bounds__(128) wfa_trace(const __grid_constant__ Params a) { trace<OneLane>(a); }

extern "C" __global__ void __launch_bounds__(128) wfa_trace_warp(const __grid_constant__ Params a) {
	trace<WarpLanes>(a);
}
