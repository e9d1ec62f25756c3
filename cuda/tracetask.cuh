// The task of a group of threads in a traceback kernel: its pair, its rows, and room for
// its alignment.
#pragma once
#include "cigar.cuh"

// takeRoom reserves room for the alignments of a warp's pairs, by one atomic operation.
// s is the score of this thread's pair, negative without an alignment; writes marks one
// thread of each pair. It reports whether the pair has an alignment and room for it, and
// sets the room's first element and its number of elements, which roomOf returns for a score.
template <class ROOM>
__device__ __forceinline__ bool takeRoom(const Params &a, int s, bool writes, ROOM &&roomOf, Result &result, u32 &base,
                                         int &room) {
	const int lane = threadIdx.x & 31;
	room = s < 0 ? 0 : roomOf(a, s);
	int sum = writes ? room : 0;
#pragma unroll
	for (int o = 1; o < 32; o <<= 1) {
		const int v = __shfl_up_sync(~0u, sum, o);
		if (lane >= o) sum += v;
	}
	base = 0;
	if (lane == 31 && sum > 0) base = atomicAdd(a.used, (u32)sum);
	base = __shfl_sync(~0u, base, 31) + (u32)(sum - room);
	if (s < 0) return false;
	if ((u64)base + room <= a.cigarCapacity) return true;
	if (writes) result.flags = flagNoRoom;
	return false;
}

// roomOf is cigarRoom, and with free ends room for the positions before an alignment.
template <bool FREE> __device__ __forceinline__ int roomOf(const Params &a, int score) {
	return cigarRoom(a, score) + (FREE ? 2 : 0);
}

// TraceTask is the pair of a group of THREADS threads, if on.
template <int THREADS> struct TraceTask {
	int in, shift; // this thread's place in the group, the group's first lane
	bool on;       // the pair has an alignment and room for it
	bool writes;   // this thread writes the pair's result
	Task task;
	Result *result;
	int score;
	const u32 *rows;
	u32 *room, *end; // for the alignment

	__device__ __forceinline__ TraceTask(const Params &a) : TraceTask(a, cigarRoom) {}
	template <class ROOM> __device__ __forceinline__ TraceTask(const Params &a, ROOM &&roomOf) {
		const int lane = threadIdx.x & 31, at = (blockIdx.x * blockDim.x + threadIdx.x) / THREADS;
		const bool live = at < a.count;
		in = lane & (THREADS - 1);
		shift = lane & ~(THREADS - 1);
		writes = in == 0;
		task = {nullptr, nullptr, 0, 0, 0, 0};
		if (live) task = a.tasks[at];
		result = a.results + (live ? at : 0);
		score = live ? result->score : -1;
		u32 base;
		int size;
		on = takeRoom(a, score, writes, roomOf, *result, base, size);
		writes = writes && on;
		rows = a.rows + (u64)(live ? at : 0) * a.rowStride;
		room = a.cigars + base;
		end = room + size;
	}

	// textEnd returns where the alignment ends in the text. With free ends, the kernel has left that in the result.
	template <bool FREE> __device__ __forceinline__ int textEnd() const {
		return FREE && on ? (int)result->cigarLength : task.textLength;
	}

	__device__ __forceinline__ CigarWriter writer() const { return {end, room, 0, writes, false}; }

	// report ends an alignment and writes the pair's result.
	__device__ __forceinline__ void report(const Params &a, CigarWriter &c, bool wrong) const {
		if (!writes) return;
		c.flush();
		result->flags = wrong || c.full ? (u32)flagTrace : result->flags & (flagSlack | flagDoubtful);
		result->cigar = (u32)(c.at - a.cigars);
		result->cigarLength = (u32)(end - c.at);
	}
};
