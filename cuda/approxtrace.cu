// Traceback of the approximate mode, by the rule of align/approxtrace.go: from
// cell to cell of M as the windows had them. An alignment may cost less than the
// score that was found; its own cost replaces that.
#include "approx.cuh"
#include "walk.cuh"

// Costing is a CigarWriter that adds up what its runs cost.
struct Costing : CigarWriter {
	u32 *end; // of the room
	int cost;

	__device__ __forceinline__ void append(const Params &a, u32 op, int n) {
		if (n <= 0) return;
		// A gap that goes on was opened before.
		const int opened = (run & 15u) == op ? 0 : a.gapOpen;
		cost += op == opMatch ? 0 : op == opMismatch ? n * a.mismatch : n * a.gapExtend + opened;
		add(op, n);
	}
	// only makes the alignment so far the gap that leads from a cell on an edge
	// of the matrix to the end cell.
	__device__ __forceinline__ void only(const Params &a, const Pair &p, int v, int h) {
		at = end;
		run = 0;
		cost = 0;
		append(a, opIns, p.patternLength - v);
		append(a, opDel, p.textLength - h);
	}
};

// WindowRows are the M rows of a pair.
struct WindowRows {
	const u32 *windows, *rows;
	int words, band, patternLength, textLength;
	float perLambda, perWidth; // one by each

	// quotient is floor(a / b), given 1 / b. Halves away from multiples of b, the
	// error of 24-bit floats does not matter while |a| is below 2^20.
	static __device__ __forceinline__ int quotient(int a, float perB) { return __float2int_rd(((float)a + 0.5f) * perB); }

	__device__ __forceinline__ int last(int k) const { return min(textLength, patternLength + k); }

	// cell returns M[s,k], -1 where it is null or outside the window of that time.
	// It asks memory in any case, so that nothing waits for the answer.
	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		const int row = max(s, 0), from = k - (textLength - patternLength);
		const int q = from - 64 * words * quotient(from, perWidth);
		const int first = (int)windows[quotient(max(row - 1, 0), perLambda)];
		const u32 w = rows[(u64)row * (32 * words) + (q >> 6) * 32 + (q & 31)];
		const int h = min(q & 32 ? highCell(w) : lowCell(w), last(k));
		return on && s >= 0 && k >= first && k - first < band ? max(h, -1) : -1;
	}

	// fits tells whether a candidate leads from its cell to the matches before h.
	// What is limited to the diagonal's last cell leads to that one alone.
	__device__ __forceinline__ bool fits(const Candidate &c, int k, int cell, int h, int matches) const {
		const int to = cell + c.columns();
		return cell >= 0 && to >= h - matches && min(to, last(k)) <= h;
	}
};

template <int LANES> __device__ __forceinline__ void traceApprox(const Params &a) {
	const int lane = threadIdx.x & 31;
	const Lanes<LANES> walk = {lane & (LANES - 1), lane & ~(LANES - 1)};
	const int at = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
	const bool live = at < a.count, writes = walk.in == 0;
	Task task = {0, 0};
	if (live) task = a.tasks[at];
	Result &result = a.results[task.pair];
	int s = live ? result.score : -1;

	u32 base;
	int room;
	const bool on = takeRoom(a, s, writes, result, base, room);

	Pair p = {0, 0, 0, 0};
	if (on) p = a.pairs[task.pair];
	const u32 *text = a.bases + p.text, *pattern = a.bases + p.pattern;
	const u32 *mine = a.rows + (u64)(live ? at : 0) * a.rowStride;
	const WindowRows m = {mine, mine + a.windowWords, a.words, a.band, p.patternLength, p.textLength,
	                      1.0f / (float)a.lambda, 1.0f / (float)(64 * a.words)};
	Costing c;
	c.end = c.at = a.cigars + base + room;
	c.room = a.cigars + base;
	c.run = 0;
	c.writes = writes && on;
	c.full = false;
	c.cost = 0;

	int k = p.textLength - p.patternLength, h = p.textLength; // h is M[s,k] all along
	bool wrong = false, walking = on;
	while (__any_sync(~0u, walking)) {
		int n;
		const auto back = walk.step(walking, m, a, text, pattern, s, k, h, n);
		if (!walking) continue;
		const int last = m.last(k);
		if (h == last) c.only(a, p, h - k, h);
		if (s == 0) {
			wrong = k != 0 || n != h;
			c.append(a, opMatch, h);
			walking = false;
			continue;
		}
		if (back.length == stuck) {
			wrong = true;
			walking = false;
			continue;
		}
		// Pairs of a warp take different steps; what they do is nearly the same.
		const Candidate step = {back.length > 0 ? 2 * back.length - 1 : -2 * back.length};
		const int to = back.cell + step.columns(), from = step.diagonal(k);
		s = step.score(a, s);
		if (to <= last) {
			const u32 op = back.length == 0 ? opMismatch : back.length > 0 ? opIns : opDel;
			c.append(a, opMatch, h - to);
			c.append(a, op, max(step.length(), 1));
		} else if (back.length > 0) { // beyond the pattern's end
			c.only(a, p, p.patternLength, to);
			c.append(a, opIns, p.patternLength - (to - from));
		} else if (back.length < 0) { // beyond the text's end
			const int end = min(to, p.textLength);
			c.only(a, p, back.cell - from, end);
			c.append(a, opDel, end - back.cell);
		} else
			continue; // a mismatch that found no letters: it stays where it is
		h = back.cell;
		k = from;
	}
	if (!writes || !on) return;
	c.flush();
	report(a, c, base + (u32)room, wrong || c.full, result);
	result.score = c.cost;
}

// Eight lanes a pair: long pairs make few steps that need more.
extern "C" __global__ void __launch_bounds__(128) wfa_approx_trace(const __grid_constant__ Params a) { traceApprox<8>(a); }
