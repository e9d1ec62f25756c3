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
// (brokenseeds.cuh). On the left, a deletion leads back, and all is the same with pattern and text exchanged, and
// columns in place of rows: segments are those of the sequence that the gap passes.
//
// With free ends, an alignment may begin outside, on the right: it has cost nothing, until it comes in. In the first rows, H of
// inner cells is high, by the gap that leads there from the diagonal of the best begin. So the cells of a nearer diagonal are the
// inner ones of a begin there. When these rows end, an alignment may be between that diagonal and the inner one; there it must cost
// more than the gap that leads there from the last of these cells. All this holds, too, for alignments that begin in the band, right
// of the nearer diagonal, and leave it on that side. Others that leave it have had a deletion of all letters from there to the rim.
//
// An alignment may also end outside, and does not come back. On the right, all segments of the pattern behind p count. On the left,
// segments are those of the text, and how many it passes is not known. So those of the pattern's end count there, from the text on
// the left; and of those ahead, the segments of the text but for the letters that further insertions take the place of, or these
// insertions.
//
// H(p) and H(q) are known every COLUMNS rows. H does not fall along a diagonal, so inner cells before one with a value do
// not exceed it. After the last value of a side, an alignment still has to go to the end's diagonal.
//
// A block takes a pair at a time. Its memory, a.edgeWords words: the values of gotohedges.cuh; for each strip that comes,
// the least of what alignments have on the rim so far, less the indels before that; the sums of indels of both sides, and, with
// free ends, of those beside the begin and the end.
//
// Shared memory, static: 24 bytes, and those of indels.cuh, 8 KB. Units: costs are doubled, as x/2 is not whole.
#pragma once
#include "detourpath.cuh"
#include "indels.cuh"
#include "stop.cuh"

static constexpr float detourSpare = 2.5f; // how much more the segments that are measured cost than the alignment
static constexpr int detourWarps = indelThreads / 32; // most warps of a block
static constexpr int detourSample = 8; // of pairs that need no detours, one of so many tells how few diagonals would do

// GotohRims are the least costs at the rims, of both sides.
struct GotohRims {
	int side[2];
};

// DetourSide is what the sides have in common: the sequence that is cut into segments, which lie along one axis of the
// matrix, and the other one.
struct DetourSide {
	const u32 *along, *across; // letters
	int length, width;         // numbers of letters
	int diagonal;              // of the inner cells: letters across less letters along
	int segments;
	int *sums; // of the indels of the first segments

	__device__ __forceinline__ int end() const { return width - length; }
};

// Detours are those of a pair.
template <bool FREE> struct Detours {
	static constexpr int sides = FREE ? 4 : 2; // right, left, right of a begin, and left of an end
	const Params &a;
	const GotohEdges<FREE> &edges;
	const int *values;
	GotohRims *rims;
	DetourSide right, left, begin, last; // of `last`, segments are the last ones
	int score, wide, weight, lane;
	int near; // strips between the rim and the inner cells of the begin

	__device__ __forceinline__ Detours(const Params &params, const Task &p, const GotohEdges<FREE> &e, int at,
	                                   int upper, int half, int nearBegin)
	    : a(params), edges(e), values(gotohEdges(params, at)), score(upper), wide(half), near(nearBegin) {
		rims = (GotohRims *)(values + e.count * e.words());
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
		begin = right;
		begin.diagonal = e.diagonal(0, near);
		begin.segments = min(right.segments, detourNear / segmentLetters);
		begin.sums = left.sums + left.segments + 1;
		last = begin;
		last.diagonal = e.diagonal(1, e.inner[1]);
		last.sums = begin.sums + begin.segments + 1;
		weight = min(2 * a.gapExtend, a.mismatch);
		lane = threadIdx.x & 31;
	}
	__device__ __forceinline__ DetourSide of(int side) const {
		return side == 0 ? right : side == 1 ? left : side == 2 ? begin : last;
	}
	__device__ __forceinline__ int innerStrips(int side) const { return side == 0 ? edges.inner[0] : edges.inner[1]; }
	// rim and inner are values before strip edges.first+i comes.
	__device__ __forceinline__ int rim(int i, int side) const { return values[i * edges.words() + side]; }
	__device__ __forceinline__ int inner(int i, int side) const {
		return values[i * edges.words() + (FREE ? edges.place(edges.innerStrip(side, edges.first + i)) : 2 + side)];
	}

	// measured returns how many segments of a side are measured: enough for a score of few errors, all for one of many.
	__device__ __forceinline__ int measured(const DetourSide &s) const {
		const float part = 0.05f + detourSpare * (float)score / (0.25f * (float)weight * (float)s.length);
		return min((int)(part * (float)s.segments) + 1, s.segments);
	}

	// measure finds the indel distances of segments. All threads of the block call it.
	__device__ __forceinline__ void measure(IndelRows &rows) const {
		const int ofRight = measured(right), ofLeft = measured(left), ofBegin = FREE ? begin.segments : 0;
		const int sums = right.segments + left.segments + 2 + (FREE ? 2 * ofBegin + 2 : 0);
		for (int i = threadIdx.x; i < sums; i += blockDim.x) right.sums[i] = 0;
		__syncthreads();
		int seen = 0; // letters since the last look
		for (int i = threadIdx.x; i < ofRight + ofLeft + 2 * ofBegin; i += blockDim.x) {
			int side = 0, number = i, measured = ofRight;
			if (number >= measured) number -= measured, side = 1, measured = ofLeft;
			if (side == 1 && number >= measured) number -= measured, side = 2, measured = ofBegin;
			if (side == 2 && number >= measured) number -= measured, side = 3;
			const DetourSide s = of(side);
			number = (int)((long long)number * s.segments / measured);
			const int at = (side < 3 ? number : number + right.segments - last.segments) * segmentLetters;
			// Letters of the other sequence beyond the inner cells.
			const int from = max(side < 3 ? at + s.diagonal + 1 : at + min(s.end(), 0) - wide, 0);
			const int to = min(at + segmentLetters + (side < 3 ? max(s.end(), 0) + wide - 1 : s.diagonal), s.width);
			seen += max(to - from, 0);
			if (seen > (int)stopLetters) {
				if (stopped(a)) break;
				seen = 0;
			}
			IndelSegment segment(rows);
			segment.load(s.along, at / segmentLetters);
			segment.take(s.across, s.width, from, to);
			s.sums[number + 1] = segment.least();
		}
	}

	// add makes distances their sums. A warp calls it for a side.
	__device__ __forceinline__ void add(const DetourSide &s) const {
		int before = 0;
		for (int from = 1; from <= s.segments; from += 32) {
			const int i = from + lane;
			int v = i <= s.segments ? s.sums[i] : 0;
#pragma unroll
			for (int d = 1; d < 32; d *= 2) {
				const int other = __shfl_sync(~0u, v, (lane - d) & 31);
				if (lane >= d) v += other;
			}
			v += before;
			if (i <= s.segments) s.sums[i] = v;
			before = __shfl_sync(~0u, v, 31);
		}
		__syncwarp();
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
		if (FREE && side == 0) { // begins on that side are apart
			const int apart = row <= beginRows() ? near : edges.inner[0];
			cost = max(cost, a.gapOpen + a.gapExtend * apart * edges.period());
		}
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
			if (FREE && side == 0) return {2 * score, s.segments, 0, i - 1}; // they need not come back
			if (from > s.length) return no;
			const int before = min(max(from, 0) / segmentLetters, s.segments);
			if (FREE) return {2 * (score - a.gapOpen), before, letters, i - 1}; // others: spareOfEnd
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
				if (d.cost < noEdge) v = d.cost - weight * sum[d.segment];
			}
#pragma unroll
			for (int d = 1; d < 32; d *= 2) v = min(v, __shfl_sync(~0u, v, max(lane - d, 0)));
			v = min(v, before);
			if (i < edges.count) rims[i].side[side] = v;
			before = __shfl_sync(~0u, v, 31);
		}
		__syncwarp();
		// Alignments that begin outside are right of the inner cells of the begin in so many rows, and of the others behind them.
		const int rows = FREE && side == 0 ? beginRows() : -1;
		const int ahead = rows < 0 ? 0
		                           : begin.sums[min(rows / segmentLetters, begin.segments)] -
		                                 sum[min((rows + segmentLetters - 1) / segmentLetters, right.segments)];
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
			const int far = last < 0 ? noEdge : rims[last].side[side];
			if (far < noEdge) spare = min(spare, diagonals(far + weight * there - arrives.cost, 1));
			if (FREE && side == 0 && (i == edges.count || alongOf(0, i) > rows))
				spare = min(spare, begins(weight * (there + ahead), gap, arrives.cost));
		}
		if (FREE) spare = min(spare, side == 0 ? spareOfBegin() : spareOfEnd());
#pragma unroll
		for (int d = 1; d < 32; d *= 2) spare = min(spare, __shfl_xor_sync(~0u, spare, d));
		return spare;
	}
	// begins is diagonals for an alignment that begins outside and comes in.
	__device__ __forceinline__ int begins(int indels, int gap, int cost) const {
		return indels > cost ? noEdge : diagonals(gap - cost, 1);
	}
	// nearRow is the row of the inner cell of the begin of a value, nearValues how many values there are of these, and beginRows
	// the last row of such a cell.
	__device__ __forceinline__ int nearRow(int i) const {
		return edges.rowOf(edges.first + i, edges.first + i - 1 - near);
	}
	__device__ __forceinline__ int nearValues() const {
		const int rows = begin.segments * segmentLetters, first = nearRow(0);
		return rows < first ? 0 : min((rows - first) / edges.columns + 1, edges.count);
	}
	__device__ __forceinline__ int beginRows() const {
		const int values = near > edges.inner[0] ? nearValues() : 0;
		return values == 0 ? -1 : nearRow(values - 1);
	}
	// spareOfBegin is spare for the first rows of alignments that begin outside. This lane has some of them.
	__device__ __forceinline__ int spareOfBegin() const {
		const int known = near > edges.inner[0] ? nearValues() : 0, gap = 2 * a.gapExtend * near * edges.period();
		int spare = noEdge;
		for (int i = lane; i < known; i += 32) {
			const int strip = edges.first + i - 1 - near, from = i == 0 ? 0 : nearRow(i - 1) + 1;
			if (strip < 0 || from + begin.diagonal > right.width) { // no cells
				if (i == known - 1) spare = min(spare, -edges.period());
				continue;
			}
			const int cost = 2 * values[i * edges.words() + edges.place(strip)];
			spare = min(spare, begins(weight * begin.sums[from / segmentLetters], gap, cost));
			if (i < known - 1) continue;
			// Between these cells and the inner ones of other rows: a gap leads there, and another may go on.
			const int between = 2 * (2 * a.gapOpen + a.gapExtend * (near - edges.inner[0]) * edges.period());
			const int there = weight * begin.sums[min(nearRow(i) / segmentLetters, begin.segments)];
			if (there <= cost + between) spare = min(spare, -edges.period());
		}
		return spare;
	}

	// diagonals returns by how many fewer a detour that costs more by `more` does, if it loses some letters of gaps
	// with each.
	__device__ __forceinline__ int diagonals(int more, int letters) const {
		const int each = 2 * a.gapExtend * letters;
		return more > 0 ? (more - 1) / each : -((each - more) / each);
	}

	// spareOfEnd is spare for alignments that end outside, on the left. This lane has some departures.
	__device__ __forceinline__ int spareOfEnd() const {
		const int ahead = right.segments - last.segments, rows = ahead * segmentLetters; // before the last segments
		int spare = noEdge;
		for (int i = lane; i < edges.count; i += 32) {
			const Departure d = departure(1, i);
			if (d.cost >= noEdge) continue;
			const int k = edges.first + i, row = edges.rowOf(k, edges.rim(1, k));
			int more = weight * last.sums[last.segments];
			if (row > rows)
				more -= weight * last.sums[min((row + segmentLetters - 1) / segmentLetters - ahead, last.segments)];
			else
				more += leastBefore(d.segment, rows);
			spare = min(spare, diagonals(d.cost + more - 2 * score, 1));
		}
		return spare;
	}
	// leastBefore returns what an alignment costs at least on the left from a segment of the text on, up to a row. The more it
	// inserts, the less of the text it has there.
	__device__ __forceinline__ int leastBefore(int segment, int row) const {
		int least = noEdge;
		for (int inserted = 0;; inserted += segmentLetters) { // these letters, or up to so many more
			const int there = min(max(row - inserted - segmentLetters, 0) / segmentLetters, left.segments);
			const int indels = weight * max(left.sums[there] - left.sums[segment], 0);
			const int gaps = 2 * a.gapExtend * max(inserted - edges.below - edges.period(), 0);
			least = min(least, max(indels, gaps));
			if (gaps >= indels) return least;
		}
	}
};

// leastHalf is half of the narrowest band that has detours, of one with some half.
template <bool FREE> __device__ __forceinline__ int leastHalf(const GotohEdges<FREE> &edges, int half) {
	return max(half - edges.period() * (min(edges.inner[0], edges.inner[1]) - 1), 1);
}

// searchDetours certifies scores of a launch of gotoh.cuh that its bands do not, and makes them results. Of others it
// reports the slack of a band that is likely to certify the score.
template <bool FREE> __device__ __forceinline__ void searchDetours(const Params &a) {
	__shared__ int spares[2];
	__shared__ IndelRows rows;
	__shared__ DetourPath path;
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
		if (!known && (score == 0 || score > GotohBand::wanted(a, t))) continue;
		const GotohBand band(a, t, 2 * a.pairThreads, a.pairWords, FREE);
		GotohEdges<FREE> edges(a, t, band, 2 * a.pairThreads, a.pairWords);
		if (edges.count == 0) continue;
		const GotohLeaving leaving = *gotohLeaving(a, at);
		int wide = leaving.rise > 0 ? leaving.enough(score) : (int)GotohLeaving::most;
		if (leaving.certified(wide) < score) wide = t.patternLength + t.textLength; // all of the text
		int least = leastHalf(edges, band.half);
		if (!FREE && known && wide <= least) continue;
		if (known && at % detourSample != 0) { // not all tell how wide a band they need
			if (threadIdx.x == 0) a.results[at].flags = 0;
			continue;
		}
		// More errors than letters outside are likely to have cost more than these.
		if (10ll * score > 3ll * min(2 * a.gapExtend, a.mismatch) * t.patternLength) continue;
		int near = 0;
		if constexpr (FREE) {
			if (threadIdx.x == 0) path.clear();
			__syncthreads();
			path.find(edges, gotohEdges(a, at), t);
			__syncthreads();
			edges.inner[0] = path.inner[0];
			edges.inner[1] = path.inner[1];
			near = path.near;
			__syncthreads(); // before the next pair
			least = leastHalf(edges, band.half);
			if (near > edges.strips || known && wide <= least) continue;
		}
		int spare = band.half - least;
		if (min(edges.inner[0], edges.inner[1]) > 0) {
			const Detours<FREE> detours(a, t, edges, at, score, wide, near);
			detours.measure(rows);
			__syncthreads();
			const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
			for (int side = warp; side < Detours<FREE>::sides; side += warps) detours.add(detours.of(side));
			__syncthreads();
			for (int side = warp; side < 2; side += warps) {
				const int spare = detours.spare(side);
				if (detours.lane == 0) spares[side] = spare;
			}
			__syncthreads();
			spare = min(spares[0], spares[1]);
		}
		if (threadIdx.x == 0) {
			const int enough = max(band.half - spare, least);
			const int slack = min(gotohSlack(a, t, at, score, FREE), GotohBand::gapsCertify(a, t, enough, FREE));
			if (known)
				a.results[at].flags = gotohShare(slack, score);
			else if (spare >= 0)
				a.results[at] = {score, FREE ? (u32)t.patternLength : 0u, FREE ? (u32)leaving.column : 0u,
				                 gotohShare(slack, score)};
			else
				a.results[at].cigarLength = (u32)min(
				    (int)r.cigarLength, max(slack, GotohBand::gapsCertify(a, t, band.half + band.half / 4 + 1, FREE)));
		}
		__syncthreads();
	}
}
