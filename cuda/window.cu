// Approximate mode for any penalties, any length and any band: one block has a
// pair, and a thread some diagonals of the window. The rule is that of
// align/approxfront.go; approx.cuh is the same for the pairs that fit a warp's
// registers.
//
// What later scores read is held in rings of rows of 32-bit offsets, in shared
// memory where there is enough, else in global memory that the caller sets aside:
//
//	M rows               max(x, o), by score
//	del ring, ins ring   e + 1 rows each, what the gaps of a score come from
//
// A row has a place for each diagonal of the window, and one more. Diagonal k is
// at place (k - origin) mod places, so that it stays where it is as long as the
// window holds it; the place that is left over is empty, so that nothing comes in
// from beyond the window's ends.
#include "lookahead.cuh"
#include "match.cuh"

struct WideWindow {
	int x, o, e, mRows, gapRows;
	int band, places;
	int *m, *del, *ins; // the rings
	const u32 *text, *pattern;
	int textLength, patternLength;
	int end;         // diagonal of the end cell
	int first, base; // the window's lowest diagonal, its place
	int now, gaps;   // rows of the rings: M of the last score, what the gaps of it came from
	long long lambda;
	int stray, pace, looks, mark, most; // as in approx.cuh

	__device__ __forceinline__ int place(int i) const { return base + i < places ? base + i : base + i - places; }
	__device__ __forceinline__ int last(int k) const {
		return k < -patternLength || k > textLength ? nothing : min(textLength, patternLength + k);
	}
	__device__ __forceinline__ bool holdsEnd() const { return (u32)(end - first) < (u32)band; }
	__device__ __forceinline__ int extend(int h, int k) const {
		if (h < 0) return h;
		return h + matchesFrom(text, pattern, h, h - k, min(textLength - h, patternLength - h + k));
	}
	__device__ __forceinline__ int words() const { return (mRows + 2 * gapRows) * places; }
	static __device__ __forceinline__ int back(int row, int by, int rows) { return row < by ? row - by + rows : row - by; }

	// begin computes score 0, of which it stores row's cells unless that is null,
	// and reports whether this thread found the end cell reached.
	__device__ bool begin(const Pair &p, int *row) {
		patternLength = p.patternLength;
		textLength = p.textLength;
		end = textLength - patternLength;
		first = -(band / 2);
		base = now = gaps = looks = most = 0;
		mark = max(patternLength, textLength);
		for (int i = threadIdx.x; i < words(); i += blockDim.x) m[i] = nothing;
		__syncthreads();
		bool ended = false;
		for (int i = threadIdx.x; i < band; i += blockDim.x) {
			int h = nothing;
			if (first + i == 0) {
				m[i] = h = extend(0, 0);
				if (o == 0) del[e * places + i] = ins[e * places + i] = h;
				ended = end == 0 && h == textLength;
			}
			if (row != nullptr) row[i] = h;
		}
		return ended;
	}

	// step computes the next score like begin. All threads must have finished the
	// one before.
	__device__ bool step(int *row) {
		now = now + 1 == mRows ? 0 : now + 1;
		gaps = gaps + 1 == gapRows ? 0 : gaps + 1;
		// Rows x and o scores back may be the one that is written: each thread
		// reads its own place of it first.
		const int *mx = m + back(now, x, mRows) * places, *mo = m + back(now, o, mRows) * places;
		const int *d = del + gaps * places, *i = ins + gaps * places;
		const int to = back(gaps, 1, gapRows) * places; // e scores from now, mod e + 1
		bool ended = false;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int p = place(q), k = first + q, edge = last(k);
			const int deleted = min(d[p == 0 ? places - 1 : p - 1] + 1, edge);
			const int inserted = min(i[p + 1 == places ? 0 : p + 1], edge);
			const int c = extend(min(max(mx[p] + 1, max(deleted, inserted)), edge), k);
			const int opened = o == 0 ? c : mo[p];
			m[now * places + p] = c;
			del[to + p] = max(opened, deleted);
			ins[to + p] = max(opened, inserted);
			if (row != nullptr) row[q] = c;
			if (k == end) ended = c >= textLength;
		}
		return ended;
	}

	// dropEdge drops cells on the matrix's edge if the end cell's diagonal is
	// outside the window. Threads have the places that step gives them.
	__device__ void dropEdge() {
		if (holdsEnd()) return;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int p = place(q), edge = last(first + q);
			for (int at = p; at < words(); at += places)
				if (m[at] >= edge) m[at] = nothing;
		}
	}

	// closest finds the cell of the last M row that is closest to the end, for
	// this thread's places. Its distance is in the upper half of what it returns,
	// aside how far its diagonal is from the end's, doubled, and 1 if above it.
	static constexpr u64 absent = ~0ull;
	__device__ u64 closest() const {
		u64 best = absent;
		for (int q = threadIdx.x; q < band; q += blockDim.x) {
			const int k = first + q, h = m[now * places + place(q)];
			if (h < 0) continue;
			const u32 to = (u32)max(patternLength - (h - k), textLength - h);
			best = min(best, (u64)to << 32 | (u32)abs(k - end) << 1 | (k > end ? 1u : 0u));
		}
		return best;
	}

	// dawdles tests the pace, when it is time for it.
	__device__ bool dawdles(u64 best) {
		if (++looks != pace) return false;
		looks = 0;
		if (best == absent) return false;
		const int nearest = (int)(best >> 32), by = mark - nearest;
		const bool slow = 2ll * by < most || 2ll * x * by < 5 * pace * lambda;
		mark = nearest;
		most = max(most, by);
		return slow;
	}

	// move moves the window by some diagonals, and drops what it leaves.
	__device__ void move(int by) {
		for (int q = threadIdx.x; q < places; q += blockDim.x) {
			if (q < band && q >= by && q - by < band) continue; // stays
			for (int at = place(q); at < words(); at += places) m[at] = nothing;
		}
		first += by;
		base = (base + by) % places;
		if (base < 0) base += places;
	}

	// empty reports whether no cell is held.
	__device__ bool empty() const {
		int any = 0;
		for (int at = threadIdx.x; at < words(); at += blockDim.x) any |= m[at] >= 0;
		return !__syncthreads_or(any);
	}

	// follow looks where the closest cell is and moves the window. It returns
	// flagLost if no cell is left, flagStrayed if that is too far off or the pair
	// does not get on, or 0. scratch is shared memory, a value for each warp.
	__device__ u32 follow(u64 *scratch) {
		dropEdge();
		u64 best = closest();
#pragma unroll
		for (int i = 16; i > 0; i >>= 1) {
			const u32 upper = __shfl_xor_sync(~0u, (int)(best >> 32), i), lower = __shfl_xor_sync(~0u, (int)best, i);
			best = min(best, (u64)upper << 32 | lower);
		}
		if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = best;
		__syncthreads();
		for (u32 i = 0; i < blockDim.x >> 5; i++) best = min(best, scratch[i]);
		const int away = (int)((u32)best >> 1), k = best & 1 ? end + away : end - away;
		const int off = best == absent ? 0 : k - (first + band / 2);
		if (abs(off) > stray || dawdles(best)) return flagStrayed;
		const long long share = 3ll * band;
		const int size = (int)min((long long)abs(off), (4 * lambda * abs(off) + share - 1) / share);
		if (size > 0) {
			move(off < 0 ? -size : size);
			__syncthreads(); // places change hands
			dropEdge();
		}
		__syncthreads();
		return best == absent && empty() ? (u32)flagLost : 0u;
	}
};

template <bool ROWS> __device__ __forceinline__ void alignWindow(const Params &a) {
	__shared__ int taken;
	__shared__ u64 scratch[32];
	WideWindow w;
	w.x = a.mismatch;
	w.o = a.gapOpen;
	w.e = a.gapExtend;
	w.mRows = max(w.x, w.o);
	w.gapRows = w.e + 1;
	w.band = a.band;
	w.places = a.band + 1;
	w.lambda = a.lambda;
	w.stray = a.stray;
	w.pace = a.pace;
	w.m = a.held == nullptr ? (int *)sharedMemory : (int *)a.held + (u64)blockIdx.x * w.words();
	w.del = w.m + w.mRows * w.places;
	w.ins = w.del + w.gapRows * w.places;

	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) taken = (int)atomicAdd(a.next, 1u);
		__syncthreads();
		const int at = taken;
		if (at >= a.count) return;
		const Task task = a.tasks[at];
		const Pair p = a.pairs[task.pair];
		w.text = a.bases + p.text;
		w.pattern = a.bases + p.pattern;
		int *windows = nullptr, *row = nullptr;
		if (ROWS) {
			windows = (int *)a.rows + (u64)at * a.rowStride;
			row = windows + a.windowWords;
		}
		bool found = __syncthreads_or(w.begin(p, row));
		if (ROWS && threadIdx.x == 0) *windows = w.first;
		constexpr int never = 0x7fffffff;
		int s = 0, next = a.lambda;
		u32 flags = 0;
			while (!found && flags == 0 && s < task.limit) {
			s++;
			if (ROWS) row += w.band;
			found = __syncthreads_or(w.step(row));
			if (found || s != next) continue;
			flags = w.follow(scratch);
			next = next <= task.limit - a.lambda ? next + a.lambda : never;
			if (ROWS) {
				windows++;
				if (threadIdx.x == 0) *windows = w.first;
			}
		}
		if (threadIdx.x == 0) {
			Result &r = a.results[task.pair];
			r.score = found ? s : -1;
			r.flags = r.flags & ~(flagLost | flagStrayed) | flags; // without those of an earlier pass
		}
	}
}

extern "C" __global__ void __launch_bounds__(512) wfa_window_score(const __grid_constant__ Params a) { alignWindow<false>(a); }
extern "C" __global__ void __launch_bounds__(512) wfa_window_rows(const __grid_constant__ Params a) { alignWindow<true>(a); }
