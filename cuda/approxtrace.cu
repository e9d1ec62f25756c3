// Traceback of the approximate mode, by the rule of align/approxtrace.go: from
// cell to cell of M as the windows had them. An alignment may cost less than the
// score that was found; its own cost replaces that.
#include "simd.cuh"
#include "walk.cuh"

// Costing is a CigarWriter that adds up what its runs cost.
struct Costing : CigarWriter {
	u32 *end; // of the room
	int cost = 0;

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

// Windows are the M rows of a pair, of which there are those of a window's diagonals.
struct Windows {
	const u32 *firsts; // lowest diagonals, at score 0 and after each move
	const u32 *rows;
	int band, patternLength, textLength;

	__device__ __forceinline__ Windows(const Params &a, const u32 *mine, const Pair &p)
	    : firsts(mine), rows(mine + a.windowWords), band(a.band), patternLength(p.patternLength),
	      textLength(p.textLength) {}

	__device__ __forceinline__ int last(int k) const { return min(textLength, patternLength + k); }

	// fits tells whether a candidate leads from its cell to the matches before h.
	// What is limited to the diagonal's last cell leads to that one alone.
	__device__ __forceinline__ bool fits(const Candidate &c, int k, int cell, int h, int matches) const {
		const int to = cell + c.columns();
		return cell >= 0 && to >= h - matches && min(to, last(k)) <= h;
	}
};

// RegisterRows are those that approx.cuh stores: two 16-bit cells a word, a place
// for each diagonal.
struct RegisterRows : Windows {
	int words;
	float perLambda, perWidth; // one by each

	__device__ __forceinline__ RegisterRows(const Params &a, const u32 *mine, const Pair &p)
	    : Windows(a, mine, p), words(a.words), perLambda(1.0f / (float)a.lambda),
	      perWidth(1.0f / (float)(64 * a.words)) {}

	// quotient is floor(a / b), given 1 / b. Halves away from multiples of b, the
	// error of 24-bit floats does not matter while |a| is below 2^20.
	static __device__ __forceinline__ int quotient(int a, float perB) { return __float2int_rd(((float)a + 0.5f) * perB); }

	// cell returns M[s,k], -1 where it is null or outside the window of that time.
	// It asks memory in any case, so that nothing waits for the answer.
	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		const int row = max(s, 0), from = k - (textLength - patternLength);
		const int q = from - 64 * words * quotient(from, perWidth);
		const int first = (int)firsts[quotient(max(row - 1, 0), perLambda)];
		const u32 w = rows[(u64)row * (32 * words) + (q >> 6) * 32 + (q & 31)];
		const int h = min(q & 32 ? highCell(w) : lowCell(w), last(k));
		return on && s >= 0 && k >= first && k - first < band ? max(h, -1) : -1;
	}
};

// WideRows are those that window.cu stores: the window's cells from the lowest
// diagonal on.
struct WideRows : Windows {
	int lambda;

	__device__ __forceinline__ WideRows(const Params &a, const u32 *mine, const Pair &p)
	    : Windows(a, mine, p), lambda(a.lambda) {}

	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		const int row = max(s, 0), i = k - (int)firsts[max(row - 1, 0) / lambda];
		const bool there = on && s >= 0 && (u32)i < (u32)band;
		const int h = (int)rows[there ? (u64)row * band + i : 0];
		return there ? max(h, -1) : -1;
	}
};

template <int LANES, class ROWS> __device__ __forceinline__ void traceApprox(const Params &a) {
	const Walk<LANES> walk(a);
	const Pair &p = walk.pair;
	const ROWS m(a, walk.rows, p);
	Costing c;
	walk.start(c);
	c.end = walk.end;
	int s = walk.score;
	int k = p.textLength - p.patternLength, h = p.textLength; // h is M[s,k] all along
	bool wrong = false, walking = walk.on;
	while (__any_sync(~0u, walking)) {
		int n;
		const auto back = walk.lanes.step(walking, m, a, walk.text, walk.pattern, s, k, h, n);
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
	walk.report(a, c, wrong);
	if (walk.writes) walk.result->score = c.cost;
}

// Eight lanes a pair: long pairs make few steps that need more.
extern "C" __global__ void __launch_bounds__(128) wfa_approx_trace(const __grid_constant__ Params a) {
	traceApprox<8, RegisterRows>(a);
}
extern "C" __global__ void __launch_bounds__(128) wfa_window_trace(const __grid_constant__ Params a) {
	traceApprox<8, WideRows>(a);
}
