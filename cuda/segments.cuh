// What there is to align outside of a pair's band: what segments of its sequences cost there, at least (outsidecosts.cuh), and their
// sums. For detours.cuh and outside.cuh.
#pragma once
#include "affinesegment.cuh"
#include "missingseeds.cuh"
#include "outsidecosts.cuh"
#include "stop.cuh"

// indelSpare is how much more the segments that are measured cost than the score to certify.
static constexpr float indelSpare = 2.5f;

// indelSample is of how many pairs that are certified without segments one is looked at, to tell how wide a band it needs.
static constexpr int indelSample = 8;

// measuredSegments returns how many segments of a sequence are measured to certify a score: enough for one of few errors, all for one of
// many.
__device__ __forceinline__ int measuredSegments(int score, const OutsideCosts &costs, int length) {
	const int segments = length / segmentLetters;
	const float part = 0.05f + indelSpare * (float)score / (0.001f * (float)costs.thousand * (float)length);
	return part < 1.0f ? min((int)(part * (float)segments) + 1, segments) : segments;
}

// addSegments makes what the first segments have each, from values[1] on, sums. A warp calls it.
__device__ __forceinline__ void addSegments(int *values, int segments) {
	const int lane = threadIdx.x & 31;
	int before = 0;
	for (int from = 1; from <= segments; from += 32) {
		const int i = from + lane;
		int v = i <= segments ? values[i] : 0;
#pragma unroll
		for (int d = 1; d < 32; d *= 2) {
			const int other = __shfl_sync(~0u, v, (lane - d) & 31);
			if (lane >= d) v += other;
		}
		v += before;
		if (i <= segments) values[i] = v;
		before = __shfl_sync(~0u, v, 31);
	}
	__syncwarp();
}

// measureSegments writes what the measured segments of both sides cost: each of SEGMENT's distance. All threads of the block call it.
template <class SEGMENT, class PAIR>
__device__ __forceinline__ void measureSegments(const Params &a, const PAIR &pair, const SegmentSide &right,
                                                const SegmentSide &left, int each, IndelRows &rows) {
	int seen = 0; // letters since the last look
	for (int i = threadIdx.x; i < right.measured + left.measured; i += blockDim.x) {
		const int which = i >= right.measured;
		const SegmentSide &side = which ? left : right;
		const int number = (int)((long long)(i - which * right.measured) * side.segments / side.measured);
		const SegmentText text = pair.textOf(which, number * segmentLetters, segmentLetters);
		seen += max(text.to - text.from, 0);
		if (seen > (int)stopLetters) {
			if (stopped(a)) break;
			seen = 0;
		}
		SEGMENT segment(rows);
		segment.load(side.along, number);
		segment.take(side.across, side.width, text.from, text.to);
		side.sums[number + 1] = each * segment.least();
	}
}

// sumSegments writes the sums of what the segments of a pair cost outside. Those that are not measured cost nothing. All threads of the
// block call it; `rows` is memory for either kind of costs.
template <class PAIR>
__device__ __forceinline__ void sumSegments(const Params &a, const PAIR &pair, const OutsideCosts &costs,
                                            IndelRows &rows) {
	static_assert(sizeof(IndelRows) >= SeedTable::words * sizeof(u32), "room for a table");
	const SegmentSide right = pair.segmentSide(0), left = pair.segmentSide(1);
	const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
	for (int i = threadIdx.x; i < right.segments + left.segments + 2; i += blockDim.x) right.sums[i] = 0;
	__syncthreads();
	if (costs.measure == OutsideCosts::indels)
		measureSegments<IndelSegment>(a, pair, right, left, costs.each, rows);
	else if (costs.measure == OutsideCosts::affine)
		measureSegments<AffineSegment>(a, pair, right, left, costs.each, rows);
	else if (warp == 0) {
		const SeedTable table = {(u32 *)&rows, (int)(threadIdx.x & 31)};
		countMissing(table, pair, 0, right, costs.each);
		countMissing(table, pair, 1, left, costs.each);
	}
	__syncthreads();
	for (int which = warp; which < 2; which += warps) {
		const SegmentSide &side = which ? left : right;
		addSegments(side.sums, side.segments);
	}
	__syncthreads();
}
