// What tells how many errors a pattern within a text has, before the pass that aligns it: its broken seeds (brokenseeds.cuh), and how
// far the diagonals of its ends are apart (gotohmiddle.cuh).
//
// A text has some seeds by chance, as many as of all that there are. Of the errors, as many are in seeds that are not
// broken: the number of broken seeds is that by which there would be none of these.
//
// A warp takes a pair at a time. Its Result::score is the number of broken seeds, and Result::cigar half of how far the ends are apart.
//
// Shared memory, static: the bits of a text's seeds, 8 KB. Limits: texts of some letters, of which most seeds are not there by chance.
#pragma once
#include "brokenseeds.cuh"

// SeedCount counts broken seeds.
struct SeedCount {
	int seeds;
	__device__ __forceinline__ void add(int) { seeds++; }
};

__device__ __forceinline__ void probe(const Params &a) {
	__shared__ uint4 memory[SeedTable::words / 4];
	const SeedTable table = {(u32 *)memory, (int)threadIdx.x & 31};
	for (int at = blockIdx.x; at < a.count; at += gridDim.x) {
		const Task &t = a.tasks[at];
		table.load(t.text, t.textLength);
		SeedCount broken = {0};
		countBroken(table, t.pattern, t.patternLength, broken);
		constexpr int all = 32 * SeedTable::words;
		const int missing = all - table.count();
		const int seeds = (int)((long long)broken.seeds * all / max(missing, 1));
		int apart = 0;
		if (t.textLength > t.patternLength) {
			const PatternEnds ends(t);
			apart = ends.known ? (abs(ends.last - ends.first) + 1) / 2 : (t.textLength - t.patternLength) / 2;
		}
		if (table.lane == 0) a.results[at] = {seeds, (u32)apart, 0, 0};
	}
}
