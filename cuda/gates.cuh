// Gates: cells on the runs of an alignment that every optimal alignment of the pair passes. align/rungates.go
// has the rule and its proof.
//
// Seeds are words of eight letters of the runs that the text has on no other diagonal in reach. Sums are those
// of what seeds cost an alignment that is elsewhere, less what errors cost the one along the runs. A gate is a
// cell whose sum is above that of every end of a run before it and below that of every begin of a run behind
// it.
//
// Of a pattern within a text, whose alignments begin and end on any diagonal, it is a cell whose sum is also above
// 0 and below that at the end.
#pragma once
#include "runs.cuh"

// Seeds tells which words of a window of a sequence may be there twice: two bits in shared memory for all that
// have the first 15 bits in common.
struct Seeds {
	static constexpr int letters = 8;
	static constexpr int bits = 15;
	static constexpr int bytes = 2 << bits >> 3;
	static constexpr int tile = 2048;          // positions that a window is for,
	static constexpr int slack = 32 * letters; // and so many more
	static constexpr int mostReach = 4096;

	u32 *seen; // 2^bits bits, and as many of words that are there twice behind them
	const u32 *bases;
	int n, reach;
	int begin, end; // of the positions that the window is for

	__device__ __forceinline__ void clear() const {
		__syncwarp();
		uint4 *to = (uint4 *)seen;
#pragma unroll 1
		for (int i = threadIdx.x & 31; i < bytes / 16; i += 32) to[i] = {0, 0, 0, 0};
		__syncwarp();
	}

	// fill puts all words into the table that begin in reach of positions from one on.
	__device__ __forceinline__ void fill(int from) {
		clear();
		begin = from, end = from + tile;
		const int low = max(begin - reach, 0), high = min(end + slack + reach, n - letters + 1);
#pragma unroll 1
		for (int i = low + 16 * (int)(threadIdx.x & 31); i < high; i += 512) {
			const u32 first = sixteen(bases, i), next = sixteen(bases, i + letters);
#pragma unroll
			for (int j = 0; j < 16; j++)
				if (i + j < high) put((j < 8 ? first << 2 * j : next << 2 * (j - 8)) >> (32 - bits));
		}
		__syncwarp();
	}

	__device__ __forceinline__ void put(u32 w) const {
		const u32 bit = 1u << (w & 31);
		if (atomicOr(seen + (w >> 5), bit) & bit) atomicOr(seen + (bytes / 8 + (w >> 5)), bit);
	}

	// alone reports whether the window has the word at a position once.
	__device__ __forceinline__ bool alone(int at) const {
		const u32 w = sixteen(bases, at) >> (32 - bits);
		return (seen[bytes / 8 + (w >> 5)] >> (w & 31) & 1) == 0;
	}
};

template <bool FREE> struct Gates {
	static constexpr int creditGap = 20; // least difference of the lengths for which it counts

	const Runs<FREE> &runs;
	int unit; // what a seed costs at least

	__device__ __forceinline__ Gates(const Runs<FREE> &r, int x, int o, int e) : runs(r) {
		unit = min(min(x, o + e), min((o + 2 * e) / 2, Seeds::letters * e));
	}

	// find writes where the last gate of each run is to Run::first, -1 where there is none, and reports whether
	// it has looked for them.
	__device__ __forceinline__ bool find(u32 *table, int lane) const {
		const Pair &p = runs.pair;
		if (FREE) return findWithin(table, lane);
		const int o = runs.lanes.o, e = runs.lanes.e, count = runs.count;
		// Where an optimal alignment is so far from the runs, both together have twice as many letters of
		// gaps at least.
		int gaps = 0;
#pragma unroll 1
		for (int i = lane; i + 1 < count; i += 32) gaps += abs(runs.runs[i + 1].k - runs.runs[i].k);
#pragma unroll
		for (int d = 16; d > 0; d >>= 1) gaps += __shfl_xor_sync(~0u, gaps, d);
		// Cost is at least 0, and so is what gaps have.
		gaps += max(0, (runs.cost - o) / e);
		const int reach = min(gaps / 2, max(p.n, p.m));
		if (reach > Seeds::mostReach) return false;
		const int end = p.m - p.n;
		const bool across = end <= -creditGap;
		int credit = 0;
		if (abs(end) >= creditGap) credit = e + min(0, o - unit);
		if (across) credit = -credit;
		Seeds words = {table, across ? p.pattern : p.text, across ? p.n : p.m, reach, 0, 0};
		const Range range = {0, count - 1, 0, p.n, -1};
		const int sum = sums(words, across, credit, lane, range);
		choose(sum + 1, sum, lane, range);
		return true;
	}

	// Range is a part of the runs: from a position of one to a position of another, and what the sum of a gate is
	// above.
	struct Range {
		int first, last, from, to, above;
	};

	// findWithin is find for a pattern within a text: an optimal alignment may be on any diagonal on which the
	// text is not longer than the one along the runs allows.
	//
	// Before the first gate it is nearer: it pays for a gap from where it begins to the diagonal of the gate. So
	// fewer seeds have copies there, and the same search finds gates before that one, and again before these,
	// and so behind the last gate.
	__device__ __forceinline__ bool findWithin(u32 *table, int lane) const {
		const Pair &p = runs.pair;
		const int last = runs.count - 1;
		PartEnds side = fixedEnds;
		Range range = {0, last, 0, p.n, 0};
		int reach = 0, gap = mostGap(runs.cost), run = -1, v = 0;
#pragma unroll 1
		for (int i = lane; i <= last; i += 32)
			reach = max(reach, max(runs.runs[i].k + gap, p.m - p.n + gap - runs.runs[i].k));
		for (;;) {
			reach = largest(reach);
			if (reach > Seeds::mostReach) return side != fixedEnds;
			Seeds words = {table, p.text, p.m, reach, 0, 0};
			const int sum = sums(words, false, 0, lane, range);
			choose(side == freeBegin ? sum + 1 : sum, sum, lane, range);
			if (run >= 0 && lane == 0) runs.runs[run].first = v;
			__syncwarp();
			if (side == fixedEnds) side = freeBegin;
			int atRun, atV, cost;
			if (side == freeBegin) {
				if (!firstGate(atRun, atV, lane)) return true;
				cost = runs.runs[atRun].cost;
				if (cost <= runs.lanes.certainFree() || atRun == run) side = freeEnd, run = -1;
			}
			if (side == freeEnd) {
				lastGate(atRun, atV, lane);
				cost = runs.cost - runs.runs[atRun].cost;
				if (cost <= runs.lanes.certainFree() || atRun == run) return true;
			}
			run = atRun, v = atV;
			range = side == freeBegin ? Range{0, run, 0, v, 0} : Range{run, last, v, p.n, -1};
			reach = 0;
#pragma unroll 1
			for (int i = range.first + lane; i <= range.last; i += 32)
				reach = max(reach, mostGap(cost) + abs(runs.runs[i].k - runs.runs[run].k));
		}
	}

	// mostGap returns the most letters of gaps of a cost.
	__device__ __forceinline__ int mostGap(int cost) const { return max(0, (cost - runs.lanes.o) / runs.lanes.e); }

	// largest returns the largest value of all lanes.
	__device__ __forceinline__ int largest(int value) const {
#pragma unroll
		for (int d = 16; d > 0; d >>= 1) value = max(value, __shfl_xor_sync(~0u, value, d));
		return value;
	}

	// firstGate finds the first gate, and lastGate the last one, of which there are some.
	__device__ __forceinline__ bool firstGate(int &run, int &v, int lane) const {
#pragma unroll 1
		for (int i = 0; i < runs.count; i += 32) {
			const u32 gates = __ballot_sync(~0u, i + lane < runs.count && runs.runs[i + lane].first >= 0);
			if (gates == 0) continue;
			run = i + __ffs((int)gates) - 1;
			v = runs.runs[run].first;
			return true;
		}
		return false;
	}
	__device__ __forceinline__ void lastGate(int &run, int &v, int lane) const {
#pragma unroll 1
		for (int i = runs.count - 1;; i -= 32) {
			const u32 gates = __ballot_sync(~0u, i - lane >= 0 && runs.runs[i - lane].first >= 0);
			if (gates == 0) continue;
			run = i - (__ffs((int)gates) - 1);
			v = runs.runs[run].first;
			return;
		}
	}

	// sums sets those of the runs of a range and returns that behind the last one.
	__device__ __forceinline__ int sums(Seeds &words, bool across, int credit, int lane, const Range &range) const {
		int sum = 0, most = range.above, cost = 0, k = 0;
#pragma unroll 1
		for (int i = range.first; i <= range.last; i++) {
			Run &r = runs.runs[i];
			const int diagonal = r.k, paid = r.cost, from = beginOf(i, range), to = endOf(i, range);
			if (i > range.first) sum -= paid - cost - credit * (diagonal - k);
			cost = paid, k = diagonal;
			const int first = sum, count = (to - from) / Seeds::letters, begin = across ? from : from + k;
			u32 last = 0;
#pragma unroll 1
			for (int j = 0; j < count; j += 32) {
				const int at = begin + Seeds::letters * j, some = min(32, count - j);
				if (at >= words.end || at < words.begin) words.fill(at);
				const u32 seeds = __ballot_sync(~0u, lane < some && words.alone(at + Seeds::letters * lane));
				sum += unit * __popc(seeds);
				last = some == 32 ? seeds : last >> some | seeds << (32 - some);
			}
			if (lane == 0) r.first = first, r.last = sum, r.seeds = last, r.most = most;
			most = max(max(most, 0), sum);
		}
		__syncwarp();
		return sum;
	}

	// beginOf and endOf return what of a run is in a range.
	__device__ __forceinline__ int beginOf(int i, const Range &range) const {
		const int from = runs.runs[i].from;
		return FREE && i == range.first ? max(from, range.from) : from;
	}
	__device__ __forceinline__ int endOf(int i, const Range &range) const {
		const int to = runs.runs[i].to;
		return FREE && i == range.last ? min(to, range.to) : to;
	}

	// choose finds on each run of a range the last cell that is a gate. Its sum is below a limit. least is the sum
	// behind the last run.
	__device__ __forceinline__ void choose(int above, int least, int lane, const Range &range) const {
#pragma unroll 1
		for (int end = range.last + 1; end > range.first; end -= 32) {
			const int i = end - 32 + lane;
			const bool live = i >= range.first;
			Run *r = runs.runs + (live ? i : 0);
			int low = live ? min(above, min(least, r->first)) : 0x7fffffff;
#pragma unroll
			for (int d = 1; d < 32; d <<= 1) {
				const int other = __shfl_down_sync(~0u, low, d);
				if (lane + d < 32) low = min(low, other);
			}
			const int next = __shfl_down_sync(~0u, low, 1), limit = lane == 31 ? above : next;
			if (live) r->first = gateOf(*r, limit, beginOf(i, range), endOf(i, range));
			above = __shfl_sync(~0u, low, 0);
			__syncwarp();
		}
	}

	// gateOf returns the last cell of a run, a position of the pattern, whose sum is below a limit and above
	// that of runs before, -1 if there is none.
	__device__ __forceinline__ int gateOf(const Run &r, int limit, int from, int to) const {
		int words = (to - from) / Seeds::letters, v = from + Seeds::letters * words, sum = r.last;
		if (limit - 1 <= r.most) return -1;
		words = min(words, 32);
#pragma unroll 1
		for (int j = 31; j >= 32 - words && sum >= limit; j--) {
			sum -= unit * (int)(r.seeds >> j & 1);
			v -= Seeds::letters;
		}
		return sum < limit && sum > r.most ? v : -1;
	}
};
