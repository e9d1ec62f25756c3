// The path of an alignment in an adaptive band: from cell to cell of the stored M rows,
// by the rule of package align. The alignment may cost less than the score found; its
// cost replaces that score.
#pragma once
#include "simd.cuh"
#include "traceback.cuh"

// CostingWriter is a CigarWriter that sums the cost of its runs.
struct CostingWriter : CigarWriter {
	u32 *end; // of the room
	int cost;

	__device__ __forceinline__ void append(const Params &a, u32 op, int n) {
		if (n <= 0) return;
		// The continued gap was opened before.
		const int opened = (run & 15u) == op ? 0 : a.gapOpen;
		cost += op == opMatch ? 0 : op == opMismatch ? n * a.mismatch : n * a.gapExtend + opened;
		add(op, n);
	}
	// only replaces the alignment so far by one gap, from a cell on an edge of the matrix
	// to the end cell.
	__device__ __forceinline__ void only(const Params &a, int toPatternEnd, int toTextEnd) {
		at = end;
		run = 0;
		cost = 0;
		append(a, opIns, toPatternEnd);
		append(a, opDel, toTextEnd);
	}
};

// AdaptiveRows are the M rows of a pair: at each score, the diagonals of the band.
struct AdaptiveRows {
	const u32 *starts; // the band's lowest diagonals, at score 0 and after each move
	const u32 *rows;
	int band, patternLength, textLength;

	__device__ __forceinline__ AdaptiveRows(const Params &a, const u32 *mine, const Task &p)
	    : starts(mine), rows(mine + a.bandStarts), band(a.band), patternLength(p.patternLength),
	      textLength(p.textLength) {}

	__device__ __forceinline__ int last(int k) const { return min(textLength, patternLength + k); }
};

// RegisterRows are the rows of adaptivewarp.cuh: two 16-bit cells per word, diagonals at
// their places. With MOVES, each start is followed by the origin.
template <bool MOVES> struct RegisterRows : AdaptiveRows {
	int words, lambda;
	float perLambda, perWidth; // one by each

	__device__ __forceinline__ RegisterRows(const Params &a, const u32 *mine, const Task &p)
	    : AdaptiveRows(a, mine, p), words(a.pairWords), lambda(a.lambda), perLambda(1.0f / (float)a.lambda),
	      perWidth(1.0f / (float)(64 * a.pairWords)) {}

	// quotient returns floor(a / b), given 1 / b. a + 0.5 is at least a half away from
	// multiples of b, so 24-bit floats are exact enough while |a| is below 2^20.
	static __device__ __forceinline__ int quotient(int a, float perB) {
		return __float2int_rd(((float)a + 0.5f) * perB);
	}

	// cell returns M[s,k], -1 if it is null or outside the band of that score. It always
	// issues the load, so that no branch waits for it.
	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		const int row = max(s, 0), from = k - (textLength - patternLength), width = 64 * words;
		// Scores and diagonals of long pairs may be too large for floats.
		const int move = MOVES ? max(row - 1, 0) / lambda : quotient(max(row - 1, 0), perLambda);
		const int q = MOVES ? (from % width + width) % width : from - width * quotient(from, perWidth);
		const int first = (int)starts[MOVES ? 2 * move : move];
		const u32 w = rows[(u64)row * (32 * words) + (q >> 6) * 32 + (q & 31)];
		const int offset = q & 32 ? highCell(w) : lowCell(w);
		const int h = min(MOVES && offset >= 0 ? offset + (int)starts[2 * move + 1] : offset, last(k));
		return on && s >= 0 && k >= first && k - first < band ? max(h, -1) : -1;
	}
};

// MemoryRows are the rows of adaptiveblock.cu: 32-bit cells from the band's lowest
// diagonal on.
struct MemoryRows : AdaptiveRows {
	int lambda;

	__device__ __forceinline__ MemoryRows(const Params &a, const u32 *mine, const Task &p)
	    : AdaptiveRows(a, mine, p), lambda(a.lambda) {}

	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		const int row = max(s, 0), i = k - (int)starts[max(row - 1, 0) / lambda];
		const bool there = on && s >= 0 && (u32)i < (u32)band;
		const int h = (int)rows[there ? (u64)row * band + i : 0];
		return there ? max(h, -1) : -1;
	}
};

// AdaptivePath is the path through such rows.
template <class ROWS> struct AdaptivePath {
	ROWS rows;
	CostingWriter cigar;
	const u32 *text, *pattern;
	int s, k, h; // h is M[s,k]
	bool on, wrong;

	__device__ __forceinline__ AdaptivePath(const Params &a, const u32 *mine, const Task &p) : rows(a, mine, p) {}

	__device__ __forceinline__ void begin(const CigarWriter &c, int score, bool live) {
		(CigarWriter &)cigar = c;
		cigar.end = c.at;
		cigar.cost = 0;
		s = score;
		k = rows.textLength - rows.patternLength;
		h = rows.textLength;
		on = live;
		wrong = false;
	}

	__device__ __forceinline__ int cell(bool on, int s, int k) const { return rows.cell(on, s, k); }

	// A candidate leads from its cell to a cell among the matches before h. A cell that
	// is clamped to the end of its diagonal leads only there.
	__device__ __forceinline__ bool fits(const Candidate &c, int cell, int matches) const {
		const int to = cell + c.columns();
		return cell >= 0 && to >= h - matches && min(to, rows.last(k)) <= h;
	}

	__device__ __forceinline__ void take(const Params &a, const Step &step) {
		const int last = rows.last(k), n = rows.patternLength, m = rows.textLength;
		if (h == last) cigar.only(a, n - (h - k), m - h); // an edge: only gaps lead on to the end
		if (s == 0) {
			wrong = k != 0 || step.matches != h;
			cigar.append(a, opMatch, h);
			on = false;
			return;
		}
		if (step.number == Step::stuck) {
			wrong = true;
			on = false;
			return;
		}
		// The steps of a warp's pairs differ; the code for them is shared.
		const Candidate c = {step.number};
		const int to = step.cell + c.columns(), from = c.diagonal(k);
		s = c.score(a, s);
		if (to <= last) {
			cigar.append(a, opMatch, h - to);
			cigar.append(a, c.operation(), max(c.length(), 1));
		} else if (c.number == 0) {
			// A mismatch past the last letters does not move.
			return;
		} else if (c.insertion()) {
			// Beyond the pattern's end.
			cigar.only(a, 0, m - to);
			cigar.append(a, opIns, n - (to - from));
		} else {
			// Beyond the text's end.
			const int end = min(to, m);
			cigar.only(a, n - (step.cell - from), m - end);
			cigar.append(a, opDel, end - step.cell);
		}
		h = step.cell;
		k = from;
	}
};
