// A side of a pair's band: the segments of one sequence, and where the other one is outside.
#pragma once
#include "indels.cuh"

// SegmentSide is a side of a pair: a sequence that is cut into segments, and the other one.
struct SegmentSide {
	const u32 *along, *across; // letters
	int width;                 // number of letters across
	int segments, measured;    // numbers of all, and of those that are measured
	int *sums; // of what the first segments cost, for each number of these; those of the left side follow the right's
};

// SegmentText is what a segment has of the other sequence.
struct SegmentText {
	int from, to;
};
