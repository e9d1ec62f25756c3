// Walking back from the end cell by several lanes a pair.
//
// The next step waits for memory: for the letters before the cell, and for the
// cells that may come before it. Both are asked for at the same time, each lane
// having some of them; what they make of it is known to all.
#pragma once
#include "cigar.cuh"
#include "match.cuh"

// stuck is a step that leads nowhere.
static const int stuck = 1 << 30;

// Candidate is a step back that may be the next one: a mismatch (0), or a gap of
// length 1, 2, … as an insertion (1, 3, …) or a deletion (2, 4, …).
struct Candidate {
	int number;
	__device__ __forceinline__ int length() const { return (number + 1) >> 1; } // 0 for a mismatch
	__device__ __forceinline__ bool insertion() const { return number & 1; }
	// score and diagonal are those that it comes from.
	__device__ __forceinline__ int score(const Params &a, int s) const {
		return number == 0 ? s - a.mismatch : s - a.gapOpen - a.gapExtend * length();
	}
	__device__ __forceinline__ int diagonal(int k) const { return insertion() ? k + length() : k - length(); }
	// columns is how far it goes in the text.
	__device__ __forceinline__ int columns() const { return number == 0 ? 1 : insertion() ? 0 : length(); }
	// signedLength is negative for a deletion.
	__device__ __forceinline__ int signedLength() const { return insertion() ? length() : -length(); }
};

// Lanes are those of a pair. The pairs of a warp walk in step: all 32 lanes take
// part in every shuffle and ballot.
template <int LANES> struct Lanes {
	static constexpr u32 mask = LANES == 32 ? ~0u : (1u << (LANES & 31)) - 1;
	int in, shift; // this lane's place in its group, the group's first lane

	__device__ __forceinline__ u32 ballot(bool yes) const { return __ballot_sync(~0u, yes) >> shift & mask; }

	// Letters are 16 of each sequence: where they differ.
	struct Letters {
		int most; // matches there can be
		u32 differ;
	};
	// letters looks at those that end before text position h and pattern position
	// v, 16 a lane.
	__device__ __forceinline__ Letters letters(bool on, const u32 *text, const u32 *pattern, int h, int v, int skip) const {
		const int most = min(h, v), at = skip + 16 * in;
		Letters l = {most, 0};
		if (on && at < most) l.differ = sixteenBefore(text, h - at) ^ sixteenBefore(pattern, v - at);
		return l;
	}
	// run counts the matches in letters, and reports whether they end there.
	__device__ __forceinline__ bool run(const Letters &l, int skip, int &count) const {
		const int at = skip + 16 * in;
		const u32 stop = ballot(at >= l.most || l.differ != 0);
		const int mine = at + (l.differ != 0 ? (__ffs((int)l.differ) - 1) >> 1 : 0);
		const int from = stop != 0 ? __ffs((int)stop) - 1 : 0;
		count = min(l.most, __shfl_sync(~0u, mine, shift + from));
		return stop != 0;
	}

	// Back is a step that was found: its signed length, or stuck, and what its
	// cell holds.
	struct Back {
		int length, cell;
	};
	// step finds how the alignment gets with score s to a cell of diagonal k at h,
	// and how many matches there are before h. It takes the first candidate that
	// fits: rows.cell(score, diagonal) is asked about each, and rows.fits(candidate,
	// k, cell, h, matches).
	template <class ROWS>
	__device__ __forceinline__ Back step(bool on, const ROWS &rows, const Params &a, const u32 *text, const u32 *pattern,
	                                     int s, int k, int h, int &matches) const {
		Candidate c = {in};
		int cell = rows.cell(on, c.score(a, s), c.diagonal(k));
		Letters l = letters(on, text, pattern, h, h - k, 0);
		bool more = !run(l, 0, matches) && on;
		for (int skip = 16 * LANES; __any_sync(~0u, more); skip += 16 * LANES) {
			l = letters(more, text, pattern, h, h - k, skip);
			int count;
			const bool ends = run(l, skip, count);
			if (more) {
				matches = count;
				more = !ends;
			}
		}
		Back back = {stuck, 0};
		for (;;) {
			const u32 yes = ballot(on && rows.fits(c, k, cell, h, matches));
			const int first = yes != 0 ? __ffs((int)yes) - 1 : 0;
			const int held = __shfl_sync(~0u, cell, shift + first);
			if (on && yes != 0) {
				back.length = Candidate{c.number - in + first}.signedLength();
				back.cell = held;
				on = false;
			}
			c.number += LANES;
			if (Candidate{c.number - in}.score(a, s) < 0) on = false;
			if (!__any_sync(~0u, on)) return back;
			cell = rows.cell(on, c.score(a, s), c.diagonal(k));
		}
	}
};

// takeRoom sets aside room for the alignments of a warp's pairs, by one atomic
// operation. s is the score of this lane's pair, negative for one without an
// alignment; writes marks the lane that speaks for it. It returns whether there
// is an alignment to be made, and the room's first element and their number.
__device__ __forceinline__ bool takeRoom(const Params &a, int s, bool writes, Result &result, u32 &base, int &room) {
	const int lane = threadIdx.x & 31;
	room = s < 0 ? 0 : cigarRoom(a, s);
	int sum = writes ? room : 0;
#pragma unroll
	for (int o = 1; o < 32; o <<= 1) {
		const int v = __shfl_up_sync(~0u, sum, o);
		if (lane >= o) sum += v;
	}
	base = 0;
	if (lane == 31 && sum > 0) base = atomicAdd(a.used, (u32)sum);
	base = __shfl_sync(~0u, base, 31) + (u32)(sum - room);
	if (s < 0) return false;
	if ((u64)base + room <= a.cigarCapacity) return true;
	if (writes) result.flags = result.flags & flagLetters | flagNoRoom;
	return false;
}

// Walk is a group of lanes with a pair to walk back, or without one.
template <int LANES> struct Walk {
	Lanes<LANES> lanes;
	bool on;     // there is an alignment to be made
	bool writes; // this lane speaks for the pair
	Task task;
	Pair pair;
	Result *result;
	int score;
	const u32 *text, *pattern, *rows;
	u32 *room, *end; // for the alignment

	__device__ __forceinline__ Walk(const Params &a) {
		const int lane = threadIdx.x & 31, at = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
		const bool live = at < a.count;
		lanes.in = lane & (LANES - 1);
		lanes.shift = lane & ~(LANES - 1);
		writes = lanes.in == 0;
		task = {0, 0};
		if (live) task = a.tasks[at];
		result = a.results + task.pair;
		score = live ? result->score : -1;
		u32 base;
		int size;
		on = takeRoom(a, score, writes, *result, base, size);
		writes = writes && on;
		pair = {0, 0, 0, 0};
		if (on) pair = a.pairs[task.pair];
		text = a.bases + pair.text;
		pattern = a.bases + pair.pattern;
		rows = a.rows + (u64)(live ? at : 0) * a.rowStride;
		room = a.cigars + base;
		end = room + size;
	}

	__device__ __forceinline__ void start(CigarWriter &c) const {
		c.at = end;
		c.room = room;
		c.run = 0;
		c.writes = writes;
		c.full = false;
	}

	// report ends an alignment and says where it lies.
	__device__ __forceinline__ void report(const Params &a, CigarWriter &c, bool wrong) const {
		if (!writes) return;
		c.flush();
		result->flags = result->flags & flagLetters | (wrong || c.full ? (u32)flagTrace : 0u);
		result->cigar = (u32)(c.at - a.cigars);
		result->cigarLength = (u32)(end - c.at);
	}
};
