// What the lanes of a group share of the alignments outside of its pair's band, and how that changes as the band's rims move: see
// gotohrims.cuh. Costs are doubled.
#pragma once
#include "gotohcells.cuh"
#include "gotohrims.cuh"
#include "later.cuh"

// RimSums are the sums of what the first segments of a pair cost outside of its rims, doubled.
struct RimSums {
	const int *first;
	int segments;

	__device__ __forceinline__ RimSums(const Params &a, const Task &pair, int at)
	    : first(gotohSums(a, at) + 1), segments(pair.patternLength / segmentLetters) {}
	__device__ __forceinline__ const int *side(int which) const { return first + which * (segments + 1); }
	__device__ __forceinline__ int all(int which) const { return side(which)[segments]; }

	// enough returns how many diagonals on either side are likely to do for a score: an alignment may lead to a place outside, where the
	// segments before it cost less than the likely alignment up to there, or from such a place to the end, with a gap between these.
	__device__ __forceinline__ int enough(const Params &a, const Task &pair, int score, int loss) const {
		int most = 0;
#pragma unroll 8
		for (int i = 0; i <= rimLooks; i++) {
			const int number = (int)((long long)segments * i / rimLooks);
			const int likely = (int)(2.0f * (float)score * (float)i / (float)rimLooks);
			most = max(most, likely - side(0)[number]);
			most = max(most, 2 * score - likely - (all(1) - side(1)[number]));
		}
		const float share = OutsideCosts(a, pair).share(score, pair.patternLength);
		const float wanders = __fsqrt_rn((float)score / (float)a.gapExtend) + rimDense * share;
		return max((most + loss) / (2 * a.gapExtend) + rimSpare + (int)wanders, rimLeast);
	}
};

// GotohOutside is what the lanes of a group share of a pair.
struct GotohOutside {
	GotohRim rims[2];
	int departs[2];          // least costs of departures since the rims moved, right and left
	int returns[2];          // and of what returns
	int passed[2], ahead[2]; // sums of what segments cost, for the next move of the rims
	int loss;                // OutsideCosts::loss
	int gap;                 // least cost of a gap that leads through a zone
	int low;                 // the least value of what returned last, without shifts
	bool begins;             // alignments may begin in the zone on the left
	bool told;               // the band certifies the score: it is only told how wide a band does
	bool untold;             // what is stored of the cells does not tell all that returns
	bool lost;               // some of what returns is out of reach of the kernel's values, and has been left out

	// leave is for pairs whose rims are not looked at, too: nothing returns.
	__device__ __forceinline__ void leave() {
		returns[0] = returns[1] = low = noCost;
		untold = lost = false;
	}
	// begin is for a pair whose rims are looked at, after leave.
	__device__ __forceinline__ void begin(const Params &a, const Task &pair, const GotohRims &pairRims, bool onlyTold) {
		rims[0].begin();
		rims[1].begin();
		departs[0] = departs[1] = noCost;
		loss = OutsideCosts::ofRims(a, pair, GotohBand::wanted(a, pair)).loss;
		gap = 2 * a.gapExtend * pairRims.letters();
		begins = pairRims.begins();
		told = onlyTold;
	}

	// fetch fetches the sums of a side for the next move of the rims: those of the segments that end before the first row of what
	// returns, and of those that begin before the last row of departures. update waits for them. The same lane calls both.
	__device__ __forceinline__ void fetch(int side, const RimSums &sums, int returnsAt, int departsAt) {
		copyLater(&passed[side], sums.side(side) + min(max(returnsAt, 0) / segmentLetters, sums.segments));
		copyLater(&ahead[side],
		          sums.side(side) + min(max(departsAt + segmentLetters - 1, 0) / segmentLetters, sums.segments));
	}

	// update finds what returns on a side, if anything does.
	__device__ __forceinline__ void update(int side, bool comes) {
		waitForCopies();
		const int sum = passed[side] - loss;
		int cost = rims[side].move(departs[side], ahead[side], sum, gap);
		departs[side] = noCost;
		if (side == 0 || begins) cost = min(cost, max(sum, 0)); // it may have begun outside
		returns[side] = comes && !told ? cost : (int)noCost;
	}
};
