// The rims of a pair's band in gotoh.cuh, with free ends: what alignments cost at least that leave the band and come back. With
// these costs in the cells where they come back, the band has a lower bound of all alignments. If an alignment with the least cost of
// all stays within the band, it is optimal, and the one of the rule is.
//
// Strip k has the columns from k*COLUMNS+1 on. It comes into the band in its row(k), in place of strip k-V, whose last
// row is row(k)+V-1. Near each rim, `zone` strips are the zone. An alignment departs when it goes from the inner cells into the
// zone, and returns when it comes from outside the band into the zone: through the top of a strip that comes, or from the left into
// the leftmost one, which stays when no more strips come. In between, it costs at least
//
//	H(departure) + max(segments of the pattern between the two, e * letters of the zone),
//
// where segments cost what they do with the text on that side of the inner cells: outsidecosts.cuh. One that goes back and forth across
// a rim pays for its segments once, and one that goes back and forth across a zone pays for the letters of that each time.
// An alignment may also begin outside, on the right, or in the zone on the left, if diagonal 0 is there: when it returns, it has cost what
// all segments before do. And it may end outside, on the left: from its departure on, it costs what those that remain do.
//
// Costs here are doubled, as the least cost of an indel, min(e, x/2), may be no whole number. What returns costs less than that,
// by one at most, so that it is never as good as an optimal alignment in the band. If costs of the kernel are doubled, too, what
// returns is odd, which tells it from all other costs.
//
// A pair's memory, a.edgeWords words: 0 if there are no rims, 1 if there are, 2 if they only tell how wide a band does; the sums of the
// costs of the first segments with the text on the right; those with the text on the left.
#pragma once
#include "gotohcheckpoints.cuh"
#include "indels.cuh"
#include "outsidecosts.cuh"

// noCost is more than all costs of alignments.
static constexpr int noCost = 1 << 28;

// The diagonals of a zone, of two strips at least: zoneLeast for a score of 0, and zoneMore more for one that all letters usually cost
// outside, by the square of the share. What returns then costs more than an alignment in the band, though parts of segments do not count.
// rimZone is the most where the traceback limits them, and rimShare that of the diagonals on a side, in tenths.
static constexpr int zoneLeast = 10, zoneMore = 70, rimZone = 96, rimShare = 6;

// rimLeast is the least number of diagonals on a side for which bands with rims are to be taken: narrower ones have none.
static constexpr int rimLeast = 70;

// The diagonals on a side that a band is likely to need beside those that lead to the end of the alignment, and the letters of gaps that
// what is outside does not make up for: rimSpare, those by which an alignment wanders, the square root of the letters of gaps that its
// score pays for, and rimDense by the share as in a zone, as alignments have parts with more errors. Fitted to noisy reads of
// three kinds. rimLooks is at how many places of a pair one looks for the letters of gaps.
static constexpr int rimSpare = 10, rimDense = 90, rimLooks = 32;

// GotohRims are the rims of a pair.
struct GotohRims {
	int strips, columns, above, zone;
	int first; // of the strips whose coming moves the inner cells; some of these do not come

	__device__ __forceinline__ GotohRims(const Params &a, const Task &p, const GotohBand &band, int pairStrips,
	                                     int stripColumns)
	    : strips(pairStrips), columns(stripColumns), above(band.above) {
		const float share = OutsideCosts(a, p).share(GotohBand::wanted(a, p), p.patternLength);
		const int most = near(a, columns) ? band.radius : rimZone;
		const int diagonals = min(zoneLeast + (int)(zoneMore * share * share), most);
		zone = max((diagonals + period() - 1) / period(), 2);
		zone = min(zone, max(rimShare * band.radius / 10 / period(), 1));
		first = min(max((above + columns - 1) / columns, 1), strips);
	}
	// suit reports whether a pair may have rims: if strips come, and there are inner cells.
	static __device__ __forceinline__ bool suit(const Params &a, const Task &p, const GotohBand &band, int strips,
	                                            int columns) {
		const GotohRims rims(a, p, band, strips, columns);
		return a.edgeWords != 0 && p.textLength > strips * columns && band.certified >= 0 &&
		       strips > 2 * rims.zone + 1 &&
		       (u64)(p.patternLength + p.textLength) * (u32)max(2 * a.gapExtend, a.mismatch) < noCost / 4 &&
		       2 * a.gapExtend * rims.period() + a.gapOpen <= borderLow;
	}
	// near reports whether neighbouring cells around an alignment differ by less than 128, whatever returns, so that the traceback
	// finds it: from each of the cells of a patch it is two gaps to the alignment at most, and one back.
	static __device__ __forceinline__ bool near(const Params &a, int columns) {
		return 3 * a.gapOpen + a.gapExtend * (2 * columns + gotohRows) <= 126;
	}
	__device__ __forceinline__ int period() const { return columns + 1; }
	// step is the one in which strip k comes, of those of the pair, and rowOf the last row of strip b before that.
	__device__ __forceinline__ int step(int k) const { return 1 - above + k * period(); }
	__device__ __forceinline__ int rowOf(int k, int b) const { return step(k) - 1 - b; }
	// inner is the last strip with inner cells before strip k comes, on the right, and the first one that has none after that, on
	// the left.
	__device__ __forceinline__ int inner(int side, int k) const { return side == 0 ? k - 1 - zone : k - strips + zone; }
	// begins reports whether the zone on the left has the begins of alignments: diagonals from 0 on.
	__device__ __forceinline__ bool begins() const { return textTo(0) > 0; }
	// letters is the least length of gaps that lead from the inner cells out of the band, or back.
	__device__ __forceinline__ int letters() const { return (zone - 1) * period() + 2; }
	// textFrom tells where the text of the pattern's letters from one on begins on the right, and textTo where that of letters before
	// one ends on the left.
	__device__ __forceinline__ int textFrom(int at) const { return max(at + above - zone * period(), 0); }
	__device__ __forceinline__ int textTo(int at) const {
		const int below = (strips - 1) * period() - above;
		return at - below - 2 + zone * period();
	}
};

// gotohSums is where a pair's memory for rims is, ahead of gotohLeaving.
__device__ __forceinline__ int *gotohSums(const Params &a, int at) { return (int *)gotohLeaving(a, at) - a.edgeWords; }
// gotohLooked reports whether what is outside of a pair's rims has been looked at.
__device__ __forceinline__ bool gotohLooked(const Params &a, int at) {
	return a.edgeWords != 0 && *gotohSums(a, at) != 0;
}

// GotohRim is what alignments cost at least that have departed on a side and are outside.
struct GotohRim {
	static constexpr int waits = 4;
	int departed; // less the sum before they departed: of those that have passed segments that cost more than the gap
	int cost[waits], sum[waits]; // of the others, at their departures, and the sum before the first segment behind them
	int last;                    // of these

	// begin is for a new pair.
	__device__ __forceinline__ void begin() {
		departed = noCost;
#pragma unroll
		for (int i = 0; i < waits; i++) cost[i] = noCost;
		last = 0;
	}
	// move takes departures of a cost, noCost for none, with the sum ahead of the first segment behind them, and returns what
	// alignments cost that have passed segments with a sum, and a gap.
	__device__ __forceinline__ int move(int least, int ahead, int passed, int gap) {
		int before = departed, costs = noCost;
#pragma unroll
		for (int i = 0; i < waits; i++) {
			const int c = cost[i], far = passed - sum[i];
			if (c < noCost && far >= gap) {
				before = min(before, c - sum[i]);
				cost[i] = noCost;
			} else if (c < noCost)
				costs = min(costs, c + gap);
		}
		if (least < noCost) {
			int wait = cost[last];
			if (wait < noCost && sum[last] != ahead) {
				last = (last + 1) % waits;
				wait = cost[last];
				if (wait < noCost) before = min(before, wait - sum[last]);
				wait = noCost;
			}
			cost[last] = min(wait, least);
			sum[last] = ahead;
			costs = min(costs, least + max(gap, passed - ahead));
		}
		departed = before;
		return before < noCost ? min(costs, before + passed) : costs;
	}
	// costs returns what alignments cost that have passed segments with a sum, and a gap.
	__device__ __forceinline__ int costs(int passed, int gap) const {
		int least = departed < noCost ? departed + passed : (int)noCost;
#pragma unroll
		for (int i = 0; i < waits; i++)
			if (cost[i] < noCost) least = min(least, cost[i] + max(gap, passed - sum[i]));
		return least;
	}
};
