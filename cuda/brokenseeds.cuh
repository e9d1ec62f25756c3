// What alignments of a pair cost that leave a band, from broken seeds. They narrow the bands of gotoh.cuh.
//
// A seed is gotohSeed letters of the pattern. It is broken if the text has it nowhere: every alignment has an error
// within it. Seeds are taken from left to right, each the first broken one behind the one before, so none overlap.
// A mismatch is in one of them at most, and so is a deletion; an insertion may be in several, one behind the other.
//
// An alignment that leaves a band has I letters or more in insertions and D or more in deletions: GotohBand. Of what
// these cost, e(I + D), the share p of a letter of an insertion and q of one of a deletion count towards the errors in
// the seeds:
//
//	cost >= L(p, q) + (e - p) I + (e - q) D
//
// where L is the least cost of errors in all seeds with at least one insertion (o + p a letter) and one
// deletion (o + q for one letter). Further letters leave and come back, so this holds for p + q up to 2e. With free ends
// there is no way back: I alone is known, p is at most e, and deletions cost all of theirs. L takes a
// scan of the seeds. Each lane of a warp has a p and a q of its own, and the best of them counts.
//
// Shared memory, static: the bits of a text's seeds, 8 KB.
#pragma once
#include "gotohmiddle.cuh"

static constexpr int gotohMostSeeds = 1 << 18; // of a pair: the sums of their costs fit into 31 bits

// SeedCosts are the least costs of errors in the broken seeds so far, in sixteenths.
struct SeedCosts {
	int perInsertion; // of a letter: p
	int open, single; // of an insertion but its letters, and of an error in one seed
	int seeds;
	// With an insertion: the last error is in the last seed alone, an insertion from its last letter on, or one that ends
	// with its first letter.
	int apart, begins, ends;

	__device__ __forceinline__ SeedCosts(const Params &a, int p, int q) : perInsertion(p) {
		open = 16 * a.gapOpen;
		single = min(16 * a.mismatch, open + q);
		seeds = 0;
		apart = begins = ends = never;
	}

	static constexpr int never = 1 << 30;

	// add adds a seed that begins so many letters behind the one before. Large numbers count as less, so that all sums
	// fit into 32 bits.
	__device__ __forceinline__ void add(int distance) {
		distance = min(distance, 1 << 18);
		const int before = min(apart, min(begins, ends));
		const int goesOn = min(begins + perInsertion * (distance - gotohSeed + 1), ends + perInsertion * distance);
		begins = min(before, single * seeds) + open + perInsertion;
		apart = min(before + single, (int)never);
		ends = seeds == 0 ? (int)never : min(goesOn, (int)never);
		seeds++;
	}

	// least returns the least cost with an insertion, which may be in no seed.
	__device__ __forceinline__ int least() const { return min(min(apart, min(begins, ends)), single * seeds + open); }
};

// countBroken adds the broken seeds of a pattern to the costs of all lanes, SeedCosts or what else counts them.
template <class COSTS>
__device__ __forceinline__ void countBroken(const SeedTable &table, const u32 *pattern, int length, COSTS &costs) {
	const int seeds = length - gotohSeed + 1;
	int last = 0, next = 0; // the last one, and where the next one may begin
	for (int from = 0; from < seeds && costs.seeds < gotohMostSeeds; from += 16 * 32) {
		const u32 mine = table.absent(pattern, from + 16 * table.lane, seeds);
		for (int at = from, k = 0; k < 32 && at < seeds; k += 2, at += 32) {
			u32 found = __shfl_sync(~0u, mine, k) | __shfl_sync(~0u, mine, k + 1) << 16;
			if (next > at) found &= ~0u << (next - at); // by fewer than gotohSeed
			while (found != 0) {
				const int i = __ffs((int)found) - 1;
				costs.add(at + i - last);
				last = at + i;
				next = last + gotohSeed;
				found = i + gotohSeed < 32 ? found & ~0u << (i + gotohSeed) : 0;
			}
		}
	}
}

// countSeeds writes what broken seeds tell of the band of each pair. A warp takes a pair at a time.
template <bool FREE> __device__ __forceinline__ void countSeeds(const Params &a) {
	__shared__ uint4 memory[SeedTable::words / 4];
	const int lane = threadIdx.x & 31, e = a.gapExtend;
	const SeedTable table = {(u32 *)memory, lane};
	int p, q;
	if (FREE) {
		p = e * lane / 2;
		q = 16 * e;
	} else {
		// A deletion of a letter may be the cheapest error in a seed: the upper lanes count a part of the letter.
		q = lane < 16 ? 0 : 8 * min(max(a.mismatch - a.gapOpen, 0), e);
		p = e * (2 * (lane & 15) + lane / 16);
	}
	for (int at = blockIdx.x; at < a.count; at += gridDim.x) {
		const Task &t = a.tasks[at];
		table.load(t.text, t.textLength);
		SeedCosts costs(a, p, q);
		countBroken(table, t.pattern, t.patternLength, costs);

		const GotohBand band(a, t, 2 * a.pairThreads, a.pairWords, FREE, GotohLeaving::anywhere);
		const int end = t.textLength - t.patternLength;
		// Letters of insertions and deletions beside the band's half.
		const long long more = max(-end, 0), less = max(end, 0);
		GotohLeaving own;
		own.middle = GotohLeaving::anywhere;
		if (FREE) {
			own.rise = (short)(16 * e - p);
			own.least = costs.least() + own.rise * more;
		} else {
			own.rise = (short)(32 * e - p - q);
			own.least = costs.least() + costs.open + q - costs.single + (16 * e - p) * more + (16 * e - q) * less;
		}
		// The one by which the narrowest band is enough for the pair's bound: this one, or with rims, beyond which what is outside is
		// not looked at. If none is enough, the one that tells most of this band.
		const int enough = own.rise <= 0 ? (int)SeedCosts::never : own.enough(GotohBand::wanted(a, t));
		const bool some = __any_sync(~0u, enough <= (FREE && a.edgeWords != 0 ? GotohLeaving::most - 1 : band.beside));
		int best = some ? enough : own.rise <= 0 ? 0 : -own.certified(band.beside), lane0 = lane;
#pragma unroll
		for (int d = 1; d < 32; d *= 2) {
			const int other = __shfl_xor_sync(~0u, best, d), lane1 = __shfl_xor_sync(~0u, lane0, d);
			if (other < best || other == best && lane1 < lane0) {
				best = other;
				lane0 = lane1;
			}
		}
		if constexpr (FREE) {
			// Bands that certify the bound without what is outside need no alignment in their middle.
			const int certified = max(band.certified, own.certified(band.beside));
			if (a.edgeWords != 0 && end > 0 && t.textLength > 2 * a.pairThreads * a.pairWords &&
			    __all_sync(~0u, own.rise <= 0 || certified < GotohBand::wanted(a, t)))
				own.middle = (short)PatternEnds(t).middle();
		}
		if (lane == lane0) *gotohLeaving(a, at) = own;
	}
}
