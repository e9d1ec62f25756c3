// The band of a pair in gotoh.cuh, and the scores that it certifies.
#pragma once
#include "abi.cuh"

static constexpr int gotohWarps = 16;   // most warps of a pair
static constexpr int gotohLooks = 4096; // steps between two looks at the stop word

// gotohPad is the number of letters before and after the pattern's, of which rows outside
// the matrix are computed.
__host__ __device__ constexpr int gotohPad(int lanes, int columns) { return (2 * lanes + columns + 8 + 15) & ~15; }

// gotohDrift is the most by which the least value changes between two shifts, and gotohFall that in a step. A cost counts `unit` times.
static constexpr int gotohDrift = 5000;
__device__ __forceinline__ int gotohFall(const Params &a, int unit) {
	return unit * max(a.mismatch - 2 * a.gapExtend, max(2 * a.gapExtend, 1));
}

// borderLow is how much lower than a group's least value the values at borders of strips may be, as they are held.
static constexpr int borderLow = 1100;

// rimDrift is gotohDrift with rims: what returns is low, and its values are to stay above borderLow between two shifts.
static constexpr int rimDrift = 4700;

// gotohWide tells whether kernels of a shape certify scores by what is outside of the band: if their bands have enough diagonals on either
// side of a diagonal.
__host__ __device__ constexpr bool gotohWide(int lanes, int columns) {
	return (2 * lanes * (columns + 1) - columns - 1) / 2 + 1 >= 84;
}

// GotohLeaving tells what an alignment costs that leaves a band: least + rise*half sixteenths, or more, for a band
// with `half` diagonals on either side: brokenseeds.cuh.
struct GotohLeaving {
	long long least;
	short rise;
	short middle;                        // of a band with rims, anywhere for it: GotohBand
	int column;                          // of the end that the kernel has found, with free ends
	static constexpr int most = 1 << 22; // half of a band
	static constexpr int anywhere = -1;

	// certified is the largest score that a band certifies.
	__device__ __forceinline__ int certified(int half) const {
		return (int)min(max((least + (long long)rise * half - 1) >> 4, -1ll), 1ll << 30);
	}
	// enough is half of a band that certifies a score, hardly wider than it must be.
	__device__ __forceinline__ int enough(int score) const {
		const long long missing = 16ll * score - least;
		if (missing < 0) return 1;
		const float half = (float)missing / (float)rise * 1.000001f + 2.0f;
		return half < (float)most ? (int)half : (int)most;
	}
};
static_assert(sizeof(GotohLeaving) == 16, "the words at the end of a pair's letters");

// gotohLeaving is that of a pair, the last words of the memory for its letters, if Params::brokenSeeds is not 0.
__device__ __forceinline__ GotohLeaving *gotohLeaving(const Params &a, int at) {
	return (GotohLeaving *)(a.rows + (u64)at * a.rowStride + a.letterWords) - 1;
}

// lettersAround is the number of letters around a pattern within a text that are taken to be there. What else the text has more than the
// pattern may be deletions.
static constexpr int lettersAround = 100;

// GotohBand is the diagonals -below..above of a pair. All others cannot be a part of an
// alignment of a score up to `certified`.
struct GotohBand {
	int above, below, certified;
	int beside; // diagonals beside those from 0 to the end cell's, on the side with fewer
	int half; // diagonals beside those that the ends of an alignment are likely to have, of which lettersAround are none
	int within; // diagonals of half that are among those from 0 to the end cell's, if its sides are alike
	int radius; // diagonals on either side of the band's middle
	int bound;  // the largest score that counts

	GotohBand() = default;

	// The diagonals are those that the strips in flight cover, in equal parts beside those
	// from 0 to the end cell's. If all columns are in flight, the matrix is.
	//
	// Patterns within longer texts have an alignment that is mostly near one of these diagonals. Bands with rims have
	// that in the middle, if it is known, as far as those from 0 to the end cell's allow (gotohmiddle.cuh).
	__device__ __forceinline__ GotohBand(const Params &a, const Task &p, int strips, int columns, bool free,
	                                     int middle) {
		const int end = p.textLength - p.patternLength, all = strips * (columns + 1) - columns - 1;
		const int spare = all - abs(end);
		int right = spare / 2;
		half = right + 1;
		radius = all / 2 + 1;
		within = 0;
		if (free && end > 0 && a.edgeWords != 0) {
			half += min(end, lettersAround) / 2;
			within = half - right - 1;
			if (middle != GotohLeaving::anywhere) right = min(max(middle + all / 2 - end, 0), spare);
		}
		beside = min(right, spare - right) + 1;
		above = right + max(end, 0);
		below = spare - right + max(-end, 0);
		certified = spare < 0 ? -1 : gapsCertify(a, p, beside, free);
		if (p.textLength <= strips * columns) {
			above = p.textLength;
			below = p.patternLength;
			certified = 1 << 30;
		}
		bound = min(certified, counts(a, p, free));
	}
	// of returns that of a pair of a launch of kernels with a shape.
	static __device__ __forceinline__ GotohBand of(const Params &a, const Task &p, int at, int strips, int columns,
	                                               bool free) {
		const bool placed = free && a.edgeWords != 0;
		return {a, p, strips, columns, free, placed ? gotohLeaving(a, at)->middle : (int)GotohLeaving::anywhere};
	}

	// wanted is the largest score that a task asks for.
	static __device__ __forceinline__ int wanted(const Params &a, const Task &p) { return min(p.bound, a.maxScore); }

	// counts is the largest score that counts if it is certified: above the one that is wanted, without free ends, unless no other
	// task of the pair would come after this one.
	static __device__ __forceinline__ int counts(const Params &a, const Task &p, bool free) {
		return free || p.final ? wanted(a, p) : 1 << 30;
	}

	// gapsCertify returns the largest score that a band certifies by the gaps that an alignment has which leaves it: a gap
	// out and a gap back, or one of these with free ends: it begins at diagonal 0 or above, and ends at the
	// last cell's or below.
	static __device__ __forceinline__ int gapsCertify(const Params &a, const Task &p, int half, bool free) {
		const int end = p.textLength - p.patternLength;
		return free ? a.gapOpen + a.gapExtend * (half + max(-end, 0)) - 1
		            : 2 * a.gapOpen + a.gapExtend * (2 * half + abs(end)) - 1;
	}

	// slackOf returns the slack that a band certifies by some diagonals on either side: the score of sequences of one length. Others
	// have a gap of their own, of which the slack is the same.
	static __device__ __forceinline__ int slackOf(const Params &a, int half, bool free) {
		return free ? a.gapOpen + a.gapExtend * half - 1 : 2 * (a.gapOpen + a.gapExtend * half) - 1;
	}

	// take takes what broken seeds tell.
	__device__ __forceinline__ void take(const Params &a, const Task &p, const GotohLeaving &leaving, bool free) {
		if (certified < 0) return;
		certified = max(certified, leaving.certified(beside));
		bound = min(certified, counts(a, p, free));
	}
};

// gotohSlack returns the slack of a score: what the narrowest band certifies by gaps alone that certifies the score
// by broken seeds, too. `within` is that of the band.
__device__ __forceinline__ int gotohSlack(const Params &a, int at, int score, int within, bool free) {
	if (a.brokenSeeds == 0) return score;
	return min(score, GotohBand::slackOf(a, within + gotohLeaving(a, at)->enough(score), free));
}

// gotohShare returns the flags that tell the slack's share of a score.
__device__ __forceinline__ u32 gotohShare(int slack, int score) {
	if (score == 0) return 0;
	return (u32)min(max((int)(255.0f * (float)slack / (float)score) + 1, 1), 255) << flagSlackShift;
}

// gotohWider returns the slack of a band that is likely to certify a score with a slack that this one does not: a wider one, by as many
// diagonals as make up for what its lower bound of the score is below one that is wanted, but no more than twice as wide.
__device__ __forceinline__ int gotohWider(const Params &a, const GotohBand &band, int slack, int missing) {
	const int half = band.half, more = min(max(missing / (2 * a.gapExtend), half / 4), half);
	return max(slack, GotohBand::slackOf(a, half + max(more, a.pairWords + 1), true));
}
