// A tile of the wavefronts of a pair in registers: see tiles.cuh.
#pragma once
#include "longwavefronts.cuh"
#include "tilestates.cuh"

// exchangeOf returns the scores between two exchanges of threads with some cells.
template <class P> __host__ __device__ constexpr int exchangeOf(int cells) {
	int groups = larger(cells * P::e / P::unroll, 1); // of unrolled scores
	while (tileSpan<P>() / P::unroll % groups != 0) groups--;
	return groups * P::unroll;
}

// Tile is the wavefronts of a tile.
template <class P, bool SHARED, int WARPS, int CELLS> struct Tile : LongWavefronts<P, SHARED, CELLS> {
	static constexpr int lanes = 30 * WARPS + 2; // with diagonals of their own
	static constexpr int diagonals = lanes * CELLS, halo = 32, core = diagonals - 2 * halo;
	static constexpr int span = tileSpan<P>(), fields = P::ring + 2 * P::e;
	// Scores between two exchanges: cells of that many diagonals go wrong at a warp's ends.
	static constexpr int turn = exchangeOf<P>(CELLS), exchanged = fields * CELLS;
	static_assert(CELLS % 4 == 0 && span <= halo - 1 && span % turn == 0 && turn <= CELLS * P::e, "");
	using LongWavefronts<P, SHARED, CELLS>::m;
	using LongWavefronts<P, SHARED, CELLS>::del;
	using LongWavefronts<P, SHARED, CELLS>::ins;
	using LongWavefronts<P, SHARED, CELLS>::first;
	using LongWavefronts<P, SHARED, CELLS>::textLength;
	using LongWavefronts<P, SHARED, CELLS>::patternLength;

	int lane, warp;

	// owns reports whether no other warp has this thread's diagonals in its middle.
	__device__ __forceinline__ bool owns() const { return lane > 0 && lane < 31; }

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
		for (int j = 0; j < CELLS; j += 4)
			*(int4 *)(to + j) = make_int4(cells[j], cells[j + 1], cells[j + 2], cells[j + 3]);
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

	// publish writes the cells that neighbouring warps take over.
	__device__ __forceinline__ void publish(int *exchange) const {
		if (lane == 1) store(exchange + 2 * warp * exchanged - first, CELLS);
		if (lane == 30) store(exchange + (2 * warp + 1) * exchanged - first, CELLS);
	}
	// takeOver reads what the warps below and above have published, if there are such.
	__device__ __forceinline__ void takeOver(const int *exchange, bool above) {
		if (lane == 0 && warp > 0) take(exchange + (2 * warp - 1) * exchanged);
		if (lane == 31 && above) take(exchange + (2 * warp + 2) * exchanged);
	}
	__device__ __forceinline__ void take(const int *from) {
#pragma unroll
		for (int b = 0; b < P::ring; b++) take(m[P::slot(0, b)], from + b * CELLS);
#pragma unroll
		for (int b = 0; b < P::e; b++) {
			take(del[(P::e - b) % P::e], from + (P::ring + b) * CELLS);
			take(ins[(P::e - b) % P::e], from + (P::ring + P::e + b) * CELLS);
		}
	}
	static __device__ __forceinline__ void take(int (&cells)[CELLS], const int *from) {
#pragma unroll
		for (int j = 0; j < CELLS; j += 4) {
			const int4 c = *(const int4 *)(from + j);
			cells[j] = c.x;
			cells[j + 1] = c.y;
			cells[j + 2] = c.z;
			cells[j + 3] = c.w;
		}
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
	template <int I = 1> __device__ __forceinline__ int unrolled(int s, bool ends, int found = 0) {
		constexpr int phase = I % P::unroll, from = phase % P::e;
		int below = __shfl_up_sync(~0u, del[from][CELLS - 1], 1), above = __shfl_down_sync(~0u, ins[from][0], 1);
		if (lane == 0) below = nullOffset;
		if (lane == 31) above = nullOffset;
		this->template advance<phase>(below, above);
		if constexpr (I % P::ring == 0 || I == P::unroll) {
			constexpr int since = I % P::ring == 0 ? P::ring : I % P::ring;
			if (ends) {
#pragma unroll
				for (int b = since - 1; b >= 0; b--)
					if (found == 0 && ended(m[P::slot(phase, b)])) found = s + I - b;
			}
		}
		if constexpr (I < P::unroll)
			return unrolled<I + 1>(s, ends, found);
		else
			return found;
	}
};
