// Traceback over the rows that the warp and block kernels have stored. Walking
// back means waiting for one load after the other, so a thread a pair is best
// for very many short pairs, and several lanes a pair otherwise: they look at
// all that may come next at once. The rule is that of align/backtrace.go, which looks at nothing
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

// OneLane is a step by a single thread.
struct OneLane {
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

// A walk by LANES lanes a pair, which all know where it is. The pairs of a warp
// walk in step: all 32 lanes take part in every shuffle and ballot.
template <int LANES> struct Lanes {
	static constexpr u32 mask = LANES == 32 ? ~0u : (1u << (LANES & 31)) - 1;
	int in, shift; // this lane's place in its group, the group's first lane

	__device__ __forceinline__ u32 ballot(bool yes) const { return __ballot_sync(~0u, yes) >> shift & mask; }

	// before counts matches as matchesBefore does. Each lane has 16 bases at a
	// time; the one that meets the end or a difference knows the count.
	__device__ __forceinline__ int before(bool on, const u32 *text, const u32 *pattern, int h, int v) const {
		const int most = min(h, v);
		int run = 0;
		for (int n = 0; __any_sync(~0u, on); n += 16 * LANES) {
			const int at = n + 16 * in;
			const bool end = at >= most;
			u32 d = 0;
			if (on && !end) d = sixteenBefore(text, h - at) ^ sixteenBefore(pattern, v - at);
			const u32 stop = ballot(end || d != 0);
			const int count = at + (d != 0 ? (__ffs((int)d) - 1) >> 1 : 0);
			const int from = stop != 0 ? __ffs((int)stop) - 1 : 0;
			const int counted = min(most, __shfl_sync(~0u, count, shift + from));
			if (on && stop != 0) {
				run = counted;
				on = false;
			}
		}
		return run;
	}

	// step is OneLane's. Lane 0 looks at the mismatch, lanes 2l-1 and 2l at
	// gaps of length l.
	__device__ __forceinline__ int step(bool on, const StoredRows &m, const Params &a, int s, int k, int h) const {
		int found = OneLane::stuck;
		for (int base = 0; __any_sync(~0u, on); base += LANES) {
			const int at = base + in, l = (at + 1) >> 1;
			const int score = at == 0 ? s - a.mismatch : s - a.gapOpen - a.gapExtend * l;
			const bool insertion = at & 1;
			const int kk = at == 0 ? k : insertion ? k + l : k - l;
			const int hh = at == 0 ? h - 1 : insertion ? h : h - l;
			const u32 yes = ballot(on && m.costs(score, kk, hh));
			if (on && yes != 0) {
				const int first = base + __ffs((int)yes) - 1, length = (first + 1) >> 1;
				found = first & 1 ? length : -length;
				on = false;
			}
			if (s - a.gapOpen - a.gapExtend * ((base + LANES + 1) >> 1) < 0) on = false;
		}
		return found;
	}
};

template <> struct Lanes<1> {
	int in, shift;
	__device__ __forceinline__ int before(bool on, const u32 *text, const u32 *pattern, int h, int v) const {
		return on ? matchesBefore(text, pattern, h, v) : 0;
	}
	__device__ __forceinline__ int step(bool on, const StoredRows &m, const Params &a, int s, int k, int h) const {
		return on ? OneLane::step(m, a, s, k, h) : 0;
	}
};

template <int LANES> __device__ __forceinline__ void trace(const Params &a) {
	const int lane = threadIdx.x & 31;
	const Lanes<LANES> walk = {lane & (LANES - 1), lane & ~(LANES - 1)};
	const int at = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
	const bool live = at < a.count, writes = walk.in == 0;
	Task task = {0, 0};
	if (live) task = a.tasks[at];
	Result &result = a.results[task.pair];
	int s = live ? result.score : -1;

	// Room for the warp's alignments, by one atomic operation.
	const int room = s < 0 ? 0 : cigarRoom(a, s);
	int sum = writes ? room : 0;
#pragma unroll
	for (int o = 1; o < 32; o <<= 1) {
		const int v = __shfl_up_sync(~0u, sum, o);
		if (lane >= o) sum += v;
	}
	u32 base = 0;
	if (lane == 31 && sum > 0) base = atomicAdd(a.used, (u32)sum);
	base = __shfl_sync(~0u, base, 31) + (u32)(sum - room);
	bool on = s >= 0;
	if (on && (u64)base + room > a.cigarCapacity) {
		if (writes) result.flags = result.flags & flagLetters | flagNoRoom;
		on = false;
	}

	Pair p = {0, 0, 0, 0};
	if (on) p = a.pairs[task.pair];
	const u32 *text = a.bases + p.text, *pattern = a.bases + p.pattern;
	const StoredRows m = {a.rows + (u64)at * a.rowStride, makeBand(a, p, task.limit, a.lanes * a.words), a.lanes,
	                      a.words, a.gapOpen, a.gapExtend};
	CigarWriter c = {a.cigars + base + room, a.cigars + base, 0, writes && on, false};
	int k = m.band.end, h = p.textLength;
	bool wrong = false, walking = on;
	while (LANES == 1 ? walking : __any_sync(~0u, walking)) {
		const int n = walk.before(walking, text, pattern, h, h - k);
		c.add(opMatch, n);
		h -= n;
		if (s == 0) walking = false;
		const int l = walk.step(walking, m, a, s, k, h);
		if (!walking) continue;
		if (l == OneLane::stuck) {
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
	if (!writes || !on) return;
	c.flush();
	const bool bad = wrong || c.full || h != 0 || k != 0;
	result.flags = result.flags & flagLetters | (bad ? (u32)flagTrace : 0u);
	result.cigar = (u32)(c.at - a.cigars);
	result.cigarLength = base + (u32)room - result.cigar;
}

extern "C" __global__ void __launch_bounds__(128) wfa_trace_1(const __grid_constant__ Params a) { trace<1>(a); }
extern "C" __global__ void __launch_bounds__(128) wfa_trace_8(const __grid_constant__ Params a) { trace<8>(a); }
extern "C" __global__ void __launch_bounds__(128) wfa_trace_32(const __grid_constant__ Params a) { trace<32>(a); }
