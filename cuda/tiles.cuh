// Exact alignment of pairs of any length and any score, with 32-bit offsets. Several
// blocks may share a pair.
//
// A round (tilestates.cuh) is cut into tiles of neighbouring diagonals. A block computes
// a tile in registers: it loads the checkpoint before the round, the tile's diagonals and
// `halo` more on either side, whose cells go wrong one diagonal per score, advances all
// scores of the round, and stores the tile's diagonals. So blocks wait for each other
// once per round. A thread has CELLS neighbouring diagonals. Gap wavefronts cross from
// one warp to the next through edges in shared memory, as in block.cuh.
//
// Blocks take tiles from a counter in the order of the rounds. A tile waits only for tiles
// that other blocks have taken before it, so blocks need not run at the same time. At
// first every block has a pair of its own; when none is left, blocks join pairs with more
// tiles than blocks, if the launch allows it.
//
// Shared memory: static, the edges; dynamic, with SHARED both sequences, as packed bases.
//
// Limits: the memory of a pair.
#pragma once
#include "lookahead.cuh"
#include "tilestates.cuh"

// sharedWords returns the words of a sequence in shared memory. Extensions read the word
// after the last base.
__device__ __forceinline__ int sharedWords(int letters) { return (letters >> 4) + 2; }

// Bases are a pair's packed bases, in shared or in global memory.
template <bool SHARED> struct Bases {
	const u32 *text, *pattern;
	int patternAt; // word of the pattern in shared memory

	__device__ __forceinline__ void set(const Task &p) {
		text = p.text;
		pattern = p.pattern;
		patternAt = sharedWords(p.textLength);
		if (!SHARED) return;
		u32 *to = (u32 *)sharedMemory;
		for (int i = threadIdx.x; i < sharedWords(p.textLength); i += blockDim.x) to[i] = __ldg(text + i);
		for (int i = threadIdx.x; i < sharedWords(p.patternLength); i += blockDim.x)
			to[patternAt + i] = __ldg(pattern + i);
	}

	// differ compares 16 bases from text position h and pattern position v on: 0 if they
	// are equal, else the first difference has the top bits.
	__device__ __forceinline__ u32 differ(int h, int v) const {
		const u32 *t, *p;
		if (SHARED) {
			t = (const u32 *)sharedMemory + (h >> 4);
			p = (const u32 *)sharedMemory + patternAt + (v >> 4);
			return __funnelshift_l(t[1], t[0], 2 * h) ^ __funnelshift_l(p[1], p[0], 2 * v);
		}
		t = text + (h >> 4);
		p = pattern + (v >> 4);
		return __funnelshift_l(__ldg(t + 1), __ldg(t), 2 * h) ^ __funnelshift_l(__ldg(p + 1), __ldg(p), 2 * v);
	}
};

// extend follows matches from offset h of diagonal k on, word by word, to the diagonal's
// end or less than a word beyond. It is rare and long, hence not inline.
template <bool SHARED> __device__ __noinline__ int extend(Bases<SHARED> bases, int h, int k, int end) {
	int n = 16;
	while (n == 16 && h < end) {
		n = __clz((int)bases.differ(h, h - k)) >> 1;
		h += n;
	}
	return h;
}

// Tile is the wavefronts of a tile.
template <class P, bool SHARED, int WARPS, int CELLS> struct Tile {
	static constexpr int diagonals = WARPS * 32 * CELLS, halo = 32, core = diagonals - 2 * halo;
	static constexpr int span = spanOf(P::unroll), fields = P::ring + 2 * P::e;
	static constexpr int edge = WARPS + 1, edges = edge * (P::e + 1); // of each kind
	static_assert(CELLS % 4 == 0 && span <= halo - 2, "");

	int m[P::ring][CELLS], del[P::e][CELLS], ins[P::e][CELLS];
	Bases<SHARED> bases;
	int textLength, patternLength;
	int first; // this thread's lowest diagonal
	int lane, warp;
	int *delEdge, *insEdge;

	__device__ __forceinline__ int last(int k) const { return min(textLength, patternLength + k); }

	// matches returns how many of the next 16 bases match from offset h of diagonal k, null
	// or not. Matches may run past the end of the diagonal.
	__device__ __forceinline__ int matches(int h, int k) const {
		const int from = max(h, 0);
		// The position of a null cell is anywhere in the pattern.
		return __clz((int)bases.differ(from, min(max(from - k, 0), patternLength))) >> 1;
	}

	__device__ __forceinline__ void empty() {
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
#pragma unroll
			for (int b = 0; b < P::ring; b++) m[b][j] = nullOffset;
#pragma unroll
			for (int b = 0; b < P::e; b++) del[b][j] = ins[b][j] = nullOffset;
		}
	}

	// start sets score 0: only the origin is not null.
	__device__ __forceinline__ void start() {
		empty();
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
			if (first + j != 0) continue;
			m[0][j] = extend(bases, 0, 0, last(0));
			if (P::o == 0) del[0][j] = ins[0][j] = m[0][j];
		}
	}

	// Diagonals of checkpoints are loaded and stored four at a time; rows begin at multiples
	// of eight.
	__device__ __forceinline__ void load(int (&cells)[CELLS], const int *row, Diagonals range) const {
#pragma unroll
		for (int j = 0; j < CELLS; j += 4) {
			const int k = first + j;
			int4 c = make_int4(nullOffset, nullOffset, nullOffset, nullOffset);
			// Other blocks have written it: not through the L1 cache.
			if (k <= range.high && k + 3 >= range.low) c = __ldcg((const int4 *)(row + k));
			cells[j] = k >= range.low && k <= range.high ? c.x : nullOffset;
			cells[j + 1] = k + 1 >= range.low && k + 1 <= range.high ? c.y : nullOffset;
			cells[j + 2] = k + 2 >= range.low && k + 2 <= range.high ? c.z : nullOffset;
			cells[j + 3] = k + 3 >= range.low && k + 3 <= range.high ? c.w : nullOffset;
		}
	}
	static __device__ __forceinline__ void store(const int (&cells)[CELLS], int *to) {
#pragma unroll
		for (int j = 0; j < CELLS; j += 4) *(int4 *)(to + j) = make_int4(cells[j], cells[j + 1], cells[j + 2], cells[j + 3]);
	}

	// load reads a checkpoint, whose rows are indexed by diagonal and `width` words apart.
	__device__ __forceinline__ void load(const int *rows, u64 width, Diagonals range) {
#pragma unroll
		for (int b = 0; b < P::ring; b++) load(m[P::slot(0, b)], rows + b * width, range);
#pragma unroll
		for (int b = 0; b < P::e; b++) {
			load(del[(P::e - b) % P::e], rows + (P::ring + b) * width, range);
			load(ins[(P::e - b) % P::e], rows + (P::ring + P::e + b) * width, range);
		}
	}
	__device__ __forceinline__ void store(int *rows, u64 width) const {
		int *to = rows + first;
#pragma unroll
		for (int b = 0; b < P::ring; b++) store(m[P::slot(0, b)], to + b * width);
#pragma unroll
		for (int b = 0; b < P::e; b++) {
			store(del[(P::e - b) % P::e], to + (P::ring + b) * width);
			store(ins[(P::e - b) % P::e], to + (P::ring + P::e + b) * width);
		}
	}

	// step computes the score of a phase. Its edges are in slot `now`.
	template <int PHASE> __device__ __forceinline__ void step(bool active, int now) {
		constexpr int from = PHASE % P::e, ring = PHASE % P::ring;
		constexpr int xBack = P::slot(PHASE, P::x), oBack = P::slot(PHASE, P::o);
		const int before = now == P::e ? 0 : now + 1; // the slot of score s - e
		if (!active) return;
		int below = __shfl_up_sync(~0u, del[from][CELLS - 1], 1), above = __shfl_down_sync(~0u, ins[from][0], 1);
		if (lane == 0) below = delEdge[before * edge + warp];
		if (lane == 31) above = insEdge[before * edge + warp + 1];
		int c[CELLS], n[CELLS], longest = 0;
#pragma unroll
		for (int j = 0; j < CELLS; j++) {
			const int d = j == 0 ? below : del[from][j > 0 ? j - 1 : 0];
			const int i = j + 1 < CELLS ? ins[from][j + 1 < CELLS ? j + 1 : j] : above;
			c[j] = min(max(max(m[xBack][j], d) + 1, i), last(first + j));
			n[j] = matches(c[j], first + j);
			longest = max(longest, n[j]);
		}
		if (P::o != 0) { // from the highest diagonal down: del[j] takes the value of j - 1
			int i = above;
#pragma unroll
			for (int j = 0; j < CELLS; j++) ins[from][j] = max(j + 1 < CELLS ? ins[from][j + 1 < CELLS ? j + 1 : j] : i, m[oBack][j]);
#pragma unroll
			for (int j = CELLS - 1; j >= 0; j--)
				del[from][j] = max((j == 0 ? below : del[from][j > 0 ? j - 1 : 0]) + 1, m[oBack][j]);
		}
#pragma unroll
		for (int j = 0; j < CELLS; j++) m[ring][j] = c[j] + n[j];
		if (longest == 16) {
#pragma unroll
			for (int j = 0; j < CELLS; j++)
				if (n[j] == 16 && c[j] >= 0) m[ring][j] = extend(bases, m[ring][j], first + j, last(first + j));
		}
		if (P::o == 0) {
#pragma unroll
			for (int j = 0; j < CELLS; j++) del[from][j] = ins[from][j] = m[ring][j];
		}
		if (lane == 31) delEdge[now * edge + warp + 1] = del[from][CELLS - 1];
		if (lane == 0) insEdge[now * edge + warp] = ins[from][0];
	}

	// ended reports whether a row of this thread has the end cell.
	__device__ __forceinline__ bool ended(const int (&row)[CELLS]) const {
		const int at = textLength - patternLength - first;
		bool yes = false;
#pragma unroll
		for (int j = 0; j < CELLS; j++) yes |= j == at && row[j] >= textLength;
		return yes;
	}

	// unrolled computes scores s+1..s+P::unroll. It returns the first that reaches the end
	// cell, 0 for none.
	template <int I = 1> __device__ __forceinline__ int unrolled(int s, bool active, bool ends, int now, int found = 0) {
		constexpr int phase = I % P::unroll;
		now = now == P::e ? 0 : now + 1;
		step<phase>(active, now);
		if constexpr (I % P::ring == 0 || I == P::unroll) {
			constexpr int since = I % P::ring == 0 ? P::ring : I % P::ring;
			if (ends) {
#pragma unroll
				for (int b = since - 1; b >= 0; b--)
					if (found == 0 && ended(m[P::slot(phase, b)])) found = s + I - b;
			}
		}
		if constexpr (I < P::unroll) {
			__syncthreads();
			return unrolled<I + 1>(s, active, ends, now, found);
		}
		return found;
	}
};

// takeTask returns a task that no block has taken, -1 if there is none.
__device__ __forceinline__ int takeTask(const Params &a) {
	const int at = (int)atomicAdd(a.next, 1u);
	return at < a.count ? at : -1;
}

// joinTask returns a task to work on: one that no block has taken, or else one with more
// tiles than blocks. It waits while there may be one, and returns -1 when all are over.
__device__ inline int joinTask(const Params &a) {
	const u32 number = atomicAdd(a.next, 1u);
	for (u32 wait = 100;; wait = min(2 * wait, 2000u)) {
		bool open = false;
		for (u32 i = 0; i < (u32)a.count; i++) {
			const int at = (int)((number + i) % (u32)a.count);
			TileHeader *h = (TileHeader *)(a.rows + (u64)at * a.rowStride);
			volatile const TileHeader *now = h;
			if (now->over != 0) continue;
			open = true;
			const bool first = number < (u32)a.count && i == 0;
			if (!first && now->blocks >= now->tiles) continue;
			if (atomicAdd(&h->blocks, 1u) < max(now->tiles, 1u) || first) return at;
			atomicSub(&h->blocks, 1u);
		}
		if (!open || *(volatile const u32 *)a.stop != 0) return -1;
		__nanosleep(wait);
	}
}

// Work is a block's part in a pair.
template <class P, bool SHARED, bool STORE, int WARPS, int CELLS> struct TileWork {
	typedef Tile<P, SHARED, WARPS, CELLS> T;
	T tile;
	Rounds rounds;
	TileHeader *header;
	int *checkpoints; // indexed by diagonal
	u64 width;
	int *reached; // in shared memory: 1 + the score at which the tile has the end cell

	__device__ __forceinline__ TileWork(const Params &a, const Task &p, int at, int *delEdge, int *insEdge, int *found)
	    : rounds(a, p), header((TileHeader *)(a.rows + (u64)at * a.rowStride)), width(a.width),
	      reached(found) {
		checkpoints = (int *)(a.rows + (u64)at * a.rowStride) + headerWords - rounds.origin;
		tile.lane = threadIdx.x & 31;
		tile.warp = threadIdx.x >> 5;
		tile.textLength = p.textLength;
		tile.patternLength = p.patternLength;
		tile.delEdge = delEdge;
		tile.insEdge = insEdge;
		tile.bases.set(p);
	}

	__device__ __forceinline__ int *checkpoint(int n) const {
		return checkpoints + (u64)(STORE ? n : n & 1) * T::fields * width;
	}

	// tiles returns the number of tiles of a round; none is empty.
	__device__ __forceinline__ int tiles(int round) const {
		const Diagonals r = rounds.range(round);
		return (max(r.high - (r.low & ~7), 0) + T::core) / T::core;
	}

	// compute computes a tile of a round. It returns 1 + the score that reaches the end cell,
	// 0 for none.
	__device__ int compute(int round, int index, int count) {
		const Diagonals range = rounds.range(round);
		const int low = range.low & ~7, size = range.high - low + 1;
		const int share = ((size + count - 1) / count + 7) & ~7; // of a tile
		const int from = low + index * share, to = min(from + share, low + size);
		tile.first = from - T::halo + (int)threadIdx.x * CELLS;
		// Warps beyond the upper halo have nothing to compute.
		const bool active = tile.first - tile.lane * CELLS < to + T::halo;
		for (int i = threadIdx.x; i < T::edges; i += WARPS * 32) tile.delEdge[i] = tile.insEdge[i] = nullOffset;
		if (threadIdx.x == 0) reached[0] = reached[1] = 0;
		if (round == 0)
			tile.start();
		else if (active)
			tile.load(checkpoint(round - 1), width, rounds.range(round - 1));
		__syncthreads();
		// The edges of the scores before.
		const int s = round * T::span;
		if (active) {
#pragma unroll
			for (int b = 0; b < P::e; b++) {
				const int slot = (P::e + 1 - b) % (P::e + 1);
				if (tile.lane == 31) tile.delEdge[slot * T::edge + tile.warp + 1] = tile.del[(P::e - b) % P::e][CELLS - 1];
				if (tile.lane == 0) tile.insEdge[slot * T::edge + tile.warp] = tile.ins[(P::e - b) % P::e][0];
			}
		}
		const int offset = rounds.end - tile.first;
		const bool ends = active && offset >= 0 && offset < CELLS && rounds.end >= from && rounds.end < to;
		if (round == 0 && ends && tile.ended(tile.m[0])) reached[1] = 1;
		__syncthreads();
		int found = reached[1], now = 0;
		for (int done = 0, turn = 0; found == 0 && done < T::span; done += P::unroll, turn ^= 1) {
			const int f = tile.unrolled(s + done, active, ends, now);
			now = (now + P::unroll) % (P::e + 1);
			if (f > 0) reached[turn] = 1 + f;
			__syncthreads();
			found = reached[turn];
		}
		if (found == 0 && active && tile.first >= from && tile.first < to) tile.store(checkpoint(round), width);
		__syncthreads(); // edges and reached are no longer in use
		return found;
	}

	// solo computes all rounds. It returns 1 + the score, 0 if that is above the bound.
	__device__ int solo(const Params &a) {
		for (int round = 0; round < rounds.count(); round++) {
			if (*(volatile const u32 *)a.stop != 0) return 0;
			const int count = tiles(round);
			int found = 0;
			for (int i = 0; i < count; i++) {
				const int f = compute(round, i, count);
				if (f != 0) found = f;
			}
			if (found != 0) return found - 1 <= rounds.bound ? found : 0;
		}
		return 0;
	}

	// wait returns when all tiles of earlier rounds are stored. It reports whether the pair
	// goes on. Only thread 0 calls it.
	__device__ bool wait(const Params &a, u32 tilesBefore) const {
		volatile const TileHeader *h = header;
		while (h->done < tilesBefore) {
			if (h->over != 0 || *(volatile const u32 *)a.stop != 0) return false;
			__nanosleep(100);
		}
		__threadfence();
		return h->over == 0 && *(volatile const u32 *)a.stop == 0;
	}

	// finish writes the result: 1 + the score, 0 if that is above the bound. Only thread 0
	// calls it.
	__device__ void finish(Result &result, int found) const {
		result = {found > 0 && found - 1 <= rounds.bound ? found - 1 : -1, 0, 0, 0};
		__threadfence();
		*(volatile u32 *)&header->over = 1;
	}

	// share computes tiles until the pair is over. Other blocks may do so at the same time.
	__device__ void share(const Params &a, Result &result, u32 *ticket) {
		int round = 0, count = tiles(0);
		u32 before = 0; // tiles of earlier rounds
		for (;;) {
			if (threadIdx.x == 0) *ticket = atomicAdd(&header->taken, 1u);
			__syncthreads();
			const u32 mine = *ticket;
			__syncthreads(); // all have read it
			while (round < rounds.count() && mine >= before + count) {
				before += count;
				round++;
				count = tiles(round);
			}
			if (threadIdx.x == 0) {
				*(volatile u32 *)&header->tiles = (u32)count;
				*ticket = wait(a, before);
				// Past the last round, the first ticket ends the pair.
				if (*ticket != 0 && round == rounds.count() && mine == before) finish(result, 0);
			}
			__syncthreads();
			const bool on = *ticket != 0 && round < rounds.count();
			__syncthreads();
			if (!on) return;
			const int found = compute(round, (int)(mine - before), count);
			__threadfence(); // before the tile counts as done
			__syncthreads();
			if (threadIdx.x == 0) {
				if (found > 0) finish(result, found);
				atomicAdd(&header->done, 1u);
			}
		}
	}
};

// alignTiles aligns the tasks of a launch.
template <class P, bool SHARED, bool STORE, int WARPS, int CELLS>
__device__ __forceinline__ void alignTiles(const Params &a) {
	typedef TileWork<P, SHARED, STORE, WARPS, CELLS> W;
	__shared__ int delEdge[W::T::edges], insEdge[W::T::edges], reached[2], chosen;
	__shared__ u32 ticket;
	for (;;) {
		__syncthreads(); // the previous pair is no longer in use
		if (threadIdx.x == 0) chosen = a.helpers == 0 ? takeTask(a) : joinTask(a);
		__syncthreads();
		const int at = chosen;
		if (at < 0) return;
		const Task p = a.tasks[at];
		W work(a, p, at, delEdge, insEdge, reached);
		__syncthreads(); // the sequences are in shared memory
		if (a.helpers != 0) {
			work.share(a, a.results[at], &ticket);
			continue;
		}
		const int found = work.solo(a);
		if (threadIdx.x == 0) a.results[at] = {found - 1, 0, 0, 0};
	}
}
