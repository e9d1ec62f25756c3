// Traceback over the low bits of the cells that span.cuh has stored, from the end cell to the
// begin, by the rule of package align. A thread traces a pair back, or the first thread of a
// warp while the others fetch what lies ahead into the cache.
//
// The values of neighbouring cells differ by little, so their low bits tell the value of a cell
// from that of its neighbour: from a cell to the one above it or to its left, the value falls by
// at most a gap of one letter and a match, and rises by at most the gap. A mismatch leads from a
// cell that is less than what it would have to be by at most the difference of match and
// mismatch.
//
// Two elements come before an alignment in Params::cigars: the positions at which it begins in
// the pattern and in the text.
//
// Shared memory: none. Limits: those of span.cuh.
#pragma once
#include "divisor.cuh"
#include "match.cuh"
#include "rowstore.cuh"
#include "spancells.cuh"
#include "tracetask.cuh"

// SpanPath is the path of a pair, BITS stored of each cell.
template <int BITS> struct SpanPath {
	static constexpr int mask = (1 << BITS) - 1;
	const Params &a;
	const SpanBorder border;
	const u32 *text, *pattern;
	const u8 *stored;
	CigarWriter cigar;
	int lanes, columns, lineWords, lines;
	Divisor perColumn, perStripe;
	int less;  // stored values are that much less
	int first; // what a gap of one letter subtracts
	int i, j, value;
	int textLength;
	bool wrong;

	template <class TASK>
	__device__ __forceinline__ SpanPath(const Params &params, const TASK &t)
	    : a(params), border(params), text(t.task.text), pattern(t.task.pattern), cigar(t.writer()) {
		stored = (const u8 *)(t.rows + (u64)a.count * a.stateWords + a.letterWords + a.edgeWords);
		lanes = a.pairThreads;
		columns = a.pairWords;
		lineWords = columns * BITS / 16;
		lines = storedRows(t.task.patternLength + 2 * lanes);
		perColumn = Divisor(columns);
		perStripe = Divisor(2 * lanes);
		less = a.anywhere && a.cellOpen == 0 && a.cellOpenLong == 0 ? a.cellExtend : 0;
		first = border.gap(1);
		textLength = t.task.textLength;
		wrong = false;
	}

	// Cell is the place of a cell inside the matrix.
	struct Cell {
		const u8 *at;
		bool high; // its bits are the upper ones of the byte
	};
	__device__ __forceinline__ Cell cell(int i, int j) const {
		const int b = perColumn.into(j - 1), c = j - 1 - b * columns;
		const int stripe = perStripe.into(b), in = b - 2 * lanes * stripe;
		const int w = BITS == 4 ? c >> 2 : c >> 1;
		const u64 word = storedWord((u64)stripe * lines + (u64)(i + in), lineWords, w, in >> 1, lanes);
		return {stored + word * 4 + (c & 1) * 2 + (in & 1), BITS == 4 && (c & 2) != 0};
	}

	// low returns the low bits of the value of a cell.
	__device__ __forceinline__ int low(int i, int j) const {
		if (j == 0) return border.left(i) & mask;
		if (i == 0) return border.top(j) & mask;
		const Cell at = cell(i, j);
		return ((*at.at >> (at.high ? 4 : 0)) + less) & mask;
	}

	// fetch brings the cells near column j of row i into the cache, in the matrix or not.
	__device__ __forceinline__ void fetch(int i, int j) const {
		constexpr int near = BITS == 4 ? 4 : 2; // columns of a word
		if (i <= 0) return;
		for (int c = j - near; c <= j + near; c += near)
			if (c > 0 && c <= textLength) prefetch(cell(i, c).at);
	}
	// before returns the value of a cell that is above or to the left of one of value v.
	__device__ __forceinline__ int before(int i, int j, int v) const {
		const int most = first + a.cellMatch;
		return v + (((low(i, j) - v + most) & mask) - most);
	}

	// begin sets the end cell. Its column is a strip's, the first that has the greatest value, if
	// alignments end anywhere.
	__device__ __forceinline__ void begin(const Result &r, int letters) {
		const int worth = a.freeLetter * letters - r.score;
		i = (int)r.cigar;
		j = (int)r.cigarLength;
		value = (worth + (a.potential - a.freeLetter) * (i + j)) / a.cellScale;
		if (!a.anywhere) return;
		value = worth / a.cellScale;
		if (value == 0) {
			i = j = 0;
			return;
		}
		int v = 0, most = 0;
		const int from = j * columns + 1;
		j = from;
		for (int k = from + 1; k < from + columns; k++) {
			v += ((low(i, k) - low(i, k - 1) + first) & mask) - first;
			if (v > most) {
				most = v;
				j = k;
			}
		}
	}

	// begins reports whether an optimal alignment may begin here.
	__device__ __forceinline__ bool begins() const {
		if (border.floored) return value == 0;
		if (i == 0) return j == 0 || (j <= border.textBegin && value == j * border.slope);
		return j == 0 && i <= border.patternBegin && value == i * border.slope;
	}

	// step goes back by one element, or by all matches. It reports false at the begin.
	__device__ __forceinline__ bool step() {
		const int n = i > 0 && j > 0 ? matchesBefore(text, pattern, j, i) : 0;
		cigar.add(opMatch, n);
		i -= n;
		j -= n;
		value -= n * a.cellMatch;
		if (begins()) {
			wrong = value != 0 && i == 0 && j == 0;
			return false;
		}
		if (i > 0 && j > 0 && ((low(i - 1, j - 1) - (value - a.cellMismatch)) & mask) == 0) {
			cigar.add(opMismatch, 1);
			i--;
			j--;
			value -= a.cellMismatch;
			return true;
		}
		int up = value, left = value;
		for (int l = 1;; l++) {
			const int from = value + border.gap(l);
			if (l <= i && (up = before(i - l, j, up)) == from) {
				cigar.add(opIns, l);
				i -= l;
				value = from;
				return true;
			}
			if (l <= j && (left = before(i, j - l, left)) == from) {
				cigar.add(opDel, l);
				j -= l;
				value = from;
				return true;
			}
			if (l > i && l > j) {
				wrong = true;
				return false;
			}
		}
	}
};

// spanRoom returns the largest number of elements of an alignment with a score, and of the
// positions before it.
__device__ __forceinline__ int spanRoom(const Params &a, int score) { return 2 * (score / a.cheapestRun) + 3; }

template <int BITS, int THREADS> __device__ __forceinline__ void traceSpan(const Params &a) {
	const TraceTask<THREADS> t(a, spanRoom);
	SpanPath<BITS> p(a, t);
	bool on = t.on;
	p.i = p.j = p.value = 0;
	if (on) {
		p.begin(*t.result, t.task.patternLength + t.task.textLength);
	}
	if constexpr (THREADS == 1) {
		while (on) on = p.step();
	} else {
		// The first thread walks, the others fetch a row each of those ahead, along the diagonal.
		constexpr int distance = 32;
		int fetched = __shfl_sync(~0u, p.i, 0);
		on = on && t.in == 0;
		while (__any_sync(~0u, on)) {
			const int i = __shfl_sync(~0u, p.i, 0), j = __shfl_sync(~0u, p.j, 0);
			for (; fetched > 0 && i - fetched < distance; fetched -= 32) {
				const int row = min(fetched, i) - 1 - t.in;
				p.fetch(row, j - (i - row));
			}
			if (on) on = p.step();
		}
	}
	if (t.writes && (p.cigar.flush(), p.cigar.at - p.cigar.room >= 2)) {
		*--p.cigar.at = (u32)p.j;
		*--p.cigar.at = (u32)p.i;
	} else {
		p.cigar.full = true;
	}
	t.report(a, p.cigar, p.wrong);
}
