// What alignments cost that leave a band of gotoh.cuh, from what there is to align outside. It certifies scores that
// gaps and broken seeds do not.
//
// A detour is a part of an alignment: it begins at the rim of the band, goes on outside, and ends at the first of the
// inner cells of that edge, those of a diagonal in the band: gotohedges.cuh. If each costs more than the band has for
// the cell at its end, no optimal alignment has one. On the right, one that begins in row p and ends in row q costs at
// least
//
//	H(p) + o + max(LETTERS * e, INDELS * min(e, x/2))     and must exceed     H(q) + o
//
// where LETTERS are those of the insertion that leads back, which has opened outside, and may go on inside; INDELS is
// the sum of the least indel distances (indels.cuh) of those segments of the pattern that lie between p and q from the
// text on that side. Of the text, a segment has what is not too far away: further out, broken seeds certify the score
// (brokenseeds.cuh). On the left, a deletion leads back.
//
// H is known for every COLUMNS-th row. Rows of the rim before such a one have at least H - o - e*COLUMNS there, since
// a gap leads from them to that. H does not fall along a diagonal, so inner cells before one with a value do not
// exceed it. After the last value of a side, an alignment still has to go to the end's diagonal.
//
// A block takes a pair at a time. Its memory, a.edgeWords words: the values of gotoh.cuh; for each strip that comes,
// the least of what alignments have on the rim so far, less the indels before that; the sums of indels of both sides.
//
// Shared memory, static: 8 bytes. Units: costs are doubled, as x/2 is not whole.
#pragma once
#include "gotohedges.cuh"
#include "indels.cuh"
#include "stop.cuh"

// detourInner is the number of diagonals between those from 0 to the end cell's and the inner cells, at least. The
// nearer they are, the more of what a segment aligns with lies outside; the further, the more has the band for them.
static constexpr int detourInner = 64;
static constexpr float detourSpare = 1.4f; // how much more the segments that are measured cost than the alignment
static constexpr int detourWarps = 8;      // most warps of a block
static constexpr int detourSample = 8; // of pairs that need no detours, one of so many tells how few diagonals would do

// GotohRims are the least costs at the rims, of both sides.
struct GotohRims {
	int right, left;
};

// Detours are those of a pair.
struct Detours {
	const Params &a;
	const Task &pair;
	const GotohBand &band;
	const GotohEdges &edges;
	const int *values;
	GotohRims *rims;
	int *sums[2];    // of the indels of the first segments, right and left
	int inner[2];    // strips between the rims and the inner cells, right and left, at least 1
	int diagonal[2]; // of the inner cells
	int segments, score, wide, weight, lane;

	__device__ __forceinline__ Detours(const Params &params, const Task &p, const GotohBand &b, const GotohEdges &e,
	                                   int at, int upper, int half)
	    : a(params), pair(p), band(b), edges(e), values(gotohEdges(params, at)), score(upper), wide(half) {
		rims = (GotohRims *)(values + (u64)e.count * e.strips);
		segments = p.patternLength / segmentLetters;
		sums[0] = (int *)(rims + e.count);
		sums[1] = sums[0] + segments + 1;
		weight = min(2 * a.gapExtend, a.mismatch);
		lane = threadIdx.x & 31;
		const int end = pair.textLength - pair.patternLength;
		const int right = max(end, 0) + detourInner, left = min(end, 0) - detourInner;
		inner[0] = (band.above - 1 - right) / edges.period();
		inner[1] = (left + band.below + 1) / edges.period();
		diagonal[0] = band.above - 1 - inner[0] * edges.period();
		diagonal[1] = inner[1] * edges.period() - band.below - 1;
	}
	// any tells whether the inner cells are apart from the rims.
	__device__ __forceinline__ bool any() const { return min(inner[0], inner[1]) > 0; }

	// measured returns how many segments are measured: enough for a score of few errors, all for one of many.
	__device__ __forceinline__ int measured() const {
		const float part = 0.05f + detourSpare * (float)score / (0.25f * (float)weight * (float)pair.patternLength);
		return min((int)(part * (float)segments) + 1, segments);
	}

	// measure finds the indel distances of segments. All threads of the block call it.
	__device__ __forceinline__ void measure() const {
		const int end = pair.textLength - pair.patternLength, count = measured();
		for (int i = threadIdx.x; i < 2 * segments; i += blockDim.x)
			sums[i >= segments][i - (i >= segments) * segments + 1] = 0;
		__syncthreads();
		for (int i = threadIdx.x; i < 2 * count; i += blockDim.x) {
			const int side = i >= count, number = (int)((long long)(i - side * count) * segments / count);
			const int row = number * segmentLetters;
			if (stopped(a)) break;
			const int from = side == 0 ? row + diagonal[0] + 1 : row - max(-end, 0) - wide + 1;
			const int to =
			    side == 0 ? row + segmentLetters + max(end, 0) + wide - 1 : row + segmentLetters + diagonal[1];
			IndelSegment segment;
			segment.load(pair.pattern, number);
			segment.take(pair.text, pair.textLength, max(from, 0), min(to, pair.textLength));
			sums[side][number + 1] = segment.least;
		}
	}

	// add makes distances their sums. A warp calls it for a side.
	__device__ __forceinline__ void add(int side) const {
		int before = 0;
		if (lane == 0) sums[side][0] = 0;
		for (int from = 1; from <= segments; from += 32) {
			const int i = from + lane;
			int v = i <= segments ? sums[side][i] : 0;
#pragma unroll
			for (int d = 1; d < 32; d *= 2) {
				const int other = __shfl_sync(~0u, v, (lane - d) & 31);
				if (lane >= d) v += other;
			}
			v += before;
			if (i <= segments) sums[side][i] = v;
			before = __shfl_sync(~0u, v, 31);
		}
		__syncwarp();
	}

	// A Departure is the begin of a detour: what alignments have there, and the first segment behind it.
	struct Departure {
		int cost, segment;
	};
	__device__ __forceinline__ Departure departure(int side, int i) const {
		const int k = edges.first + i, columns = edges.columns, strip = side == 0 ? k - 1 : k - edges.strips;
		const int row = edges.rowOf(k, strip) - (side == 0); // the last one
		const bool outside = k * columns < pair.textLength && strip >= 0 && row < pair.patternLength;
		const int cost = outside ? values[edges.place(k, strip)] : noEdge;
		return {cost >= noEdge ? noEdge : 2 * (cost - a.gapOpen - a.gapExtend * columns),
		        min((row + segmentLetters - 1) / segmentLetters, segments)};
	}

	// An Arrival is the end of one: what the band has there, the number of segments before it, letters of the gap
	// that leads there, and the last departure that may be before it. Without one, `last` is less than -1.
	struct Arrival {
		int cost, segments, letters, last;
	};
	__device__ __forceinline__ Arrival arrival(int side, int i) const {
		const int end = pair.textLength - pair.patternLength, columns = edges.columns;
		const int letters = inner[side] * edges.period();
		const Arrival no = {0, 0, 0, -2};
		if (i == edges.count) { // all rows that remain
			const int from = i == 0 ? 0 : edges.rowOf(edges.first + i - 1, stripOf(side, i - 1)) + 1;
			if (from > pair.patternLength) return no;
			const int before = min(from / segmentLetters, segments);
			const int remain = side == 0 ? diagonal[0] - end : end - diagonal[1];
			return {2 * (score - a.gapOpen - a.gapExtend * remain), before, letters, i - 1};
		}
		const int k = edges.first + i, strip = stripOf(side, i);
		if (strip < 0) return no;
		// The rows from `from` on, to the one of the value.
		const int from = i == 0 || strip == 0 ? 0 : edges.rowOf(k, strip) - columns + 1;
		if (from > pair.patternLength || side == 0 && from + diagonal[0] > pair.textLength) return no;
		// On the right, rows are passed on the way back.
		const int apart = side == 0 ? inner[0] : (inner[1] + columns - 1) / columns;
		return {2 * values[edges.place(k, strip)], min(max(from, 0) / segmentLetters, segments), letters, i - apart};
	}
	// stripOf is that of the inner cell of a value.
	__device__ __forceinline__ int stripOf(int side, int i) const {
		const int k = edges.first + i;
		return side == 0 ? k - 1 - inner[0] : k - edges.strips + inner[1];
	}

	// spare returns how many diagonals fewer on either side would do, of a side's edge; negative if as many more are
	// needed: if a detour costs no more than what the band has. A warp calls it.
	__device__ __forceinline__ int spare(int side) const {
		const int *sum = sums[side];
		int before = noEdge;
		for (int from = 0; from < edges.count; from += 32) {
			const int i = from + lane;
			int v = noEdge;
			if (i < edges.count) {
				const Departure d = departure(side, i);
				if (d.cost < noEdge) v = d.cost - weight * sum[d.segment];
			}
#pragma unroll
			for (int d = 1; d < 32; d *= 2) v = min(v, __shfl_sync(~0u, v, max(lane - d, 0)));
			v = min(v, before);
			if (i < edges.count) (side == 0 ? rims[i].right : rims[i].left) = v;
			before = __shfl_sync(~0u, v, 31);
		}
		__syncwarp();
		int spare = noEdge;
		for (int i = lane; i <= edges.count; i += 32) {
			const Arrival arrives = arrival(side, i);
			if (arrives.last < -1) continue;
			const int there = sum[arrives.segments], gap = 2 * a.gapExtend * arrives.letters;
			int last = min(arrives.last, edges.count - 1);
			for (; last >= 0; last--) { // from these, the gap costs more than the indels
				const Departure d = departure(side, last);
				const int indels = max(weight * (there - sum[d.segment]), 0);
				if (indels >= gap) break;
				if (d.cost < noEdge)
					spare = min(spare, max(diagonals(d.cost + gap - arrives.cost, 2),
					                       diagonals(d.cost + indels - arrives.cost, 1)));
			}
			const int far = last < 0 ? noEdge : side == 0 ? rims[last].right : rims[last].left;
			if (far < noEdge) spare = min(spare, diagonals(far + weight * there - arrives.cost, 1));
		}
#pragma unroll
		for (int d = 1; d < 32; d *= 2) spare = min(spare, __shfl_xor_sync(~0u, spare, d));
		return spare;
	}
	// diagonals returns by how many fewer a detour that costs more by `more` does, if it loses some letters of gaps
	// with each.
	__device__ __forceinline__ int diagonals(int more, int letters) const {
		const int each = 2 * a.gapExtend * letters;
		return more > 0 ? (more - 1) / each : -((each - more) / each);
	}
};

// searchDetours certifies scores of a launch of gotoh.cuh that its bands do not, and makes them results. Of others it
// reports the slack of a band that is likely to certify the score.
__device__ __forceinline__ void searchDetours(const Params &a) {
	__shared__ int spares[2];
	for (int at = blockIdx.x; at < a.count; at += gridDim.x) {
		if (__syncthreads_or(threadIdx.x == 0 && stopped(a))) return;
		const Task &t = a.tasks[at];
		const Result r = a.results[at];
		const bool known = r.score >= 0;
		const int score = known ? r.score : (int)r.cigar;
		if (!known && (score == 0 || score > GotohBand::wanted(a, t))) continue;
		const GotohBand band(a, t, 2 * a.pairThreads, a.pairWords, false);
		const GotohEdges edges(a, t, band, 2 * a.pairThreads, a.pairWords);
		if (edges.count == 0) continue;
		const GotohLeaving leaving = *gotohLeaving(a, at);
		int wide = leaving.rise > 0 ? leaving.enough(score) : (int)GotohLeaving::most;
		if (leaving.certified(wide) < score) wide = t.patternLength + t.textLength; // all of the text
		const Detours detours(a, t, band, edges, at, score, wide);
		// Half of the narrowest band that has detours.
		const int least = band.half - edges.period() * (min(detours.inner[0], detours.inner[1]) - 1);
		if (!detours.any() || known && wide <= least) continue;
		if (known && at % detourSample != 0) { // not all tell how wide a band they need
			if (threadIdx.x == 0) a.results[at].flags = 0;
			continue;
		}
		// More errors than letters outside are likely to have cost more than these.
		if (10ll * score > 3ll * min(2 * a.gapExtend, a.mismatch) * t.patternLength) continue;

		detours.measure();
		__syncthreads();
		for (int side = threadIdx.x >> 5; side < 2; side += blockDim.x >> 5) {
			detours.add(side);
			const int spare = detours.spare(side);
			if (detours.lane == 0) spares[side] = spare;
		}
		__syncthreads();
		if (threadIdx.x == 0) {
			const int spare = min(spares[0], spares[1]), enough = max(band.half - spare, least);
			const int slack = min(gotohSlack(a, t, at, score, false), GotohBand::gapsCertify(a, t, enough, false));
			if (known)
				a.results[at].flags = gotohShare(slack, score);
			else if (spare >= 0)
				a.results[at] = {score, 0, 0, gotohShare(slack, score)};
			else
				a.results[at].cigarLength = (u32)min(
				    (int)r.cigarLength, max(slack, GotohBand::gapsCertify(a, t, band.half + band.half / 4 + 1, false)));
		}
		__syncthreads();
	}
}
