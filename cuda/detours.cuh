// What alignments cost that leave a band of gotoh.cuh, from what there is to align outside. It certifies scores that
// gaps and broken seeds do not.
//
// A detour is a part of an alignment: it begins at the rim of the band, goes on outside, and ends at the first of the
// inner cells of that edge, those of a diagonal in the band: gotohedges.cuh. If each costs more than the band has for
// the cell at its end, no optimal alignment has one. On the right, one that begins in row p and ends in row q costs at
// least
//
//	H(p) + o + max(LETTERS * e, SEGMENTS)     and must exceed     H(q) + o
//
// where LETTERS are those of the insertion that leads back, which has opened outside, and may go on inside; SEGMENTS is
// what those segments of the pattern that lie between p and q cost with the text on that side, less what may be in o, too:
// outsidecosts.cuh. Of the text, a segment has what is not too far away: further out, broken seeds certify the score
// (brokenseeds.cuh). On the left, a deletion leads back, and all is the same with pattern and text exchanged, and
// columns in place of rows: segments are those of the sequence that the gap passes.
//
// H(p) and H(q) are known every COLUMNS rows. H does not fall along a diagonal, so inner cells before one with a value do
// not exceed it. After the last value of a side, an alignment still has to go to the end's diagonal.
//
// A block takes a pair at a time. Its memory, a.edgeWords words: the values of gotohedges.cuh; for each strip that comes,
// the least of what alignments have on the rim so far, less what segments cost before that; the sums of what they cost on both sides.
//
// Shared memory, static: 24 bytes, and those of indels.cuh, 8 KB. Units: costs are doubled, as x/2 is not whole.
#pragma once
#include "gotohedges.cuh"
#include "segments.cuh"

// DetourRims are the least costs at the rims, of both sides.
struct DetourRims {
	int side[2];
};

// DetourSide is what the sides have in common: the sequence that is cut into segments, which lie along one axis of the
// matrix, and the other one.
struct DetourSide {
	const u32 *along, *across; // letters
	int length, width;         // numbers of letters
	int diagonal;              // of the inner cells: letters across less letters along
	int segments;
	int *sums; // of what the first segments cost

	__device__ __forceinline__ int end() const { return width - length; }
};

// Detours are those of a pair.
struct Detours {
	const Params &a;
	const GotohEdges &edges;
	const int *values;
	DetourRims *rims;
	DetourSide right, left;
	OutsideCosts costs;
	int score, wide, lane;

	__device__ __forceinline__ Detours(const Params &params, const Task &p, const GotohEdges &e,
	                                   const OutsideCosts &outside, int at, int upper, int half)
	    : a(params), edges(e), values(gotohEdges(params, at)), costs(outside), score(upper), wide(half) {
		rims = (DetourRims *)(values + e.count * GotohEdges::words);
		right = {p.pattern,
		         p.text,
		         p.patternLength,
		         p.textLength,
		         e.diagonal(0, e.inner[0]),
		         p.patternLength / segmentLetters,
		         (int *)(rims + e.count)};
		left = {p.text,
		        p.pattern,
		        p.textLength,
		        p.patternLength,
		        -e.diagonal(1, e.inner[1]),
		        p.textLength / segmentLetters,
		        right.sums + right.segments + 1};
		lane = threadIdx.x & 31;
	}
	__device__ __forceinline__ DetourSide of(int side) const { return side == 0 ? right : left; }
	__device__ __forceinline__ int innerStrips(int side) const { return side == 0 ? edges.inner[0] : edges.inner[1]; }
	// rim and inner are values before strip edges.first+i comes.
	__device__ __forceinline__ int rim(int i, int side) const { return values[i * GotohEdges::words + side]; }
	__device__ __forceinline__ int inner(int i, int side) const { return values[i * GotohEdges::words + 2 + side]; }

	__device__ __forceinline__ SegmentSide segmentSide(int side) const {
		const DetourSide s = of(side);
		return {s.along, s.across, s.width, s.segments, measuredSegments(score, costs, s.length), s.sums};
	}
	// rises is that of OutsidePair: on the left, the sequences have changed their places.
	__device__ __forceinline__ bool rises(int) const { return false; }
	// textOf returns the letters of the other sequence beyond the inner cells, for some letters from one on.
	__device__ __forceinline__ SegmentText textOf(int side, int at, int letters) const {
		const DetourSide s = of(side);
		return {max(at + s.diagonal + 1, 0), min(at + letters + max(s.end(), 0) + wide - 1, s.width)};
	}

	// A Departure is the begin of a detour: what alignments have there, and the first segment behind it.
	struct Departure {
		int cost, segment;
	};
	__device__ __forceinline__ Departure departure(int side, int i) const {
		const int k = edges.first + i, strip = edges.rim(side, k);
		// The last row and the last column, of which one is that of all.
		const int row = edges.rowOf(k, strip) - (side == 0), column = (strip + 1) * edges.columns;
		const DetourSide s = of(side);
		const bool outside = strip >= 0 && row >= 0 && row < right.length && k * edges.columns < right.width;
		int cost = outside ? rim(i, side) : noEdge;
		if (outside && side == 1 && strip == 0) // from column 0, too
			cost = min(cost, a.gapOpen + a.gapExtend * row);
		const int along = side == 0 ? row : min(column, s.length);
		return {cost >= noEdge ? noEdge : 2 * cost,
		        min(max(along + segmentLetters - 1, 0) / segmentLetters, s.segments)};
	}

	// An Arrival is the end of one: what the band has there, the number of segments before it, letters of the gap
	// that leads there, and the last departure that may be before it. Without one, `last` is less than -1.
	struct Arrival {
		int cost, segments, letters, last;
	};
	__device__ __forceinline__ Arrival arrival(int side, int i) const {
		const DetourSide s = of(side);
		const int columns = edges.columns, letters = innerStrips(side) * edges.period();
		const Arrival no = {0, 0, 0, -2};
		if (i == edges.count) { // all that remain
			const int from = i == 0 ? 0 : alongOf(side, i - 1) + 1;
			if (from > s.length) return no;
			const int before = min(max(from, 0) / segmentLetters, s.segments);
			const int remain = s.diagonal - s.end();
			return {2 * (score - a.gapOpen - a.gapExtend * remain), before, letters, i - 1};
		}
		const int strip = edges.innerStrip(side, edges.first + i);
		if (strip < 0) return no;
		// From `from` on, to the one of the value.
		const int from = i == 0 || strip == 0 ? 0 : alongOf(side, i) - columns + 1;
		if (from > s.length || from + s.diagonal > s.width) return no;
		// On the right, rows are passed on the way back.
		const int apart = side == 0 ? edges.inner[0] : (edges.inner[1] + columns - 1) / columns;
		return {2 * inner(i, side), min(max(from, 0) / segmentLetters, s.segments), letters, i - apart};
	}
	// alongOf is the row of the inner cell of a value, or its column.
	__device__ __forceinline__ int alongOf(int side, int i) const {
		const int k = edges.first + i, strip = edges.innerStrip(side, k);
		return side == 0 ? edges.rowOf(k, strip) : (strip + 1) * edges.columns;
	}

	// spare returns how many diagonals fewer on either side would do, of a side's edge; negative if as many more are
	// needed: if a detour costs no more than what the band has. A warp calls it.
	__device__ __forceinline__ int spare(int side) const {
		const int *sum = of(side).sums;
		int before = noEdge;
		for (int from = 0; from < edges.count; from += 32) {
			const int i = from + lane;
			int v = noEdge;
			if (i < edges.count) {
				const Departure d = departure(side, i);
				if (d.cost < noEdge) v = d.cost - sum[d.segment];
			}
#pragma unroll
			for (int d = 1; d < 32; d *= 2) v = min(v, __shfl_sync(~0u, v, max(lane - d, 0)));
			v = min(v, before);
			if (i < edges.count) rims[i].side[side] = v;
			before = __shfl_sync(~0u, v, 31);
		}
		__syncwarp();
		int spare = noEdge;
		for (int i = lane; i <= edges.count; i += 32) {
			const Arrival arrives = arrival(side, i);
			if (arrives.last < -1) continue;
			const int there = sum[arrives.segments] - costs.loss, gap = 2 * a.gapExtend * arrives.letters;
			int last = min(arrives.last, edges.count - 1);
			for (; last >= 0; last--) { // from these, the gap costs more than the segments
				const Departure d = departure(side, last);
				const int passed = max(there - sum[d.segment], 0);
				if (passed >= gap) break;
				if (d.cost < noEdge)
					spare = min(spare, max(diagonals(d.cost + gap - arrives.cost, 2),
					                       diagonals(d.cost + passed - arrives.cost, 1)));
			}
			const int far = last < 0 ? noEdge : rims[last].side[side];
			if (far < noEdge) spare = min(spare, diagonals(far + there - arrives.cost, 1));
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

// leastHalf is half of the narrowest band that has detours, of one with some half.
__device__ __forceinline__ int leastHalf(const GotohEdges &edges, int half) {
	return max(half - edges.period() * (min(edges.inner[0], edges.inner[1]) - 1), 1);
}

// searchDetours certifies scores of a launch of gotoh.cuh that its bands do not, and makes them results if they count. Of others it
// reports the slack of a band that is likely to certify the score.
__device__ __forceinline__ void searchDetours(const Params &a) {
	__shared__ int spares[2];
	__shared__ IndelRows rows;
	u32 letters = 0; // since the last look at the stop word
	for (int at = blockIdx.x; at < a.count; at += gridDim.x) {
		const Task &t = a.tasks[at];
		letters += (u32)(t.patternLength + t.textLength);
		if (letters > stopLetters) {
			if (__syncthreads_or(threadIdx.x == 0 && stopped(a))) return;
			letters = 0;
		}
		const Result r = a.results[at];
		const bool known = r.score >= 0;
		const int score = known ? r.score : (int)r.cigar;
		if (!known && (score == 0 || score > GotohBand::counts(a, t, false))) continue;
		const GotohBand band = GotohBand::of(a, t, at, 2 * a.pairThreads, a.pairWords, false);
		const GotohEdges edges(a, t, band, 2 * a.pairThreads, a.pairWords);
		if (edges.count == 0) continue;
		const GotohLeaving leaving = *gotohLeaving(a, at);
		int wide = leaving.rise > 0 ? leaving.enough(score) : (int)GotohLeaving::most;
		if (leaving.certified(wide) < score) wide = t.patternLength + t.textLength; // all of the text
		const int least = leastHalf(edges, band.half);
		if (known && wide <= least) continue;
		if (known && at % indelSample != 0) { // not all tell how wide a band they need
			if (threadIdx.x == 0) a.results[at].flags = 0;
			continue;
		}
		OutsideCosts costs(a, t);
		const bool unlikely = costs.affineTellsMore(a) && costs.more(score, t.patternLength, affineFrom);
		if (unlikely && costs.more(score, t.patternLength, affineFirst)) costs.takeAffine(a);
		// More errors than letters outside are likely to have cost more than these.
		if (costs.exceeds(score, t.patternLength)) continue;
		int spare = band.half - least;
		if (min(edges.inner[0], edges.inner[1]) > 0) {
			const auto search = [&] {
				const Detours detours(a, t, edges, costs, at, score, wide);
				sumSegments(a, detours, costs, rows);
				const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
				for (int side = warp; side < 2; side += warps) {
					const int spare = detours.spare(side);
					if (detours.lane == 0) spares[side] = spare;
				}
				__syncthreads();
				spare = min(spares[0], spares[1]);
			};
			search();
			if (spare < 0 && unlikely && costs.measure != OutsideCosts::affine) {
				costs.takeAffine(a);
				__syncthreads();
				search();
			}
		}
		if (threadIdx.x == 0) {
			const int enough = max(band.half - spare, least);
			const int slack = min(gotohSlack(a, at, score, 0, false), GotohBand::slackOf(a, enough, false));
			if (known)
				a.results[at].flags = gotohShare(slack, score);
			else if (spare >= 0)
				a.results[at] = {score, 0, 0, gotohShare(slack, score)};
			else {
				const int wider = max(slack, GotohBand::slackOf(a, band.half + band.half / 4 + 1, false));
				a.results[at].cigarLength = (u32)min(r.cigarLength > 0 ? (int)r.cigarLength : score, wider);
			}
		}
		__syncthreads();
	}
}
