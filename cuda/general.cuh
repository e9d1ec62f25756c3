// The wavefronts of the general kernel, wfa_general: 32-bit offsets in global memory,
// any penalties, any length. One block aligns a pair; a thread computes four neighbouring
// diagonals at a time.
//
// A block is a worker with rowStride words of memory:
//
//	del ring, ins ring   e + 1 rows each, by score mod e + 1
//	M rows               scores only: a ring of lookback + 1 rows
//	                     else a segment: lookback rows before it, then its rows
//	checkpoints          lookback rows of M and both gap rings each
//	scratch              elements of the current alignment
//
// with lookback = max(x, o + e), and del and ins as in recurrence.cuh. A row has
// `width` cells, a multiple of 4, from the pair's lowest diagonal on.
//
// The range of diagonals of a score: gaps reach them within the score, and reach the end
// from them within the bound.
#pragma once
#include "penalties.cuh"
#include "recurrence.cuh"

struct General : Sequences {
	int x, o, e, lookback;
	int width, segmentRows;
	int end;             // diagonal of the end cell
	int lowest, highest; // diagonals that any score has
	int bound;
	int *del, *ins, *rows, *saved;
	int segment; // first score of the rows in memory

	// layOut sets the penalties and the layout of a worker's memory. It returns the
	// scratch.
	__device__ __forceinline__ u32 *layOut(const Params &a, int worker) {
		x = a.mismatch;
		o = a.gapOpen;
		e = a.gapExtend;
		lookback = max(x, o + e);
		width = a.width;
		segmentRows = a.segmentRows;
		const long long ring = (long long)(e + 1) * width;
		const long long mRows = segmentRows > 0 ? lookback + segmentRows : lookback + 1;
		del = (int *)a.rows + worker * a.rowStride;
		ins = del + ring;
		rows = ins + ring;
		saved = rows + mRows * width;
		return (u32 *)(saved + a.checkpoints * savedSize());
	}

	// take sets the pair and the score bound.
	__device__ __forceinline__ void take(const Task &p, int most) {
		text = p.text;
		pattern = p.pattern;
		textLength = p.textLength;
		patternLength = p.patternLength;
		end = p.textLength - p.patternLength;
		bound = most;
		segment = 0;
		setRange();
	}

	// setRange sets the range of diagonals of all scores: gaps reach a diagonal and then
	// the end's within the bound.
	__device__ __forceinline__ void setRange() {
		const int most = reach(bound, o, e);
		lowest = -min(patternLength, (most - end) / 2 + 1);
		highest = min(textLength, (most + end) / 2 + 1);
	}
	__device__ __forceinline__ int low(int s) const {
		return s < 0 ? 1 : max(max(-reach(s, o, e), lowest), end - (bound - s) / e);
	}
	__device__ __forceinline__ int high(int s) const {
		return s < 0 ? 0 : min(min(reach(s, o, e), highest), end + (bound - s) / e);
	}

	// mRow returns the M row of score s, indexed by diagonal.
	__device__ __forceinline__ int *mRow(int s) const {
		const int r = segmentRows > 0 ? s - segment + lookback : s % (lookback + 1);
		return rows + (long long)r * width - lowest;
	}
	__device__ __forceinline__ int *gapRow(int *ring, int s) const {
		return ring + (long long)(s % (e + 1)) * width - lowest;
	}

	// Row is the row of a score, indexed by diagonal, with the range that it was computed
	// for, which is empty for scores below 0. Its address is valid even then: with null
	// pointers, nvcc 13.0 generates code that reads nulls from valid rows.
	struct Row {
		int *cell;
		int low, high;
		__device__ __forceinline__ int get(int k) const {
			int h = nullOffset;
			if (k >= low && k <= high) h = cell[k];
			return h;
		}
		__device__ __forceinline__ bool holds(int from, int to) const { return from >= low && to <= high; }
	};
	__device__ __forceinline__ Row m(int s) const { return {mRow(max(s, 0)), low(s), high(s)}; }
	__device__ __forceinline__ Row gap(int *ring, int s) const { return {gapRow(ring, max(s, 0)), low(s), high(s)}; }

	__device__ __forceinline__ Cell cell(int k, int mismatched, int deleted, int inserted, int opened) const {
		return Sequences::cell(k, min(textLength, patternLength + k), mismatched, opened, o == 0, deleted, inserted);
	}

	// row computes the rows of score s > 0 and reports whether this thread has reached
	// the end cell.
	__device__ bool row(int s) const {
		const int lo = low(s), hi = high(s);
		const Row mx = m(s - x), mo = m(o == 0 ? -1 : s - o), de = gap(del, s - e), in = gap(ins, s - e);
		int *mTo = mRow(s), *dTo = gapRow(del, s), *iTo = gapRow(ins, s);
		// Groups of four begin at multiples of four from the lowest diagonal.
		const int first = lowest + ((lo - lowest) & ~3);
		bool ended = false;
		for (int k = first + 4 * (int)threadIdx.x; k <= hi; k += 4 * blockDim.x) {
			Cell c[4];
			if (k >= lo && k + 3 <= hi && mx.holds(k, k + 3) && (o == 0 || mo.holds(k, k + 3)) &&
			    de.holds(k - 1, k + 3) && in.holds(k, k + 4)) {
				const int4 x4 = *(const int4 *)(mx.cell + k), d4 = *(const int4 *)(de.cell + k),
				           i4 = *(const int4 *)(in.cell + k);
				const int4 o4 = o == 0 ? x4 : *(const int4 *)(mo.cell + k);
				const int before = de.cell[k - 1], after = in.cell[k + 4];
				c[0] = cell(k, x4.x, before, i4.y, o4.x);
				c[1] = cell(k + 1, x4.y, d4.x, i4.z, o4.y);
				c[2] = cell(k + 2, x4.z, d4.y, i4.w, o4.z);
				c[3] = cell(k + 3, x4.w, d4.z, after, o4.w);
			} else {
#pragma unroll 1
				for (int q = 0; q < 4; q++) {
					const int j = k + q;
					c[q] = cell(j, mx.get(j), de.get(j - 1), in.get(j + 1), mo.get(j));
				}
			}
			if (end >= k && end < k + 4 && end >= lo && end <= hi) {
				const int q = end - k;
				const int h = q == 0 ? c[0].m : q == 1 ? c[1].m : q == 2 ? c[2].m : c[3].m;
				ended = h >= textLength;
			}
			*(int4 *)(mTo + k) = make_int4(c[0].m, c[1].m, c[2].m, c[3].m);
			*(int4 *)(dTo + k) = make_int4(c[0].del, c[1].del, c[2].del, c[3].del);
			*(int4 *)(iTo + k) = make_int4(c[0].ins, c[1].ins, c[2].ins, c[3].ins);
		}
		return ended;
	}

	// first writes the rows of score 0: only the origin is not null.
	__device__ bool first() const {
		bool ended = false;
		if (threadIdx.x == 0) {
			const int h = extend(0, 0);
			mRow(0)[0] = h;
			gapRow(del, 0)[0] = gapRow(ins, 0)[0] = o == 0 ? h : nullOffset;
			ended = end == 0 && h == textLength;
		}
		return ended;
	}

	__device__ __forceinline__ long long savedSize() const { return (long long)(lookback + 2 * (e + 1)) * width; }

	__device__ void copy(int *to, const int *from, long long n) const {
		for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
	}

	// save saves checkpoint number `at`, from which scores s and later are recomputed: the
	// lookback rows before s and the gap rings.
	__device__ void save(int at, int s) const {
		int *to = saved + at * savedSize();
		const long long m = (long long)lookback * width, g = (long long)(e + 1) * width;
		copy(to, rows + (long long)(s - segment) * width, m);
		copy(to + m, del, g);
		copy(to + m + g, ins, g);
	}

	// load restores a checkpoint of save.
	__device__ void load(int at) const {
		const int *from = saved + at * savedSize();
		const long long m = (long long)lookback * width, g = (long long)(e + 1) * width;
		copy(rows, from, m);
		copy(del, from + m, g);
		copy(ins, from + m + g, g);
	}
};
