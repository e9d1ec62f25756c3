// What there is to align outside of the inner cells of a pair's band, for gotohrims.cuh: the indels of the segments of its pattern, at
// least, on either side.
//
// A block takes a pair at a time. It looks at pairs whose band does not certify their bound, and at some others, which tell
// how wide a band they need. Of the text, a segment has what is not too far away: further out, broken seeds certify the bound
// (brokenseeds.cuh).
//
// Shared memory, static: that of indels.cuh, 8 KB. Units: costs are doubled, as x/2 may not be whole.
#pragma once
#include "gotohrims.cuh"
#include "stop.cuh"

// OutsideText is the text of a segment on both sides.
struct OutsideText {
	int from[2], to[2];
};

// OutsidePair is a pair that is looked at.
struct OutsidePair {
	const Task &task;
	const GotohRims rims;
	int *sums[2];
	int segments, measured, wide, weight;

	__device__ __forceinline__ OutsidePair(const Params &a, const Task &t, const GotohBand &band, int wanted,
	                                       int diagonals, int *to)
	    : task(t), rims(band, 2 * a.pairThreads, a.pairWords), wide(diagonals) {
		segments = t.patternLength / segmentLetters;
		sums[0] = to;
		sums[1] = to + segments + 1;
		weight = min(2 * a.gapExtend, a.mismatch);
		measured = measuredSegments(wanted, weight, t.patternLength);
	}

	// textOf returns the text of the segment at a letter.
	__device__ __forceinline__ OutsideText textOf(int at) const {
		const int end = task.textLength - task.patternLength;
		OutsideText t;
		t.from[0] = rims.textFrom(at);
		t.to[0] = min(at + segmentLetters + max(end, 0) + wide, task.textLength);
		t.from[1] = max(at + min(end, 0) - wide, 0);
		t.to[1] = min(rims.textTo(at), task.textLength);
		return t;
	}

	// measure writes the indels of some segments, and 0 for the others. All threads of the block call it.
	__device__ __forceinline__ void measure(const Params &a, IndelRows &rows) const {
		for (int i = threadIdx.x; i < 2 * segments + 2; i += blockDim.x) sums[0][i] = 0;
		__syncthreads();
		int seen = 0; // letters since the last look
		for (int i = threadIdx.x; i < 2 * measured; i += blockDim.x) {
			const int side = i >= measured;
			const int number = (int)((long long)(i - side * measured) * segments / measured);
			const OutsideText text = textOf(number * segmentLetters);
			const int from = side == 0 ? text.from[0] : text.from[1], to = side == 0 ? text.to[0] : text.to[1];
			seen += max(to - from, 0);
			if (seen > (int)stopLetters) {
				if (stopped(a)) break;
				seen = 0;
			}
			IndelSegment segment(rows);
			segment.load(task.pattern, number);
			segment.take(task.text, task.textLength, from, to);
			(side == 0 ? sums[0] : sums[1])[number + 1] = weight * segment.least();
		}
		__syncthreads();
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
		const GotohBand band(a, t, 2 * a.pairThreads, a.pairWords, true);
		const GotohLeaving leaving = *gotohLeaving(a, at);
		const int wanted = GotohBand::wanted(a, t);
		const bool certified = max(band.certified, leaving.certified(band.half)) >= wanted;
		const bool looks =
		    GotohRims::suit(a, t, band, 2 * a.pairThreads, a.pairWords) && (!certified || at % indelSample == 0);
		int *const words = gotohSums(a, at);
		if (threadIdx.x == 0) *words = !looks ? 0 : certified ? 2 : 1;
		if (!looks) continue;
		int wide = leaving.rise > 0 ? leaving.enough(wanted) : (int)GotohLeaving::most;
		if (leaving.certified(wide) < wanted) wide = t.patternLength + t.textLength; // all of the text
		const OutsidePair pair(a, t, band, wanted, wide, words + 1);
		pair.measure(a, rows);
		const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
		for (int side = warp; side < 2; side += warps) addSegments(pair.sums[side], pair.segments);
		__syncthreads();
	}
}
