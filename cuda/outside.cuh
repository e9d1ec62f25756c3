// What there is to align outside of the inner cells of a pair's band, for gotohrims.cuh: what the segments of its pattern cost, at least,
// on either side.
//
// A block takes a pair at a time. It looks at pairs whose band does not certify their bound, and at some others, which tell
// how wide a band they need. Of the text, a segment has what is not too far away: further out, broken seeds certify the bound
// (brokenseeds.cuh).
//
// Shared memory, static: that of indels.cuh, 8 KB. Units: costs are doubled, as x/2 may not be whole.
#pragma once
#include "gotohrims.cuh"
#include "segments.cuh"

// OutsidePair is a pair that is looked at.
struct OutsidePair {
	const Task &task;
	const GotohRims rims;
	int *sums[2];
	int segments, measured, wide;

	__device__ __forceinline__ OutsidePair(const Params &a, const Task &t, const GotohBand &band,
	                                       const OutsideCosts &costs, int wanted, int diagonals, int *to)
	    : task(t), rims(a, t, band, 2 * a.pairThreads, a.pairWords), wide(diagonals) {
		segments = t.patternLength / segmentLetters;
		sums[0] = to;
		sums[1] = to + segments + 1;
		measured = measuredSegments(wanted, costs, t.patternLength);
	}

	__device__ __forceinline__ SegmentSide segmentSide(int side) const {
		return {task.pattern, task.text, task.textLength, segments, measured, sums[side]};
	}
	// rises reports whether the end of a segment's text that is at the band is the upper one.
	__device__ __forceinline__ bool rises(int side) const { return side == 1; }
	// textOf returns the text of some letters from one on.
	__device__ __forceinline__ SegmentText textOf(int side, int at, int letters) const {
		const int end = task.textLength - task.patternLength;
		if (side == 0) return {rims.textFrom(at), min(at + letters + max(end, 0) + wide, task.textLength)};
		return {max(at + min(end, 0) - wide, 0), min(rims.textTo(at + letters), task.textLength)};
	}
};

// lookOutside prepares the rims of a launch's pairs.
__device__ __forceinline__ void lookOutside(const Params &a) {
	__shared__ IndelRows rows;
	u32 letters = 0; // since the last look at the stop word
	for (int at = blockIdx.x; at < a.count; at += gridDim.x) {
		const Task &t = a.tasks[at];
		letters += (u32)(t.patternLength + t.textLength);
		if (letters > stopLetters) {
			if (__syncthreads_or(threadIdx.x == 0 && stopped(a))) return;
			letters = 0;
		}
		const GotohBand band = GotohBand::of(a, t, at, 2 * a.pairThreads, a.pairWords, true);
		const GotohLeaving leaving = *gotohLeaving(a, at);
		const int wanted = GotohBand::wanted(a, t);
		const bool certified = max(band.certified, leaving.certified(band.beside)) >= wanted;
		const bool looks =
		    GotohRims::suit(a, t, band, 2 * a.pairThreads, a.pairWords) && (!certified || at % indelSample == 0);
		int *const words = gotohSums(a, at);
		if (threadIdx.x == 0) *words = !looks ? 0 : certified ? 2 : 1;
		if (!looks) continue;
		int wide = leaving.rise > 0 ? leaving.enough(wanted) : (int)GotohLeaving::most;
		if (leaving.certified(wide) < wanted) wide = t.patternLength + t.textLength; // all of the text
		const OutsideCosts costs = OutsideCosts::ofRims(a, t, wanted);
		const OutsidePair pair(a, t, band, costs, wanted, wide, words + 1);
		sumSegments(a, pair, costs, rows);
	}
}
