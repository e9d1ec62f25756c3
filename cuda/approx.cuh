// Approximate mode: a warp has a pair, and computes a window of diagonals that
// follows the most promising one. align/approxfront.go has the rule, which this
// keeps to the letter: scores are those of the CPU engine.
//
// Nothing is moved when the window is. Of WIDTH = 64*WORDS places for cells, the
// one that is (k - end) mod WIDTH has diagonal k, end being the last cell's, so
// that a diagonal stays where it is as long as the window holds it, and the end
// cell is always in lane 0. A place whose diagonal is not in the window has a
// null limit, which keeps its M null. Gap fronts leak from one end of the window
// into the places without a diagonal, one a score; they are emptied before they
// could come to the other end. That takes a few places, Window::apart.
//
// Shared memory: the text's look-ahead table, then the pattern's. Null cells look
// up text position 0 and the pattern's position on their diagonal, which for
// diagonals above 0 lies before the table by no more than the text's is long.
//
// Limits: text and pattern up to 32,000 bases, 8,192 scores between moves, at
// which null cells, to which each score may add one, start anew.
#pragma once
#include "front.cuh"

// WindowLook has the addresses of all the diagonals of a lane. Those of word j
// are asked for by the constant 64*j, as front.cuh does.
template <class T, int WORDS> struct WindowLook : T {
	int text;
	int pattern[WORDS][2];
	__device__ __forceinline__ u32 matches(u32 cell, int step, int) const {
		return T::matches(cell, text, pattern[step / 64][0], pattern[step / 64][1]);
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 limit, int step, int) const {
		return T::extend(cell, n, limit, text, pattern[step / 64][0], pattern[step / 64][1]);
	}
};

template <class P, class T, int WORDS, int STRIDE, bool ROWS> struct Window {
	static constexpr int width = 64 * WORDS;
	// The fewest places without a diagonal: gpu/approx.go leaves as many.
	static constexpr int apart = P::round;
	static constexpr int lost = -1, strayed = -2, never = 0x7fffffff;
	Front<P, WORDS> front;
	WindowLook<T, WORDS> look;
	u32 below, above; // byte permutes for a shift by one diagonal up and down
	int lane, up, down;

	Pair pair;
	int end;     // diagonal of the end cell
	int goal;    // offset of the end cell, in lane 0 while the window has its diagonal
	int band;    // diagonals in the window
	int first;   // its lowest one
	int pattern; // address of the pattern's table
	int lambda, next; // scores from one move to the next, the next score with one
	int stray, limit;
	int pace, looks;  // looks from one test of the pace to the next, and since the last one
	int least;        // that the distance from the end must become smaller by, times 2x
	int mark, most;   // distance from the end at the last test, the largest difference of two
	u32 *windows; // where the window's first diagonal was stored last

	// offset is the place of the window's first diagonal.
	__device__ __forceinline__ int offset(int from) const {
		const int r = (from - end) % width;
		return r < 0 ? r + width : r;
	}
	// after is how many diagonals place q is from the window's first one, which
	// is at place o.
	__device__ __forceinline__ static int after(int q, int o) { return q < o ? q - o + width : q - o; }
	__device__ __forceinline__ int place(int j, int half) const { return 64 * j + 32 * half + lane; }

	// start puts the window around diagonal 0 and the start cell into score 0.
	__device__ __forceinline__ void start(const Pair &p, int upTo) {
		pair = p;
		limit = upTo;
		looks = most = 0;
		mark = max(p.patternLength, p.textLength);
		end = p.textLength - p.patternLength;
		first = -(band / 2);
		next = lambda <= limit ? lambda : never;
		settle();
		const int o = offset(first);
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const bool low = first + after(place(j, 0), o) == 0, high = first + after(place(j, 1), o) == 0;
			front.empty(j);
			front.m[0][j] = cells(low ? 0 : lowCell(cellNull), high ? 0 : lowCell(cellNull));
			front.start(j, look, 64 * j, 32);
		}
	}

	// settle gives every place the limit and the address of its diagonal.
	__device__ __forceinline__ void settle() {
		const int o = offset(first), n = pair.patternLength, m = pair.textLength;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			int last[2];
#pragma unroll
			for (int half = 0; half < 2; half++) {
				const int r = after(place(j, half), o), k = first + r;
				const bool there = r < band && k >= -n && k <= m;
				last[half] = there ? min(m, n + k) : lowCell(cellNull);
				look.pattern[j][half] = pattern - (there ? k : 0) * T::size;
			}
			front.limit[j] = cells(last[0], last[1]);
		}
		goal = lane == 0 && holdsEnd() ? m : never;
	}
	// holdsEnd tells whether the window has the end cell's diagonal. Otherwise
	// another may be in its place.
	__device__ __forceinline__ bool holdsEnd() const { return (u32)(end - first) < (u32)band; }

	// drop empties the halves, given as masks, of word j in all fronts, and lets
	// null cells be what they were at first.
	__device__ __forceinline__ void drop(int j, u32 halves) {
#pragma unroll
		for (int i = 0; i < P::ring; i++) front.m[i][j] = dropped(front.m[i][j], halves);
#pragma unroll
		for (int i = 0; i < P::e; i++) {
			front.del[i][j] = dropped(front.del[i][j], halves);
			front.ins[i][j] = dropped(front.ins[i][j], halves);
		}
	}
	__device__ __forceinline__ static u32 dropped(u32 cell, u32 halves) {
		const u32 gone = halves | negative2(cell);
		return (cell & ~gone) | (cellNull & gone);
	}

	// dropEdge drops cells on the matrix's edge if the end cell's diagonal is
	// outside the window.
	__device__ __forceinline__ void dropEdge() {
		if (holdsEnd()) return;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const u32 last = front.limit[j];
#pragma unroll
			for (int i = 0; i < P::ring; i++) front.m[i][j] = dropped(front.m[i][j], ~negative2(sub2(front.m[i][j], last)));
#pragma unroll
			for (int i = 0; i < P::e; i++) {
				front.del[i][j] = dropped(front.del[i][j], ~negative2(sub2(front.del[i][j], last)));
				front.ins[i][j] = dropped(front.ins[i][j], ~negative2(sub2(front.ins[i][j], last)));
			}
		}
	}

	// closest finds the cell of row m that is closest to the end. Its distance is
	// in the upper 15 bits of what it returns; aside how far its diagonal is from
	// the end's, doubled, and 1 if above it. Null cells are further than all others.
	static constexpr u32 absent = ~0u;
	__device__ __forceinline__ u32 closest(const u32 (&m)[WORDS]) const {
		const int o = offset(first);
		u32 best = absent;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const u32 c = min2(m[j], front.limit[j]);
#pragma unroll
			for (int half = 0; half < 2; half++) {
				const int h = half == 0 ? lowCell(c) : highCell(c);
				const int k = first + after(place(j, half), o);
				const u32 to = (u32)(max(pair.patternLength + k, pair.textLength) - h);
				const u32 key = to << 17 | (u32)abs(k - end) << 1 | (k > end ? 1u : 0u);
				if (h >= 0 && key < best) best = key;
			}
		}
#pragma unroll
		for (int i = 16; i > 0; i >>= 1) best = min(best, __shfl_xor_sync(~0u, best, i));
		return best;
	}

	// dawdles tests the pace, when it is time for it; best is from closest.
	__device__ __forceinline__ bool dawdles(u32 best) {
		if (++looks != pace) return false;
		looks = 0;
		if (best == absent) return false;
		const int nearest = (int)(best >> 17), by = mark - nearest;
		const bool slow = 2 * by < most || 2 * P::x * by < least;
		mark = nearest;
		most = max(most, by);
		return slow;
	}

	// empty reports that no front holds a cell.
	__device__ __forceinline__ bool empty() const {
		u32 all = ~0u;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
#pragma unroll
			for (int i = 0; i < P::ring; i++) all &= negative2(front.m[i][j]);
#pragma unroll
			for (int i = 0; i < P::e; i++) all &= negative2(front.del[i][j]) & negative2(front.ins[i][j]);
		}
		return __all_sync(~0u, all == ~0u);
	}

	// follow moves the window towards where row m, the last one, stands closest
	// to the end. It returns lost if no cell is left, strayed if that is too far
	// off or the pair does not get on, or 0.
	__device__ __forceinline__ int follow(const u32 (&m)[WORDS]) {
		dropEdge();
		const u32 best = closest(m);
		const int away = (int)(best >> 1 & 0xffffu), k = best & 1u ? end + away : end - away;
		const int off = best == absent ? 0 : k - (first + band / 2);
		if (abs(off) > stray || dawdles(best)) return strayed;
		const u32 share = 3 * (u32)band;
		const int size = (int)min((u32)abs(off), (4 * (u32)lambda * (u32)abs(off) + share - 1) / share);
		const int by = off < 0 ? -size : size, o = offset(first), p = offset(first + by);
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			u32 gone = 0;
#pragma unroll
			for (int half = 0; half < 2; half++) {
				const int q = place(j, half), r = after(q, o);
				// The same diagonal before and after.
				const bool stays = r < band && after(q, p) < band && after(q, p) + by == r;
				if (!stays) gone |= half == 0 ? 0x0000ffffu : 0xffff0000u;
			}
			drop(j, gone);
		}
		if (by != 0) {
			first += by;
			settle();
			dropEdge();
		}
		return best == absent && empty() ? lost : 0;
	}

	// spill empties the gap fronts of the places without a diagonal.
	__device__ __forceinline__ void spill() {
#pragma unroll
		for (int j = 0; j < WORDS; j++)
#pragma unroll
			for (int i = 0; i < P::e; i++) {
				front.del[i][j] = min2(front.del[i][j], front.limit[j]);
				front.ins[i][j] = min2(front.ins[i][j], front.limit[j]);
			}
	}

	template <int PHASE> __device__ __forceinline__ void step(u32 *row) {
		u32 d[WORDS], i[WORDS];
		constexpr int from = PHASE % P::e;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			d[j] = __shfl_sync(~0u, front.del[from][j], up);
			i[j] = __shfl_sync(~0u, front.ins[from][j], down);
		}
#pragma unroll
		for (int g = 0; g < WORDS; g += STRIDE) {
			u32 ds[STRIDE], is[STRIDE];
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				const int j = g + q;
				ds[q] = __byte_perm(d[j], d[(j + WORDS - 1) % WORDS], below);
				is[q] = __byte_perm(i[j], i[(j + 1) % WORDS], above);
			}
			front.template advance<PHASE, STRIDE>(g, ds, is, look, g * 64, 32);
			if (ROWS) {
#pragma unroll
				for (int q = 0; q < STRIDE; q++) row[(g + q) * 32] = front.m[PHASE % P::ring][g + q];
			}
		}
	}

	// reached tells, in lane 0 alone, whether the row of word 0 has the end cell.
	__device__ __forceinline__ bool reached(u32 m) const { return lowCell(m) >= goal; }

	// round computes scores s+1..s+round, and returns the first of them that
	// reaches the end cell, lost, strayed, or 0.
	template <int I = 1> __device__ __forceinline__ int round(int s, u32 *&row, int found = 0) {
		constexpr int phase = I % P::round;
		constexpr bool turn = I % P::ring == 0 || I == P::round; // rows will be overwritten, or it is the end
		if (ROWS) row += WORDS * 32;
		step<phase>(row);
		if constexpr (I == P::round) spill();
		const bool moves = s + I == next;
		if (turn || moves) {
			// The rows since the last turn.
#pragma unroll
			for (int b = (I - 1) % P::ring; b >= 0; b--)
				if (found == 0 && reached(front.m[P::slot(phase, b)][0])) found = s + I - b;
		}
		if (moves) {
			found = __shfl_sync(~0u, found, 0);
			if (found != 0) return found;
			found = follow(front.m[phase % P::ring]);
			if (found != 0) return found;
			next = next <= limit - lambda ? next + lambda : never;
			if (ROWS) {
				windows++;
				if (lane == 0) *windows = (u32)first;
			}
		}
		if constexpr (I < P::round) return round<I + 1>(s, row, found);
		return __shfl_sync(~0u, found, 0);
	}
};

template <class P, class T, int WORDS, int STRIDE, bool ROWS> __device__ __forceinline__ void alignApprox(const Params &a) {
	typedef Window<P, T, WORDS, STRIDE, ROWS> W;
	static_assert(WORDS % STRIDE == 0, "");
	const int lane = threadIdx.x & 31;
	W w;
	w.lane = lane;
	w.below = lane == 0 ? 0x1076u : 0x3210u;
	w.above = lane == 31 ? 0x5432u : 0x3210u;
	w.up = (lane - 1) & 31;
	w.down = (lane + 1) & 31;
	w.look.text = 0;
	w.pattern = a.textEntries * T::size;
	w.band = a.band;
	w.lambda = a.lambda;
	w.stray = a.stray;
	w.pace = a.pace;
	w.least = 5 * a.pace * a.lambda;

	for (;;) {
		int at = 0;
		if (lane == 0) at = (int)atomicAdd(a.next, 1u);
		at = __shfl_sync(~0u, at, 0);
		if (at >= a.count) return;
		const Task task = a.tasks[at];
		const Pair p = a.pairs[task.pair];
		__syncwarp(); // the last pair's tables are still in use
		T::build(0, a.bases + p.text, p.textLength, lane, 32);
		T::build(w.pattern, a.bases + p.pattern, p.patternLength, lane, 32);
		__syncwarp();

		w.start(p, task.limit);
		u32 *row = nullptr;
		if (ROWS) {
			w.windows = a.rows + (u64)at * a.rowStride;
			row = w.windows + a.windowWords + lane;
			if (lane == 0) *w.windows = (u32)w.first;
#pragma unroll
			for (int j = 0; j < WORDS; j++) row[j * 32] = w.front.m[0][j];
		}
		int found = 0;
		const bool equal = __any_sync(~0u, w.reached(w.front.m[0][0]));
		for (int s = 0; !equal && found == 0 && s < task.limit; s += P::round) found = w.round(s, row);
		if (lane == 0) {
			Result &r = a.results[task.pair];
			r.score = equal ? 0 : found > 0 && found <= task.limit ? found : -1;
			r.flags &= ~(flagLost | flagStrayed); // of an earlier pass
			if (found < 0) r.flags |= found == W::lost ? flagLost : flagStrayed;
		}
	}
}
