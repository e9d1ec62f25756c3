// Exact alignment for all penalties and lengths. One block aligns a pair in its own
// memory; general.cuh has the layout and the wavefronts.
//
// When a segment of rows is full, its last rows are saved as a checkpoint and the next
// segment begins. The traceback starts in the last segment; when it needs an earlier
// row, the segment before is recomputed from its checkpoint. An alignment of score s
// takes O(s^1.5) memory and at most twice the time. It is the alignment that a traceback
// over all rows finds.
//
// Shared memory: 80 static bytes.
//
// Limits: the worker's memory (flagMemory).
#include "exacttrace.cuh"
#include "general.cuh"
#include "stop.cuh"

// SegmentRows are the rows of the current segment and the lookback rows before it.
struct SegmentRows {
	const General &g;

	__device__ __forceinline__ bool there(int s) const { return s < 0 || s >= g.segment - g.lookback; }
	__device__ __forceinline__ int cell(bool, int s, int k) const {
		return s < 0 || k < g.low(s) || k > g.high(s) ? -1 : g.mRow(s)[k];
	}
};

extern "C" __global__ void __launch_bounds__(1024) wfa_general(const __grid_constant__ Params a) {
	__shared__ int taken, reached[2], arrived;
	__shared__ u32 place;
	__shared__ ExactState trace; // thread 0's, kept across segments
	General g;
	u32 *scratch = g.layOut(a, blockIdx.x);

	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) {
			taken = (int)atomicAdd(a.next, 1u);
			reached[0] = reached[1] = 0;
		}
		__syncthreads();
		if (taken >= a.count) return;
		const Task p = a.tasks[taken];
		Result &result = a.results[taken];
		const int bound = min(p.bound, a.maxScore);
		g.take(p, bound);
		int segments = 0; // before the current one

		bool ended = g.first();
		if (ended) reached[0] = 1;
		__syncthreads();
		int s = 0;
		bool found = reached[0] != 0, memory = true;
		while (!found && s < bound) {
			s++;
			if (blockStops(a, s)) return;
			if (g.segmentRows > 0 && s == g.segment + g.segmentRows) {
				if (segments == a.checkpoints) {
					memory = false;
					break;
				}
				g.save(segments, s);
				__syncthreads();
				g.load(segments);
				segments++;
				g.segment = s;
				__syncthreads();
			}
			if (g.row(s)) reached[s & 1] = 1;
			__syncthreads();
			found = reached[s & 1] != 0;
		}
		if (!found) {
			if (threadIdx.x == 0) {
				result = {-1, 0, 0, memory ? 0u : (u32)flagMemory};
			}
			continue;
		}
		if (g.segmentRows == 0) {
			if (threadIdx.x == 0) result = {s, 0, 0, 0};
			continue;
		}

		if (threadIdx.x == 0)
			trace.begin({scratch + a.scratch, scratch, 0, true, false}, s, p.patternLength, p.textLength, true);
		for (;;) {
			if (threadIdx.x == 0) {
				ExactPath<SegmentRows> path = {trace, g.text, g.pattern, {g}};
				path.on = true;
				traceback(a, OneThread(), path);
				trace = path;
				arrived = path.arrived;
			}
			__syncthreads();
			if (arrived) break;
			segments--;
			const int end = g.segment;
			g.segment -= g.segmentRows;
			if (segments == 0) { // the first segment begins with score 0
				g.first();
			} else {
				g.load(segments - 1);
			}
			__syncthreads();
			for (int t = segments == 0 ? 1 : g.segment; t < end; t++) {
				if (blockStops(a, t)) return;
				g.row(t);
				__syncthreads();
			}
		}
		u32 n = 0;
		if (threadIdx.x == 0) {
			trace.cigar.flush();
			n = (u32)(scratch + a.scratch - trace.cigar.at);
			u32 flags = trace.failed() ? (u32)flagTrace : 0u;
			place = atomicAdd(a.used, n);
			if ((u64)place + n > a.cigarCapacity) flags |= flagNoRoom;
			result = {s, place, flags ? 0 : n, flags};
			reached[0] = flags ? 0 : (int)n;
		}
		__syncthreads();
		n = (u32)reached[0];
		const u32 *from = scratch + a.scratch - n;
		for (u32 i = threadIdx.x; i < n; i += blockDim.x) a.cigars[place + i] = from[i];
	}
}
