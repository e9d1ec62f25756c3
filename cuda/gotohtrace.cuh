// Traceback over the low bits of the cells that gotoh.cuh has stored. A thread traces a pair
// back, or the first thread of a warp while the others fetch what lies ahead into the cache:
// the cells of long pairs are far apart, and each step waits for memory.
//
// The values of neighbouring cells differ by at most o + e, so their low bits tell the value
// of a cell from that of its neighbour. A mismatch leads from a cell whose value is at most
// x + o above what it should be.
//
// With free ends, two elements come before an alignment in Params::cigars: the positions at which it
// begins in the pattern, 0, and in the text.
//
// Shared memory: none. Limits: those of gotoh.cuh.
#pragma once
#include "exacttrace.cuh"
#include "gotohband.cuh"
#include "tracetask.cuh"

// GotohPath is the path through the cells of a pair, BITS stored of each.
template <int BITS, bool FREE> struct GotohPath : ExactState {
	static constexpr int mask = (1 << BITS) - 1;
	const u32 *text, *pattern;
	const u8 *stored;
	GotohBand band;
	int lanes, columns, lineWords, vectorBits;
	u32 perColumn, perStrip; // reciprocals of the columns of a strip and the strips, times 2^32
	int open, extend, textLength;
	int up, left; // values of the cells that the last insertion and the last deletion tried came from

	template <class TASK> __device__ __forceinline__ GotohPath(const Params &a, const TASK &t) {
		text = t.task.text;
		pattern = t.task.pattern;
		stored = (const u8 *)(t.rows + a.letterWords);
		lanes = a.pairThreads;
		columns = a.pairWords;
		band = GotohBand(a, t.task, 2 * lanes, columns, FREE);
		lineWords = columns * BITS / 16;
		const int vector = gotohVector(lineWords);
		vectorBits = vector == 4 ? 2 : vector - 1;
		perColumn = 0xffffffffu / columns + 1;
		perStrip = 0xffffffffu / (2 * lanes) + 1;
		open = a.gapOpen;
		extend = a.gapExtend;
		textLength = t.task.textLength;
		up = left = 0;
	}

	static __device__ __forceinline__ int quotient(int n, u32 reciprocal) {
		return (int)((u64)(u32)n * reciprocal >> 32);
	}

	// Cell is the place of a cell inside the matrix.
	struct Cell {
		const u8 *at;
		bool high; // its bits are the upper ones of the byte
	};
	__device__ __forceinline__ Cell cell(int i, int j) const {
		const int b = quotient(j - 1, perColumn), c = j - 1 - b * columns;
		const int place = b - 2 * lanes * quotient(b, perStrip);
		const int w = BITS == 4 ? c >> 2 : c >> 1;
		const u64 line = (u64)(i + b) * (lineWords >> vectorBits) + (w >> vectorBits);
		const u64 word = ((line * lanes + (place >> 1)) << vectorBits) + (w & ((1 << vectorBits) - 1));
		return {stored + word * 4 + (c & 1) * 2 + (place & 1), BITS == 4 && (c & 2) != 0};
	}

	// low returns the low bits of H(i,j).
	__device__ __forceinline__ int low(int i, int j) const {
		if (i == 0 || j == 0) return (i + j == 0 || (FREE && i == 0) ? 0 : open + extend * (i + j)) & mask;
		const Cell at = cell(i, j);
		return ((*at.at >> (at.high ? 4 : 0)) + extend * (i + j)) & mask;
	}

	// fetch brings the cells near column j of row i into the cache, in the matrix or not.
	__device__ __forceinline__ void fetch(int i, int j) const {
		constexpr int near = BITS == 4 ? 4 : 2; // columns of a word
		if (i <= 0) return;
		for (int c = j - near; c <= j + near; c += near)
			if (c > 0 && c <= textLength) prefetch(cell(i, c).at);
	}

	// beside returns the value of the cell at (i,j), next to one of value v.
	__device__ __forceinline__ int beside(int i, int j, int v) const {
		const int half = (mask + 1) / 2;
		return v + (((low(i, j) - v + half) & mask) - half);
	}

	__device__ __forceinline__ bool there(int) const { return true; }

	// look reports whether candidate c leads to the start of the matches.
	__device__ __forceinline__ int look(const Params &a, const Candidate &c, int matches) {
		const int j = h - matches, i = j - k, n = c.length();
		if (c.number == 0) {
			up = left = s;
			return i > 0 && j > 0 && s >= a.mismatch && ((low(i - 1, j - 1) - (s - a.mismatch)) & mask) == 0;
		}
		if (c.insertion()) {
			if (n > i || j - i + n > band.above) return 0;
			return (up = beside(i - n, j, up)) == c.score(a, s);
		}
		if (n > j || i - j + n > band.below) return 0;
		return (left = beside(i, j - n, left)) == c.score(a, s);
	}
	__device__ __forceinline__ bool fits(const Candidate &, int cell, int) const { return cell != 0; }

	__device__ __forceinline__ void take(const Params &a, const Step &step) {
		cigar.add(opMatch, step.matches);
		h -= step.matches;
		if (step.number < 0 || s == 0) {
			on = false;
			wrong = s != 0;
			return;
		}
		const Candidate c = {step.number};
		cigar.add(c.operation(), max(c.length(), 1));
		s = c.score(a, s);
		k = c.diagonal(k);
		h -= c.columns();
	}
};

// Ahead searches with the first thread of a warp. All of them fetch the rows ahead, a row each,
// along the diagonal.
struct Ahead {
	static constexpr int distance = 32; // rows
	int lane, fetched;                  // the lowest row fetched

	__device__ __forceinline__ bool any(bool on) const { return __any_sync(~0u, on); }

	template <class PATH> __device__ __forceinline__ Step step(const Params &a, PATH &p) {
		const int j = __shfl_sync(~0u, p.h, 0), i = j - __shfl_sync(~0u, p.k, 0);
		for (; fetched > 0 && i - fetched < distance; fetched -= 32) {
			const int row = min(fetched, i) - 1 - lane;
			p.fetch(row, j - (i - row));
		}
		if (p.on) return OneThread().step(a, p);
		return {0, Step::stuck, 0};
	}
};

template <int BITS, int THREADS, bool FREE> __device__ __forceinline__ void traceGotoh(const Params &a) {
	const TraceTask<THREADS> t(a, roomOf<FREE>);
	GotohPath<BITS, FREE> path(a, t);
	path.begin(t.writer(), t.score, t.task.patternLength, t.template textEnd<FREE>(), t.on && t.in == 0);
	if constexpr (THREADS == 1) {
		traceback(a, OneThread(), path);
	} else {
		Ahead ahead = {t.in, t.task.patternLength};
		traceback(a, ahead, path);
	}
	t.report(a, path.cigar, path.template failed<FREE>(t.writes));
}
