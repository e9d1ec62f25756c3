// What a lane of gotoh.cuh stores of a pair for the traceback: lines and checkpoints (gotohcheckpoints.cuh), or nothing for
// scores alone.
#pragma once
#include "gotohcheckpoints.cuh"

template <bool STORE, int COLUMNS> struct GotohStore {
	__device__ __forceinline__ GotohStore(u32 *) {}
	__device__ __forceinline__ void start(u32 *, const Task &, int, int, int) {}
	__device__ __forceinline__ void begin() {}
	__device__ __forceinline__ void stop() {}
	__device__ __forceinline__ void step(u32, u32) {}
	__device__ __forceinline__ void line(int, const u32 (&)[COLUMNS], const u32 (&)[COLUMNS], int) {}
	__device__ __forceinline__ void flush(int) {}
};

template <int COLUMNS> struct GotohStore<true, COLUMNS> {
	static_assert(COLUMNS % 4 == 0, "checkpoints have four words at a time");
	u32 *to;              // this lane's words of the next lines
	u32 *kept;            // those of the next checkpoint
	u32 last[gotohLines]; // this lane's words of the last lines
	bool stores;

	__device__ __forceinline__ GotohStore(u32 *memory) : to(memory), kept(memory), last(), stores(false) {}
	// start takes the memory of a pair, whose row 0 is in step `begin`.
	__device__ __forceinline__ void start(u32 *memory, const Task &pair, int lanes, int in, int begin) {
		const GotohPlaces places(pair, lanes, COLUMNS);
		if (in == 0) *memory = (u32)(begin % gotohRows);
		to = memory + places.lines(0, in);
		kept = memory + places.checkpoint(0, in);
	}
	// begin stores from now on, stop no longer.
	__device__ __forceinline__ void begin() { stores = true; }
	__device__ __forceinline__ void stop() { stores = false; }
	// step takes H of the last column and E beyond it after a step.
	__device__ __forceinline__ void step(u32 h, u32 e) {
#pragma unroll
		for (int k = 1; k < gotohLines; k++) last[k - 1] = last[k];
		last[gotohLines - 1] = gotohWord(h, e);
	}
	// line stores the last lines after step t, and after some of them a checkpoint.
	__device__ __forceinline__ void line(int t, const u32 (&h)[COLUMNS], const u32 (&f)[COLUMNS], int lanes) {
		if (!stores) return;
		*(uint4 *)to = make_uint4(last[0], last[1], last[2], last[3]);
		to += gotohLines * lanes;
		if ((t + 1) % gotohRows != 0) return;
#pragma unroll
		for (int c = 0; c < COLUMNS; c += 4)
			*(uint4 *)(kept + c * lanes) = make_uint4(gotohWord(h[c], f[c]), gotohWord(h[c + 1], f[c + 1]),
			                                          gotohWord(h[c + 2], f[c + 2]), gotohWord(h[c + 3], f[c + 3]));
		kept += lanes * COLUMNS;
	}
	// flush stores the lines that are left of a pair that ends before step `end`.
	__device__ __forceinline__ void flush(int end) {
		const int left = end % gotohLines;
#pragma unroll
		for (int k = 0; k < gotohLines - 1; k++)
			if (stores && k < left) to[k] = ago(left - 1 - k);
	}
	// ago returns the line of some steps ago, of the last one for 0.
	__device__ __forceinline__ u32 ago(int steps) const {
		u32 line = last[gotohLines - 1];
#pragma unroll
		for (int k = 1; k < gotohLines; k++)
			if (steps == k) line = last[gotohLines - 1 - k];
		return line;
	}
};
