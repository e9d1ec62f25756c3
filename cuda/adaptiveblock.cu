// Adaptive band in memory, for all penalties, lengths and bands. adaptive.cuh has
// the rule. One block aligns a pair; a thread computes every blockDim-th diagonal.
//
// Later scores read rings of rows of 32-bit offsets:
//
//	M rows               max(x, o), by score
//	del ring, ins ring   e + 1 rows each, the sources of gaps
//
// A row has one place more than the band has diagonals. Diagonal k is at place
// (k - origin) mod places while it is in the band. The spare place is null, so that no
// gap enters from beyond the band's ends.
//
// Shared memory: the rings if they fit, otherwise they are in global memory at
// Params::ring; 272 static bytes.
//
// Limits: bands of less than 2^31 / (max(x, o) + 2e + 2) diagonals.
#include "adaptive.cuh"
#include "lookahead.cuh"
#include "recurrence.cuh"
#include "stop.cuh"

struct MemoryBand : AdaptiveBand<u64> {
	int x, o, e, mRows, gapRows;
	int places;
	int *m, *del, *ins; // the rings
	Sequences pair;
	int base;      // place of the band's lowest diagonal
	int now, gaps; // rows of the rings: M of the last score, the sources of its gaps

	__device__ __forceinline__ void layOut(const Params &a) {
		configure(a);
		x = a.mismatch;
		o = a.gapOpen;
		e = a.gapExtend;
		mRows = max(x, o);
		gapRows = e + 1;
		places = band + 1;
		m = a.ring == nullptr ? (int *)sharedMemory : (int *)a.ring + (u64)blockIdx.x * words();
		del = m + mRows * places;
		ins = del + gapRows * places;
	}

	__device__ __forceinline__ int place(int i) const { return base + i < places ? base + i : base + i - places; }
	__device__ __forceinline__ int last(int k) const {
		return k < -patternLength || k > textLength ? nullOffset : min(textLength, patternLength + k);
	}
	__device__ __forceinline__ int words() const { return (mRows + 2 * gapRows) * places; }
	static __device__ __forceinline__ int back(int row, int by, int rows) {
		return row < by ? row - by + rows : row - by;
	}

	// start computes score 0 and stores its M row at row, unless that is null. It reports
	// whether this thread has reached the end cell.
	__device__ bool start(const Task &p, int *row) {
		begin(p);
		pair = {p.text, p.pattern, p.textLength, p.patternLength};
		base = now = gaps = 0;
		for (int i = threadIdx.x; i < words(); i += blockDim.x) m[i] = nullOffset;
		__syncthreads();
		bool ended = false;
		for (int i = threadIdx.x; i < band; i += blockDim.x) {
			int h = nullOffset;
			if (first + i == 0) {
				m[i] = h = pair.extend(0, 0);
				if (o == 0) del[e * places + i] = ins[e * places + i] = h;
				ended = end == 0 && h == textLength;
			}
			if (row != nullptr) row[i] = h;
		}
		return ended;
	}

	// step computes the next score like start. All threads must have finished the
	// previous one.
	__device__ bool step(int *row) {
		now = now + 1 == mRows ? 0 : now + 1;
		gaps = gaps + 1 == gapRows ? 0 : gaps + 1;
		// The row of x or o scores back may be the one that is written: each thread
		// reads its own place first.
		const int *mx = m + back(now, x, mRows) * places, *mo = m + back(now, o, mRows) * places;
		const int *d = del + gaps * places, *i = ins + gaps * places;
		const int to = back(gaps, 1, gapRows) * places; // e scores from now, mod e + 1
		bool ended = false;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int p = place(q), k = first + q;
			const int deleted = d[p == 0 ? places - 1 : p - 1], inserted = i[p + 1 == places ? 0 : p + 1];
			const Cell c = pair.cell(k, last(k), mx[p], o == 0 ? 0 : mo[p], o == 0, deleted, inserted);
			m[now * places + p] = c.m;
			del[to + p] = c.del;
			ins[to + p] = c.ins;
			if (row != nullptr) row[q] = c.m;
			if (k == end) ended = c.m >= textLength;
		}
		return ended;
	}

	// dropEnds drops cells at the end of their diagonal if the end cell's diagonal is not
	// in the band. A thread has the same places as in step.
	__device__ void dropEnds() {
		if (holdsEnd()) return;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int p = place(q), edge = last(first + q);
			for (int at = p; at < words(); at += places)
				if (m[at] >= edge) m[at] = nullOffset;
		}
	}

	// nearest returns the key of the cell of the last M row that is nearest to the end.
	// scratch is shared memory, one value per warp.
	__device__ u64 nearest(u64 *scratch) const {
		u64 best = absent;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int h = m[now * places + place(q)];
			if (h >= 0) best = min(best, key(h, first + q));
		}
#pragma unroll
		for (int i = 16; i > 0; i >>= 1) {
			const u32 upper = __shfl_xor_sync(~0u, (int)(best >> 32), i), lower = __shfl_xor_sync(~0u, (int)best, i);
			best = min(best, (u64)upper << 32 | lower);
		}
		if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = best;
		__syncthreads();
		for (u32 i = 0; i < blockDim.x >> 5; i++) best = min(best, scratch[i]);
		return best;
	}

	// move moves the band by some diagonals and drops the cells that leave it.
	__device__ void move(int by) {
		for (int q = threadIdx.x; q < places; q += blockDim.x) {
			if (q < band && q >= by && q - by < band) continue; // stays
			for (int at = place(q); at < words(); at += places) m[at] = nullOffset;
		}
		first += by;
		base = (base + by) % places;
		if (base < 0) base += places;
	}

	// empty reports whether all cells of the rings are null.
	__device__ bool empty() const {
		int any = 0;
		for (int at = threadIdx.x; at < words(); at += blockDim.x) any |= m[at] >= 0;
		return !__syncthreads_or(any);
	}

	// follow moves the band towards the cell that is nearest to the end. It returns
	// flagLost, flagDrifted (drifted or stalled), or 0.
	__device__ u32 follow(u64 *scratch) {
		dropEnds();
		const u64 best = nearest(scratch);
		const int off = drift(best);
		if (abs(off) > maxDrift || stalled(best, x)) return flagDrifted;
		const int by = shift(off);
		if (by != 0) {
			move(by);
			__syncthreads(); // threads have other places from here on
			dropEnds();
		}
		__syncthreads();
		return best == absent && empty() ? (u32)flagLost : 0u;
	}
};

template <bool ROWS> __device__ __forceinline__ void alignAdaptiveBlock(const Params &a) {
	__shared__ int taken;
	__shared__ u64 scratch[32];
	MemoryBand b;
	b.layOut(a);

	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) taken = (int)atomicAdd(a.next, 1u);
		__syncthreads();
		const int at = taken;
		if (at >= a.count) return;
		const Task p = a.tasks[at];
		int *starts = nullptr, *row = nullptr;
		if (ROWS) {
			starts = (int *)a.rows + (u64)at * a.rowStride;
			row = starts + a.bandStarts;
		}
		bool found = __syncthreads_or(b.start(p, row));
		if (ROWS && threadIdx.x == 0) *starts = b.first;
		int s = 0;
		u32 flags = 0;
		while (!found && flags == 0 && s < p.bound) {
			s++;
			if (blockStops(a, s)) return;
			if (ROWS) row += b.band;
			found = __syncthreads_or(b.step(row));
			if (found || s != b.next) continue;
			flags = b.follow(scratch);
			b.moved();
			if (ROWS) {
				starts++;
				if (threadIdx.x == 0) *starts = b.first;
			}
		}
		if (threadIdx.x == 0) {
			if (found && b.doubtful) flags = flagDoubtful;
			a.results[at] = {found ? s : -1, 0, 0, flags};
		}
	}
}

extern "C" __global__ void __launch_bounds__(512) wfa_adaptive_block_score(const __grid_constant__ Params a) {
	alignAdaptiveBlock<false>(a);
}
extern "C" __global__ void __launch_bounds__(512) wfa_adaptive_block_rows(const __grid_constant__ Params a) {
	alignAdaptiveBlock<true>(a);
}
