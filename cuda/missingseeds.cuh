// Seeds of the segments of a sequence that the other one lacks outside of a band: outsidecosts.cuh.
#pragma once
#include "seedtable.cuh"
#include "segmentside.cuh"

static_assert(segmentLetters == 64, "a bit for each seed, and two parts");

// mostBeside is the number of letters that a table may have beside twice those of a segment's text.
static constexpr int mostBeside = 1024;

// apartSeeds returns how many seeds of a segment there are that do not overlap, of those whose bits are set.
__device__ __forceinline__ int apartSeeds(u64 seeds) {
	int count = 0;
	while (seeds != 0) {
		const u32 low = (u32)seeds;
		const int next = (low != 0 ? __ffs((int)low) - 1 : 31 + __ffs((int)(seeds >> 32))) + gotohSeed;
		seeds = next < 64 ? seeds & ~(u64)0 << next : 0;
		count++;
	}
	return count;
}

// partSeeds is the number of letters of a part of a segment whose seeds are looked up at a time. All are looked up in the text that is
// outside for the one nearest to the band.
static constexpr int partSeeds = 32;

// countMissing writes what missing seeds of each segment of a side cost. A warp calls it.
//
// Parts come in the order in which the end of their text that is at the band moves away from where they began, so that the table
// gets more letters from one to the next. It may have some that are too far away for a part.
template <class PAIR>
__device__ __forceinline__ void countMissing(const SeedTable &table, const PAIR &pair, int which,
                                             const SegmentSide &side, int each) {
	const bool rises = pair.rises(which);
	int first = 0, last = 0; // the table has the seeds from one letter to another
	table.clear();
	for (int done = 0; done < side.segments; done += 32) {
		const int count = min(32, side.segments - done);
		const int begin = rises ? done : side.segments - done - count; // the first segment
		u64 mine = 0;                                                  // of the lane's segment
		for (int i = 0; i < 2 * count; i++) {
			const int part = rises ? i : 2 * count - 1 - i;
			const int at = begin * segmentLetters + part * partSeeds;
			const int letters = part % 2 == 0 ? partSeeds + gotohSeed - 1 : partSeeds; // of the seeds, in the segment
			const SegmentText text = pair.textOf(which, at, letters);
			const int from = text.from, to = text.to - gotohSeed + 1;
			if (from < to) {
				if (first == last || last - first > 2 * (to - from) + mostBeside) {
					if (first != last) table.clear();
					first = last = rises ? from : to;
				}
				table.add(side.across, from, first);
				table.add(side.across, last, to);
				first = min(first, from);
				last = max(last, to);
			}
			const bool within = part % 2 == 0 || table.lane <= partSeeds - gotohSeed; // the segment
			const bool missing = within && !table.has(SeedTable::seedOf(side.along, at + (within ? table.lane : 0)));
			const u32 seeds = __ballot_sync(~0u, missing);
			if (table.lane == part / 2) mine |= (u64)seeds << part % 2 * partSeeds;
		}
		if (table.lane < count) side.sums[begin + table.lane + 1] = each * apartSeeds(mine);
	}
}
