// The pair and the stripe of a group of lanes, and what it exchanges with others: see span.cuh.
#pragma once
#include "rowstore.cuh"
#include "spangroup.cuh"
#include "stop.cuh"

// SpanState is what the stripes of a pair share, ahead of the counts of rows that each has
// finished.
struct SpanState {
	int worth, row, column, reserved; // the best end so far
};
static constexpr int spanStateWords = 4;

template <int LANES, int COLUMNS, int GAPS, bool BEST, int BITS> struct SpanStripe : SpanCells<COLUMNS, GAPS, BEST> {
	typedef SpanCells<COLUMNS, GAPS, BEST> Cells;
	static constexpr int strips = 2 * LANES, width = strips * COLUMNS;
	static constexpr bool striped = LANES == 32;
	typedef RowStore<COLUMNS, BITS, LANES> Store;
	static constexpr int edge = GAPS == gaps_two ? 2 : 1; // words of a row of an edge
	static constexpr int fed = 2 * spanChunk;             // rows of the ring of what comes from the left
	static constexpr int pad = (strips + 31) & ~15;       // rows before and after those of the pattern
	// Words of a ring. Those of the groups of a warp begin in banks of shared memory 4 apart.
	static constexpr int ringWords = fed * edge + (striped ? 0 : 4);
	using Cells::best;
	using Cells::eLast;
	using Cells::f;
	using Cells::floor;
	using Cells::g;
	using Cells::h;
	using Cells::hBefore;
	using Cells::hLast;
	using Cells::longLast;

	const Params &a;
	int lane, in, left; // the lane in the warp, in the group, and the one to its left
	u32 *ring, *sent;   // of the group, in shared memory: what comes from the left, and what the last column has
	const u32 *feed;    // of the next row
	u32 *send;
	const u16 *letter;
	u32 next; // selectors of the next row
	Store store;
	bool live, stores;

	Task pair;
	SpanBorder border;
	int at, stripe;
	bool last;   // stripe of its pair
	int shifted; // what stored values are more than values
	bool due;    // the ring is to be written anew
	bool flat;   // all rows but the first begin with the same values
	u32 *memory;
	// The best row of each strip: its value, and its step.
	int value0, value1, row0, row1;
	SpanEnd column; // best end in the last column

	__device__ __forceinline__ SpanStripe(const Params &params, u32 *rings, u32 *sends) : Cells(params), a(params) {
		lane = threadIdx.x & 31;
		in = lane & (LANES - 1);
		left = (lane & ~(LANES - 1)) | ((lane - 1) & (LANES - 1));
		ring = rings + lane / LANES * ringWords;
		sent = send = sends;
		feed = ring;
		live = stores = last = flat = false;
		at = stripe = shifted = 0;
		due = false;
		memory = a.rows;
		store.begin(a.rows, in);
		letter = (const u16 *)a.rows;
		next = 0;
		pair = {nullptr, nullptr, 0, 0, 0, 0};
		value0 = value1 = row0 = row1 = 0;
		column = {noWorth, 0, 0};
	}

	// State of the pair, and of the rows that a stripe of it has finished.
	__device__ __forceinline__ u32 *state() const { return a.rows + (u64)at * a.stateWords; }
	__device__ __forceinline__ volatile int *finished(int of) const {
		return (volatile int *)state() + spanStateWords + of;
	}
	__device__ __forceinline__ u32 *edges() const { return memory + a.letterWords; }
	__device__ __forceinline__ int *bases() const {
		return (int *)memory + a.letterWords + a.edgeWords - (pair.patternLength + spanChunk - 1) / spanChunk;
	}

	// take takes the next pair or stripe. It reports false if the warp has none.
	__device__ __forceinline__ bool take() {
		if constexpr (striped) {
			for (;;) {
				u32 number = 0;
				if (lane == 0) number = atomicAdd(a.next, 1u);
				number = __shfl_sync(~0u, number, 0);
				stripe = (int)(number / (u32)a.count);
				at = (int)(number - (u32)stripe * (u32)a.count);
				if (stripe >= a.stripes) return false;
				pair = a.tasks[at];
				if ((u32)stripe * width < (u32)pair.textLength) break;
			}
			live = true;
		} else {
			u32 number = 0;
			if (in == 0) number = atomicAdd(a.next, 1u);
			at = (int)__shfl_sync(~0u, number, lane & ~(LANES - 1));
			live = at < a.count;
			if (!__any_sync(~0u, live)) return false;
			stripe = 0;
		}
		if (live) start();
		stores = live;
		return true;
	}

	// topWord returns the values of row 0 in column j of the even strip, and of the odd one.
	__device__ __forceinline__ u32 topWord(int j) const {
		return __byte_perm((u32)(border.top(j) + shifted), (u32)(border.top(j + COLUMNS) + shifted), 0x5410);
	}

	__device__ __forceinline__ void start() {
		pair = a.tasks[at];
		border = SpanBorder(a);
		memory = a.rows + (u64)a.count * a.stateWords + (u64)at * a.rowStride;
		const int first = stripe * width, end = min(first + width, pair.textLength);
		last = end == pair.textLength;
		flat = stripe == 0 && GAPS != gaps_two && (border.floored || (border.patternBegin == 0 && border.extend == 0));
		due = true;
		shifted = (spanLeast - min(border.top(first), border.top(first + width))) & ~255;
		this->load(a, pair, first + 2 * in * COLUMNS, false);
		this->load(a, pair, first + (2 * in + 1) * COLUMNS, true);
		const int from = first + 2 * in * COLUMNS;
		// Along most of the border values change by the same number from column to column.
		const int free = border.textBegin;
		const bool even = from + 2 * COLUMNS <= free || (free <= from && GAPS != gaps_two);
		const u32 top = topWord(from + 1), by = (u32)(free <= from ? -border.extend : border.slope) * 0x10001u;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 w = even ? top + (u32)c * by : topWord(from + c + 1);
			if constexpr (GAPS == gaps_linear)
				h[c] = BEST ? w + this->opened : w;
			else {
				h[c] = w;
				f[c] = w + this->opened;
			}
			if constexpr (GAPS == gaps_two) g[c] = w + this->openedLong;
		}
		hLast = h[COLUMNS - 1];
		eLast = longLast = hLast;
		hBefore = topWord(from);
		if constexpr (GAPS == gaps_linear && BEST) hBefore += this->opened;
		floor = floorWord();
		value0 = value1 = row0 = row1 = 0;
		best = bestWord();
		column = {noWorth, 0, 0};
		if (stripe == 0) spreadSelectors((uint4 *)((u16 *)memory + pad), pair, in, LANES);
		letter = (const u16 *)memory + pad - 2 * in;
		store.begin(
		    edges() + a.edgeWords + (u64)stripe * storedRows(pair.patternLength + strips) * LANES * Store::words, in);
	}

	// Values without a floor, and greatest values that are out of the range of halves, are at
	// its ends.
	__device__ __forceinline__ u32 floorWord() const { return border.floored ? (u32)max(shifted, 0) * 0x10001u : 0; }
	__device__ __forceinline__ u32 bestWord() const {
		const int more = shifted - (GAPS == gaps_linear ? a.cellExtend : 0);
		return (u32)min(max(value0 + more, 0), 0xffff) | (u32)min(max(value1 + more, 0), 0xffff) << 16;
	}
	// noteBest keeps the greatest values as they are without a shift.
	__device__ __forceinline__ void noteBest() {
		const u32 kept = bestWord();
		const int more = shifted - (GAPS == gaps_linear ? a.cellExtend : 0);
		if ((kept ^ best) & 0xffffu) value0 = (int)(best & 0xffffu) - more;
		if ((kept ^ best) >> 16) value1 = (int)(best >> 16) - more;
	}

	// feedRow writes what comes from the left of row i, unless it is outside the matrix.
	__device__ __forceinline__ void feedRow(int i) {
		if (i < 1 || i > pair.patternLength) return;
		u32 *to = ring + (i & (fed - 1)) * edge;
		if (striped && stripe > 0) {
			const u32 by = (u32)(shifted - __ldcg(bases() + ((i - 1) >> 6))) * 0x10001u;
			const u32 *from = edges() + (u64)(i - 1) * edge;
			to[0] = __ldcg(from) + by;
			if constexpr (edge == 2) to[1] = __ldcg(from + 1) + by;
			return;
		}
		to[0] = leftWord(i);
		if constexpr (edge == 2) to[1] = (u32)(border.left(i) + shifted - a.cellOpenLong - a.cellExtendLong) & 0xffffu;
	}

	// leftWord returns H and E at the left border of row i.
	__device__ __forceinline__ u32 leftWord(int i) const {
		const u32 v = (u32)(border.left(i) + shifted);
		if constexpr (GAPS == gaps_linear) return (v - (BEST ? (u32)a.cellExtend : 0)) << 16;
		return v << 16 | (v - (u32)(a.cellOpen + a.cellExtend));
	}

	// feedAll writes all rows if they are the same.
	__device__ __forceinline__ void feedAll() {
		const u32 v = leftWord(1);
		for (int k = in; k < fed / 4; k += LANES) ((uint4 *)ring)[k] = make_uint4(v, v, v, v);
	}

	// wait waits until the stripe to the left has finished a row. It reports false if the
	// launch is stopped.
	__device__ __forceinline__ bool wait(int row) const {
		if (stripe == 0) return true;
		int end = 0;
		if (lane == 0) {
			for (u32 pause = 20, looks = 0; *finished(stripe - 1) < row; pause = min(2 * pause, 500u), looks++) {
				__nanosleep(pause);
				if (looks % 256 == 255 && stopped(a)) {
					end = 1;
					break;
				}
			}
			__threadfence();
		}
		return !__any_sync(~0u, end);
	}

	// flush publishes rows of the last column: of the steps from `from` to before `until`.
	__device__ __forceinline__ void flush(int from, int until) {
		for (int k = lane; k < spanChunk; k += 32) {
			const int i = from + k - strips + 1;
			if (from + k >= until || i < 1 || i > pair.patternLength) continue;
			u32 *to = edges() + (u64)(i - 1) * edge;
#pragma unroll
			for (int w = 0; w < edge; w++) to[w] = sent[k * edge + w];
			if (((i - 1) & (spanChunk - 1)) == 0) bases()[(i - 1) >> 6] = shifted;
		}
	}
	__device__ __forceinline__ void publish(int rows) {
		__threadfence();
		__syncwarp();
		if (lane == 0) *finished(stripe) = rows;
	}

	// shiftAll brings the least value near spanLeast. The low bits that are stored stay.
	__device__ __forceinline__ void shiftAll() {
		int low = this->least();
#pragma unroll
		for (int d = 1; d < LANES; d *= 2) low = min(low, __shfl_xor_sync(~0u, low, d));
		const int by = (spanLeast - low) & ~255;
		if (by == 0 || !live) return;
		if constexpr (BEST) noteBest();
		shifted += by;
		this->shift(by);
		floor = floorWord();
		best = bestWord();
		due = true;
	}
};
