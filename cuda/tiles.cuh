// Exact alignment of pairs of any length and any score, with 32-bit offsets. Several
// blocks may share a pair.
//
// A round (tilestates.cuh) is cut into tiles of neighbouring diagonals. A block computes
// a tile in registers: it loads the checkpoint before the round, the tile's diagonals and
// `halo` more on either side, whose cells go wrong one diagonal per score, advances all
// scores of the round, and stores the tile's diagonals. So blocks wait for each other
// once per round. A thread has CELLS neighbouring diagonals. In the same way the first and
// the last lane of a warp have diagonals of its neighbours, which they take over through
// shared memory every few scores, so that warps seldom wait for each other.
//
// Blocks take tiles from a counter in the order of the rounds. A tile waits only for tiles
// that other blocks have taken before it, so blocks need not run at the same time. At
// first every block has a pair of its own; when none is left, blocks join pairs with more
// tiles than blocks, if the launch allows it.
//
// Shared memory: static, the cells that warps exchange; dynamic, with SHARED both sequences, as packed bases.
//
// Limits: the memory of a pair.
#pragma once
#include "stop.cuh"
#include "tile.cuh"

// takeTask returns a task that no block has taken, -1 if there is none.
__device__ __forceinline__ int takeTask(const Params &a) {
	const int at = (int)atomicAdd(a.next, 1u);
	return at < a.count ? at : -1;
}

// Looks for a task between two looks at the stop word, some milliseconds. Many blocks may look for
// tasks, and reads of the host's memory delay the fences of those that compute.
static constexpr u32 stopLooks = 1024;

// joinTask returns a task to work on: one that no block has taken, or else one with more
// tiles than blocks. It waits while there may be one, and returns -1 when all are over.
__device__ inline int joinTask(const Params &a) {
	const u32 number = atomicAdd(a.next, 1u);
	for (u32 looks = 1, wait = 100;; looks++, wait = min(2 * wait, 4000u)) {
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
		if (!open || (looks % stopLooks == 0 && stopped(a))) return -1;
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
	// In shared memory: 1 + the score at which the tile has the end cell, and what warps
	// exchange; both have two parts, which alternate.
	int *reached, *exchange;

	__device__ __forceinline__ TileWork(const Params &a, const Task &p, int at, int *found, int *between)
	    : rounds(a, p), header((TileHeader *)(a.rows + (u64)at * a.rowStride)), width(a.width), reached(found),
	      exchange(between) {
		checkpoints = (int *)(a.rows + (u64)at * a.rowStride) + headerWords - rounds.origin;
		tile.lane = threadIdx.x & 31;
		tile.warp = threadIdx.x >> 5;
		tile.textLength = p.textLength;
		tile.patternLength = p.patternLength;
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
		const int mine = from - T::halo + tile.warp * 30 * CELLS; // the warp's lowest
		tile.first = mine + tile.lane * CELLS;
		// Warps beyond the upper halo have nothing to compute.
		const bool active = mine < to + T::halo, above = mine + 30 * CELLS < to + T::halo && tile.warp + 1 < WARPS;
		if (threadIdx.x == 0) reached[0] = reached[1] = 0;
		if (round == 0)
			tile.start();
		else if (active)
			tile.load(checkpoint(round - 1), width, rounds.range(round - 1));
		const int offset = rounds.end - tile.first;
		const bool owns = active && tile.owns();
		const bool ends = owns && offset >= 0 && offset < CELLS && rounds.end >= from && rounds.end < to;
		__syncthreads();
		if (round == 0 && ends && tile.ended(tile.m[0])) reached[1] = 1;
		__syncthreads();
		const int s = round * T::span;
		int found = reached[1];
		for (int done = 0, turn = 0; found == 0 && done < T::span; turn ^= 1) {
			int f = 0;
			if (active) {
#pragma unroll 1
				for (int i = 0; i < T::turn; i += P::unroll) {
					const int g = tile.unrolled(s + done + i, ends);
					if (f == 0) f = g;
				}
				tile.publish(exchange + turn * 2 * WARPS * T::exchanged);
			}
			if (f > 0) reached[turn] = 1 + f;
			done += T::turn;
			__syncthreads();
			found = reached[turn];
			if (active) tile.takeOver(exchange + turn * 2 * WARPS * T::exchanged, above);
		}
		if (found == 0 && owns && tile.first >= from && tile.first < to) tile.store(checkpoint(round), width);
		__syncthreads(); // reached and exchange are no longer in use
		return found;
	}

	// solo computes all rounds. It returns 1 + the score, 0 if that is above the bound.
	__device__ int solo(const Params &a) {
		for (int round = 0; round < rounds.count(); round++) {
			if (round % stopRounds == stopRounds - 1 && stopped(a)) return 0;
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
		for (u32 polls = 0; h->done < tilesBefore; polls++) {
			if (h->over != 0 || (polls % 1024 == 1023 && stopped(a))) return false;
			__nanosleep(100);
		}
		__threadfence();
		return h->over == 0;
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
				*ticket = wait(a, before) && !(round % stopRounds == stopRounds - 1 && stopped(a));
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
	__shared__ int reached[2], chosen;
	__shared__ __align__(16) int exchange[4 * WARPS * W::T::exchanged];
	__shared__ u32 ticket;
	for (;;) {
		__syncthreads(); // the previous pair is no longer in use
		if (threadIdx.x == 0) chosen = a.helpers == 0 ? takeTask(a) : joinTask(a);
		__syncthreads();
		const int at = chosen;
		if (at < 0) return;
		const Task p = a.tasks[at];
		W work(a, p, at, reached, exchange);
		__syncthreads(); // the sequences are in shared memory
		if (a.helpers != 0) {
			work.share(a, a.results[at], &ticket);
			continue;
		}
		const int found = work.solo(a);
		if (threadIdx.x == 0) a.results[at] = {found - 1, 0, 0, 0};
	}
}
