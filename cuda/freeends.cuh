// Where the alignment of a pattern within a text ends.
//
// It may end on any diagonal in whose last cell the pattern ends. Of several such ends of the least score, that on
// the lowest diagonal is taken. An end is a number: the score times 2^endBits, plus the place of its diagonal in
// the band. So the least number is the end of the alignment.
#pragma once
#include "wavefronts.cuh"

static constexpr int endBits = 14, noEnd = 0x7fffffff;

__device__ __forceinline__ int scoreOfEnd(int end) { return end >> endBits; }
__device__ __forceinline__ int placeOfEnd(int end) { return end & ((1 << endBits) - 1); }

// FreeEnds are the diagonals of a pair's band on which alignments may end.
struct FreeEnds {
	int lane;            // place of this lane's first diagonal
	int lowest, highest; // places less that

	FreeEnds() = default;
	__device__ __forceinline__ FreeEnds(const Band<true> &b, const Task &p, int lane)
	    : lane(lane), lowest(-p.patternLength - b.first - lane), highest(b.end - b.first - lane) {}

	// least returns the smaller of an end and the least one in the last ROWS rows of word j, up to the row of score s.
	// The diagonals of the halves are `place` and place + half, from this lane's first one on.
	template <class P, int PHASE, int ROWS, class W>
	__device__ __forceinline__ int least(const W &waves, int j, int s, int place, int half, int end) const {
		const u32 last = waves.last[j];
		u32 most = waves.m[P::slot(PHASE, 0)][j];
#pragma unroll
		for (int b = 1; b < ROWS; b++) most = max2(most, waves.m[P::slot(PHASE, b)][j]);
		// A half is 0 if a row has come to the end of the diagonal; the pattern may not end there.
		const u32 left = min2(most, last) ^ last;
		if (((left - 0x00010001u) & ~left & 0x80008000u) == 0) return end;
#pragma unroll
		for (int b = 0; b < ROWS; b++) {
			const u32 m = waves.m[P::slot(PHASE, b)][j];
			const int number = ((s - b) << endBits) + lane;
			if (lowCell(m) >= lowCell(last) && has(place)) end = min(end, number + place);
			if (highCell(m) >= highCell(last) && has(place + half)) end = min(end, number + place + half);
		}
		return end;
	}
	__device__ __forceinline__ bool has(int place) const { return place >= lowest && place <= highest; }
};
