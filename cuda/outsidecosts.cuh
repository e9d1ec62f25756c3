// What letters outside of a pair's band cost at least: what segments of one sequence cost with the letters of the other one there, by
// their indels (indels.cuh) or by affine gaps (affinesegment.cuh), or by the seeds that the other sequence lacks there (missingseeds.cuh).
//
// Indels take the least time, and tell enough if errors are few. Missing seeds tell more if a mismatch costs much more than a letter of a
// gap. Affine gaps tell the most, as random sequences have many short gaps, but take three times as long as indels.
//
// A missing seed has an error in it. A mismatch is in one seed. An insertion or deletion in the segments' sequence of L letters may be in
// two seeds and one more for each gotohSeed letters beyond two, so that a seed costs at least
//
//	min(x, o + e, (o + 2e) / 2, gotohSeed * e)
//
// and a gap of the other sequence's letters is in one seed at most. Of the gaps by which an alignment leaves a band and comes back, what
// opens them may have been counted elsewhere. One of them has letters of the segments' sequence, which may be in seeds that cost more by
// 2 (seed - e), the other one is in one seed.
//
// With affine gaps of unit u, a mismatch costs 2u, a gap of k letters (2 + k) u, where x and o are 2u at least, and e is u. A gap of the
// segments' sequence is opened in the segment in which it begins. The gap by which an alignment comes back may be one of these, so that
// what opens it counts once.
//
// Costs are doubled, as x/2 may be no whole number.
#pragma once
#include "seedtable.cuh"

// mostSeeded is the length of the longest sequences of which missing seeds are counted. Longer ones have most of all seeds.
static constexpr int mostSeeded = 1 << 16;

// Shares of what letters usually cost, in hundredths, if affine gaps tell more: a score above affineFrom that detours do not certify
// without them may be with them, and one above affineFirst is certified by them alone. Rims take them above affineRims.
static constexpr int affineFrom = 60, affineFirst = 100, affineRims = 100;

struct OutsideCosts {
	enum Measure { indels, affine, seeds };
	Measure measure;
	int each; // of an indel, a seed, or the unit of affine gaps
	int loss; // of what the segments that an alignment passes cost: what may have been counted elsewhere
	int thousand; // what a thousand letters usually cost, not doubled: half an indel, an eighth of a seed, or four fifths of a unit each

	// It is not by affine gaps at first.
	__device__ __forceinline__ OutsideCosts(const Params &a, const Task &t) {
		const int indel = min(2 * a.gapExtend, a.mismatch);
		const int seed = min(min(2 * a.mismatch, 2 * (a.gapOpen + a.gapExtend)),
		                     min(a.gapOpen + 2 * a.gapExtend, 2 * gotohSeed * a.gapExtend));
		const bool bySeeds = 2 * seed > 9 * indel && max(t.patternLength, t.textLength) <= mostSeeded;
		measure = bySeeds ? seeds : indels;
		each = bySeeds ? seed : indel;
		thousand = bySeeds ? 60 * seed : 250 * indel;
		loss = bySeeds ? seed + max(2 * seed - 4 * a.gapExtend, 0) : 0;
	}
	// ofRims returns those outside of rims (gotohrims.cuh), which are to certify a score.
	static __device__ __forceinline__ OutsideCosts ofRims(const Params &a, const Task &t, int wanted) {
		OutsideCosts costs(a, t);
		if (costs.affineTellsMore(a) && costs.more(wanted, t.patternLength, affineRims)) costs.takeAffine(a);
		return costs;
	}
	// affineUnit is the unit of affine gaps.
	static __device__ __forceinline__ int affineUnit(const Params &a) {
		return min(min(2 * a.gapExtend, a.mismatch), a.gapOpen);
	}
	// affineTellsMore reports whether affine gaps cost more, by a quarter at least.
	__device__ __forceinline__ bool affineTellsMore(const Params &a) const {
		return measure != affine && 5 * thousand <= 4 * 400 * affineUnit(a);
	}
	__device__ __forceinline__ void takeAffine(const Params &a) {
		measure = affine;
		each = affineUnit(a);
		thousand = 400 * each;
		loss = 2 * a.gapOpen;
	}
	// more reports whether a score is more than some hundredths of what letters usually cost.
	__device__ __forceinline__ bool more(int score, int letters, int hundredths) const {
		return 100000ll * score > (long long)hundredths * thousand * letters;
	}
	// share is that of a score of what letters usually cost, no more than 2.
	__device__ __forceinline__ float share(int score, int letters) const {
		const float part = 1000.0f * (float)score / ((float)thousand * (float)letters);
		return part < 2.0f ? part : 2.0f;
	}
	// exceeds reports whether a score is likely to be more than letters outside cost.
	__device__ __forceinline__ bool exceeds(int score, int letters) const {
		return more(score, letters, measure == seeds ? 105 : 120);
	}
};
