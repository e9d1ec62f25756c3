// Where the alignment of a pattern within a text lies in its band, from the values of all strips: gotohedges.cuh. It may begin
// on any diagonal, so inner cells that suit all are too far away from it. Those of one side are in the same strip from the rim
// throughout, next to the strips in which it is; `near` tells where those of its begin could be.
//
// In each row the alignment is likely to be where H is least. Only what certifies scores depends on that, and not whether they
// are right.
#pragma once
#include "gotohedges.cuh"

static constexpr int detourStart = 128; // rows from which on H tells where the alignment is
static constexpr int detourNear = 2048; // rows of its begin
static constexpr int detourLooks = 128; // values that are looked at, at most

// DetourPath has numbers of strips between the rims and the inner cells, right and left, and those of the begin, right. A number
// below 1 tells that the alignment is at a rim, one above all strips that H tells of no row.
struct DetourPath {
	int inner[2], near;

	// clear is for one thread, ahead of find.
	__device__ __forceinline__ void clear() { inner[0] = inner[1] = near = 1 << 20; }

	// find makes the numbers those of a pair. Warps of a block share the work. They wait for each other after that.
	__device__ __forceinline__ void find(const GotohEdges<true> &edges, const int *values, const Task &t) {
		const int lane = threadIdx.x & 31, apart = max(edges.count / detourLooks, 1);
		for (int i = (int)(threadIdx.x >> 5) * apart; i < edges.count; i += (int)(blockDim.x >> 5) * apart) {
			const int k = edges.first + i;
			int least = noEdge,
			    ahead = edges.strips; // the least value, and how many strips the one at the rim is ahead of its
			for (int j = lane; j < edges.strips; j += 32) {
				const int b = k - 1 - j, row = edges.rowOf(k, b);
				if (b < 0 || row < detourStart || row > t.patternLength || (b + 1) * edges.columns > t.textLength)
					continue;
				const int v = values[i * edges.words() + edges.place(b)];
				if (v >= least) continue;
				least = v;
				ahead = j;
			}
#pragma unroll
			for (int d = 1; d < 32; d *= 2) {
				const int v = __shfl_xor_sync(~0u, least, d), j = __shfl_xor_sync(~0u, ahead, d);
				if (v > least || v == least && j >= ahead) continue;
				least = v;
				ahead = j;
			}
			if (lane != 0 || least >= noEdge) continue;
			atomicMin(inner, ahead - 1);
			atomicMin(inner + 1, edges.strips - 2 - ahead);
			if (edges.rowOf(k, k - 1 - ahead) <= detourNear) atomicMin(&near, ahead - 1);
		}
	}
};
