// The adaptive band of a pair that a warp aligns: its cells, each at the place of its diagonal, and how the band
// moves. See adaptivewarp.cuh. WAVES has the cells, in registers or in shared memory; APART are the fewest places
// without a diagonal.
#pragma once
#include "adaptive.cuh"
#include "origins.cuh"

template <class WAVES, class T, int WORDS, int APART, bool MOVES>
struct PlacedBand : AdaptiveBand<typename KeyOf<MOVES>::type> {
	typedef typename KeyOf<MOVES>::type Key;
	typedef AdaptiveBand<Key> Rule;
	using Rule::absent;
	using Rule::band;
	using Rule::end;
	using Rule::first;
	using Rule::holdsEnd;
	using Rule::maxDrift;
	using Rule::never;
	using Rule::next;
	using Rule::patternLength;
	using Rule::textLength;
	static constexpr int width = 64 * WORDS;
	static constexpr bool moves = MOVES;
	static_assert(!MOVES || width < spareOffset, "diagonals of the band end after the origin");
	static_assert(maxLambda + APART < 32768, "null cells stay negative between moves");
	static constexpr int lost = -1, drifted = -2, overflow = -3;
	static constexpr int startWords = MOVES ? 2 : 1; // the lowest diagonal, and the origin
	WAVES waves;
	AdaptiveLookahead<T, WORDS> look;
	u32 below, above; // byte permutes for a shift by one diagonal up and down
	int lane;
	int goal;    // offset of the end cell, in lane 0 while the band has its diagonal
	int pattern; // address of the pattern's table
	u32 *starts; // address of the last stored lowest diagonal of the band
	int text;    // address of the text's table
	int origin;  // of offsets, with MOVES
	bool far;    // a cell of this lane was out of the range of offsets

	// from returns the text position of offset 0.
	__device__ __forceinline__ int from() const { return MOVES ? origin : 0; }

	// offset returns the place of a diagonal.
	__device__ __forceinline__ int offset(int diagonal) const {
		const int r = (diagonal - end) % width;
		return r < 0 ? r + width : r;
	}
	// after returns how many diagonals place q lies above the band's first one, at place
	// o.
	__device__ __forceinline__ static int after(int q, int o) { return q < o ? q - o + width : q - o; }
	__device__ __forceinline__ int place(int j, int half) const { return 64 * j + 32 * half + lane; }

	// start centres the band on diagonal 0 and sets the start cell of score 0.
	__device__ __forceinline__ void start(const Task &p) {
		Rule::begin(p);
		origin = 0;
		far = false;
		settle();
		const int o = offset(first);
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const bool low = first + after(place(j, 0), o) == 0, high = first + after(place(j, 1), o) == 0;
			waves.empty(j);
			waves.begin(j, cells(low ? 0 : lowCell(nullCells), high ? 0 : lowCell(nullCells)));
			waves.start(j, look, 64 * j, 32);
		}
		watch();
	}

	// settle sets the last cell and the look-up address of the diagonal at every place.
	__device__ __forceinline__ void settle() {
		const int o = offset(first), n = patternLength, m = textLength;
		look.setText(text + from() * T::size);
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			int last[2];
#pragma unroll
			for (int half = 0; half < 2; half++) {
				const int r = after(place(j, half), o), k = first + r;
				const bool there = r < band && k >= -n && k <= m;
				const int most = min(m, n + k) - from();
				last[half] = there ? MOVES ? min(most, largestOffset) : most : lowCell(nullCells);
				// Look-ups of null cells are near the pattern's begin, and differ from others by multiples of 16.
				look.setPattern(j, half, pattern + (from() - (there ? k : k & 15)) * T::size);
			}
			waves.last[j] = cells(last[0], last[1]);
		}
		// If the end cell's diagonal is not in the band, another may be at its place.
		goal = lane == 0 && holdsEnd() ? m - from() : never;
	}

	// drop nulls the halves, given as masks, of word j in all wavefronts, and resets null
	// cells.
	__device__ __forceinline__ void drop(int j, u32 halves) {
		waves.each(j, [=](u32 cell) { return dropped(cell, halves); });
	}
	__device__ __forceinline__ static u32 dropped(u32 cell, u32 halves) {
		const u32 gone = halves | negative2(cell);
		return (cell & ~gone) | (nullCells & gone);
	}

	// dropEnds drops cells at the end of their diagonal if the end cell's diagonal is not
	// in the band.
	__device__ __forceinline__ void dropEnds() {
		if (holdsEnd()) return;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const u32 last = waves.last[j];
			waves.each(j, [=](u32 cell) { return dropped(cell, ~negative2(sub2(cell, last))); });
		}
	}

	// nearest returns the key of the cell of a row of M that is nearest to the end; m(j) is word j.
	template <class ROW> __device__ __forceinline__ Key nearest(const ROW &m) const {
		const int o = offset(first);
		Key best = absent;
#pragma unroll
		for (int j = 0; j < WORDS; j++) {
			const u32 c = min2(m(j), waves.last[j]);
#pragma unroll
			for (int half = 0; half < 2; half++) {
				const int h = half == 0 ? lowCell(c) : highCell(c);
				const Key k = Rule::key(h + from(), first + after(place(j, half), o));
				if (h >= 0 && k < best) best = k;
			}
		}
#pragma unroll
		for (int i = 16; i > 0; i >>= 1) best = min(best, fromLane(best, i));
		return best;
	}

	// empty reports whether all cells of all wavefronts are null.
	__device__ __forceinline__ bool empty() const {
		u32 all = ~0u;
#pragma unroll
		for (int j = 0; j < WORDS; j++) all &= waves.negatives(j);
		return __all_sync(~0u, all == ~0u);
	}

	// follow moves the band towards the cell of row m, the last one, that is nearest
	// to the end. It returns lost, drifted (drifted or stalled), overflow, or 0.
	template <class ROW> __device__ __forceinline__ int follow(int mismatch, const ROW &m) {
		watch();
		if (MOVES && __any_sync(~0u, far)) return overflow;
		dropEnds();
		const Key best = nearest(m);
		const int off = Rule::drift(best);
		if (abs(off) > maxDrift || Rule::stalled(best, mismatch)) return drifted;
		const int by = Rule::shift(off), o = offset(first), p = offset(first + by);
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
			dropEnds();
		}
		if (best == absent && empty()) return lost;
		advance();
		return 0;
	}

	// watch notes whether a cell of M is out of the range of offsets.
	__device__ __forceinline__ void watch() {
		if constexpr (MOVES) {
			u32 most = nullCells;
#pragma unroll
			for (int j = 0; j < WORDS; j++) most = max2(most, waves.most(j));
			far |= max(lowCell(most), highCell(most)) >= largestOffset;
		}
	}

	// advance moves the origin towards the least offset.
	__device__ __forceinline__ void advance() {
		if constexpr (MOVES) {
			u32 least = ~0u;
#pragma unroll
			for (int j = 0; j < WORDS; j++) least = minHalves(least, waves.least(j));
			const int by = leastOf(least) - spareOffset;
			if (by <= 0 || by > largestOffset) return; // without a cell there is no least one
			origin += by;
#pragma unroll
			for (int j = 0; j < WORDS; j++) waves.lower(j, by);
			settle();
		}
	}

	// store writes where the band begins from now on, and the origin.
	__device__ __forceinline__ void store() const {
		if (lane != 0) return;
		starts[0] = (u32)first;
		if (MOVES) starts[1] = (u32)origin;
	}

	// reached reports, in lane 0 only, whether word 0 of the row has the end cell.
	__device__ __forceinline__ bool reached(u32 m) const { return lowCell(m) >= goal; }
};
