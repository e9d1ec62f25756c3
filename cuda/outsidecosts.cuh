// What letters outside of a pair's band cost at least: by the indels of their segments (indels.cuh), or by the seeds that the other
// sequence lacks there (missingseeds.cuh), which tell more if a mismatch costs much more than a letter of a gap.
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
// Costs are doubled, as x/2 may be no whole number.
#pragma once
#include "seedtable.cuh"

// mostSeeded is the length of the longest sequences of which missing seeds are counted. Longer ones have most of all seeds.
static constexpr int mostSeeded = 1 << 16;

struct OutsideCosts {
	bool seeds; // count, in place of indels
	int each;   // of them
	int loss;   // of what the segments that an alignment passes cost: what may have been counted elsewhere

	__device__ __forceinline__ OutsideCosts(const Params &a, const Task &t) {
		const int indel = min(2 * a.gapExtend, a.mismatch);
		const int seed = min(min(2 * a.mismatch, 2 * (a.gapOpen + a.gapExtend)),
		                     min(a.gapOpen + 2 * a.gapExtend, 2 * gotohSeed * a.gapExtend));
		// A letter has half an indel, or an eighth of a seed.
		seeds = 2 * seed > 9 * indel && max(t.patternLength, t.textLength) <= mostSeeded;
		each = seeds ? seed : indel;
		loss = seeds ? seed + max(2 * seed - 4 * a.gapExtend, 0) : 0;
	}
	// exceeds reports whether a score is likely to be more than letters outside cost.
	__device__ __forceinline__ bool exceeds(int score, int letters) const {
		return seeds ? 2ll * gotohSeed * score > (long long)each * letters : 10ll * score > 3ll * each * letters;
	}
};
