// What the lanes of a group share of the alignments outside of its pair's band, and how that changes as the band's rims move: see
// gotohrims.cuh. Costs are doubled.
#pragma once
#include "gotohcells.cuh"
#include "gotohrims.cuh"
#include "later.cuh"

// GotohSide is a side of a pair's band before strip k comes.
struct GotohSide {
	const Params &a;
	const GotohRims &rims;
	const int *sums; // of what the first segments cost with the text on this side
	int side, k, segments, length;
	int loss; // OutsideCosts::loss
	int last; // the last strip, if k does not come

	// `memory` is the pair's, and `ended` the last strip if k does not come, `never` otherwise.
	__device__ __forceinline__ GotohSide(const Params &params, const Task &pair, const GotohRims &pairRims,
	                                     const int *memory, int which, int strip, int ended)
	    : a(params), rims(pairRims), side(which), k(strip), segments(pair.patternLength / segmentLetters),
	      length(pair.patternLength), loss(OutsideCosts(params, pair).loss), last(ended) {
		sums = memory + 1 + side * (segments + 1);
	}
	__device__ __forceinline__ bool late() const { return last != never; }
	// passed is the sum of the segments that end before a row, and ahead that of those that begin before it.
	__device__ __forceinline__ const int *passed(int row) const {
		return sums + min(max(row, 0) / segmentLetters, segments);
	}
	__device__ __forceinline__ const int *ahead(int row) const { return passed(row + segmentLetters - 1); }
	// departs is the last row of departures, and returns the first one of what returns.
	__device__ __forceinline__ int departs() const { return rims.rowOf(k, rims.inner(side, k)) - (side == 0); }
	__device__ __forceinline__ int returns() const {
		return rims.rowOf(k, side == 0 ? k : (late() ? last : k) - rims.strips);
	}
	// comes reports whether alignments may return in a row.
	__device__ __forceinline__ bool comes(int row) const {
		return row >= 0 && row < length && !(side == 0 ? late() : k < rims.strips);
	}
};

// GotohOutside is what the lanes of a group share of a pair.
struct GotohOutside {
	GotohRim rims[2];
	int returns[2];          // right and left
	int passed[2], ahead[2]; // sums of what segments cost, for the next move of the rims
	int nearest;             // for groups of several warps
	int enough[2];           // how many diagonals on either side would do
	int left[2];             // costs of the likely alignment less the sum of indels so far, at least, right and left
	int low;                 // the least value of what returned last, without shifts
	bool told;               // the band certifies the score: it is only told how wide a band does
	bool untold;             // what is stored of the cells does not tell all that returns
	bool lost;               // some of what returns is out of reach of the kernel's values, and has been left out

	// leave is for pairs whose rims are not looked at, too: nothing returns.
	__device__ __forceinline__ void leave() {
		returns[0] = returns[1] = low = noCost;
		untold = lost = false;
	}
	// begin is for a pair whose rims are looked at, after leave.
	__device__ __forceinline__ void begin(bool onlyTold) {
		rims[0].begin();
		rims[1].begin();
		nearest = never;
		enough[0] = enough[1] = rimLeast;
		left[0] = left[1] = 0;
		told = onlyTold;
	}

	// fetch fetches the sums for the next move of the rims, on a side, after those before, and update waits for them. The same lane
	// calls both.
	__device__ __forceinline__ void fetch(const GotohSide &next) {
		waitForCopies();
		copyLater(&passed[next.side], next.passed(next.returns()));
		copyLater(&ahead[next.side], next.ahead(next.departs()));
	}

	// update finds what returns on a side, after departures of a cost. `beside` is the cost of the cell of the band that is next to
	// what returns.
	__device__ __forceinline__ void update(const GotohSide &s, int departs, int beside, bool store) {
		waitForCopies();
		const int sum = passed[s.side] - s.loss, gap = 2 * s.a.gapExtend * s.rims.letters();
		int cost = rims[s.side].move(departs, ahead[s.side], sum, gap);
		if (s.side == 0) cost = min(cost, max(sum, 0)); // it may have begun outside
		if (!s.comes(s.returns())) cost = noCost;
		returns[s.side] = cost;
		// What is stored of neighbouring cells tells differences of up to 128. On the right, a cell next to others in the
		// last column costs one letter of a gap more than what returns above it, or more.
		const int apart = 126 + (s.side == 0 ? s.a.gapExtend : -s.a.gapOpen - s.a.gapExtend);
		if (store && cost < noCost && beside < noCost && beside - cost > 2 * apart) untold = true;
	}

	// lookFar finds how wide a band does for alignments that leave the likely one on a side, and come back: what is outside may cost less
	// than that by the letters of a gap. `at` is the least cost by row of a cell in the last column of a strip: bits of a number, the last
	// of which tell how far the strip is from the right rim. `half` is that of the band; `times` makes costs of the kernel those here.
	__device__ __forceinline__ void lookFar(const GotohSide &s, int at, int half, int times) {
		const GotohRims &pair = s.rims;
		const int strip = at & 1023, row = pair.rowOf(s.k, s.k - 1 - strip);
		const float rate = (float)times * __int_as_float(at & ~1023), letter = (float)(2 * s.a.gapExtend);
		const int cost = (int)(rate * (float)row);
		// On the right, it passes rows on the way back.
		const float each = s.side == 0 ? letter - rate : letter;
		const int less = cost - left[s.side] - *s.passed(row);
		const int apart = half - pair.period() * (s.side == 0 ? strip : pair.strips - 1 - strip); // from the middle
		const int letters = (int)((float)less / (each > 0.25f * letter ? each : 0.25f * letter));
		enough[s.side] = max(enough[s.side], max(apart, 0) + letters + rimSpare);
		left[s.side] = min(left[s.side], cost - *s.ahead(row));
	}
};
