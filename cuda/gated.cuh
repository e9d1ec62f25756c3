// Exact alignment of pairs of few errors, part by part. Gates (gates.cuh) are cells that every optimal
// alignment passes, and what is between two of them is aligned alone: at sight if it is one gap, or by
// wavefronts (fronts.cuh) of 32 diagonals, or of more where it has many errors. So a pair costs its letters
// and errors, not the square of its score.
//
// A warp aligns a pair. A part of too many errors for that, or with too long a gap among them, is left open: the
// alignment has three elements in its place, and the host has it aligned. A pair whose open parts are most of
// it, without gates, or of a score above the bound, has no alignment, but an upper bound of its score, unless
// it has too many errors for that. So has a pair with open parts if scores alone are computed, and one for whose
// alignment there is no room.
//
// FREE: a pattern within a text, whose letters before it and behind it cost nothing. The part before the first
// gate has a free begin and the one behind the last gate a free end. The elements of an alignment begin with the
// positions at which it begins in both sequences. A pair whose open parts are most of it, or with open parts where
// scores alone are computed, has where the alignment begins and ends in the text instead: the pattern is aligned
// globally with what is between them, which gives the same alignment. If an end has too many errors, there is an
// upper bound of the score.
//
// Memory of a worker: the runs, Params::scratch of them, the elements of an alignment, rows of
// Params::segmentRows wavefronts of Params::width diagonals, none if that is 0, and the elements of a part
// aligned by them. Shared memory, for one after the other: wavefronts of 32 diagonals up to score Params::span,
// or the words of a window, or wavefronts and an alignment.
#pragma once
#include "gates.cuh"
#include "shared.cuh"
#include "stop.cuh"

// GatedWriter writes the elements of an alignment one behind the other. Every lane of the warp has the same.
struct GatedWriter {
	u32 *to, *end;
	u32 run; // not yet written; 0 for none
	bool full;

	__device__ __forceinline__ void add(u32 op, int n) {
		if (n <= 0) return;
		if ((run & 15u) == op && op < openPattern) {
			run += (u32)n << 4;
			return;
		}
		flush();
		run = (u32)n << 4 | op;
	}
	__device__ __forceinline__ void flush() {
		if (run == 0) return;
		if (to == end)
			full = true;
		else {
			if ((threadIdx.x & 31) == 0) *to = run;
			to++;
		}
		run = 0;
	}
};

// Gated is a pair that is aligned part by part.
template <bool FREE> struct Gated {
	typedef Fronts<false, FREE> Lanes;
	typedef Fronts<true, FREE> WideFronts;

	Lanes &lanes;
	WideFronts &wide;
	int mostWidth; // of wide
	const Runs<FREE> &runs;
	bool traces; // not scores alone
	GatedWriter writer;
	int score;
	int open; // cost of the parts that are left open, at most,
	u64 left; // and the sum of its squares
	bool wrong;
	int textBegin, textEnd; // of the alignment, if FREE; textEnd is negative if an end has too many errors

	// parts aligns all parts, each from a gate to the next one. The last run has one at its end, unless that is
	// free.
	__device__ __forceinline__ void parts(int lane) {
		const int last = FREE ? runs.count : runs.count - 1; // if FREE, behind the runs
		int atRun = FREE ? -1 : 0, atV = 0;
		for (int i = 0; i <= last; i += 32) {
			int gate = -1;
			if (i + lane < last)
				gate = runs.runs[i + lane].first;
			else if (i + lane == last)
				gate = FREE ? 0 : runs.runs[last].to;
			u32 gates = __ballot_sync(~0u, gate >= 0 && (FREE || i + lane > 0 || last == 0));
#pragma unroll 1
			for (; gates != 0; gates &= gates - 1) {
				const int l = __ffs((int)gates) - 1, to = __shfl_sync(~0u, gate, l);
				part(atRun, atV, i + l, to);
				if (FREE && textEnd < 0) return;
				atRun = i + l, atV = to;
			}
		}
		writer.flush();
	}

	// mostGap returns the most letters of gaps of a cost.
	__device__ __forceinline__ int mostGap(int cost) const { return max(0, (cost - lanes.o) / lanes.e); }

	// certain returns the largest score that wavefronts are certain to find of a part.
	template <class FRONTS> __device__ __forceinline__ int certain(const FRONTS &rows, int by, PartEnds ends) const {
		return FREE && ends != fixedEnds ? rows.certainFree() : rows.certain(by);
	}

	// part aligns what is from a position of one run to one of another. There is none before the first run, and
	// none behind the last one.
	__device__ __forceinline__ void part(int beginRun, int v, int endRun, int toV) {
		PartEnds ends = fixedEnds;
		if (FREE && endRun == runs.count) {
			if (beginRun < 0) {
				textEnd = -1;
				return;
			}
			ends = freeEnd;
		} else if (FREE && beginRun < 0)
			ends = freeBegin;
		const Run &b = runs.runs[FREE ? max(beginRun, 0) : beginRun], &r = runs.runs[endRun - (ends == freeEnd)];
		int n = toV - v, by = r.k - b.k, cost = r.cost - b.cost, h = v + b.k, m = n + by, middle = by / 2;
		if (FREE && ends == freeBegin) {
			cost = r.cost;
			h = max(0, r.k - mostGap(cost) - 1);
			middle = by = r.k - h;
			m = n + by;
		} else if (FREE && ends == freeEnd) {
			cost = runs.cost - b.cost;
			n = runs.pair.n - v;
			m = min(runs.pair.m - h, n + mostGap(cost) + 1);
			middle = 0;
			textEnd = h + n;
		}
		if (FREE && ends == freeBegin && cost == 0) textBegin = r.k;
		if (cost == 0) {
			writer.add(opMatch, n);
			return;
		}
		const bool next = (!FREE || ends == fixedEnds) && endRun == beginRun + 1;
		if (next && by == 0 && mismatches(v, b, r, toV)) return;
		if (next && by != 0 && cost == runs.gap(abs(by)) && (lanes.o > 0 || abs(by) == 1)) {
			// Any other gap costs more. It is where the matches behind it begin.
			const int after = r.from - matchesBefore(runs.pair.text, runs.pair.pattern, r.from + r.k, r.from);
			const int to = by < 0 ? after + by : after;
			if (to >= v) {
				score += cost;
				writer.add(opMatch, to - v);
				writer.add(by < 0 ? opIns : opDel, abs(by));
				writer.add(opMatch, toV - after);
				return;
			}
		}
		if (n > 0 && m > 0 && n <= Lanes::mostLetters && m <= Lanes::mostLetters) {
			const bool narrow = cost <= certain(lanes, by, ends);
			if (!narrow)
				for (wide.width = 64; wide.width <= mostWidth && certain(wide, by, ends) < cost;) wide.width += 32;
			int bound = cost;
			if (FREE && ends != fixedEnds && wide.width > mostWidth && !narrow && mostWidth > 0) {
				// The alignment along the runs is likely not to be an optimal one.
				wide.width = mostWidth;
				bound = wide.certainFree();
			}
			if (narrow || wide.width <= mostWidth) {
				int s;
				WideFronts rows = wide;
				if (narrow) {
					lanes.begin(v, h, n, m, middle, ends);
					s = lanes.align(bound);
					rows = lanes.asWide();
				} else {
					rows.begin(v, h, n, m, middle, ends);
					s = rows.align(bound);
				}
				if (FREE && s < 0 && bound < cost) {
					textEnd = -1;
					return;
				}
				if (FREE && ends == freeEnd) textEnd = h + rows.m;
				within(rows, s, ends == freeBegin);
				if (FREE && ends == freeBegin) textBegin = rows.h;
				return;
			}
		}
		if (FREE && ends != fixedEnds) {
			textEnd = -1;
			return;
		}
		if (n == 0 || m == 0) {
			score += cost;
			writer.add(by < 0 ? opIns : opDel, abs(by));
			return;
		}
		open += cost;
		left += (u64)cost * cost;
		writer.add(openPattern, n);
		writer.add(openText, m);
		writer.add(openCost, cost);
	}

	// mismatches aligns a part of few mismatches between two runs, and reports whether it is one: any gap has
	// another one that leads back.
	__device__ __forceinline__ bool mismatches(int v, const Run &b, const Run &r, int toV) {
		const int count = r.from - b.to;
		if (count < 0 || count > 16) return false;
		u32 d = runs.pair.differences(b.to, b.to + b.k);
		d = (d | d >> 1) & 0x55555555u & ~(count < 16 ? ~0u >> 2 * count : 0u);
		const int cost = lanes.x * __popc(d);
		if (cost >= 2 * runs.gap(1)) return false;
		score += cost;
		writer.add(opMatch, b.to - v);
#pragma unroll 1
		for (int i = 0; i < count; i++) writer.add(d << 2 * i & 0x40000000u ? opMismatch : opMatch, 1);
		writer.add(opMatch, toV - r.from);
		return true;
	}

	// within takes the alignment of a part, of a score that wavefronts have found, negative if they have not.
	// always: it is needed with scores alone, too.
	__device__ __forceinline__ void within(WideFronts &fronts, int s, bool always) {
		score += s;
		wrong = wrong || s < 0;
		if ((!traces && !always) || s < 0) return;
		// The elements of the part lie behind the rows.
		u32 *const room = (u32 *)((u8 *)fronts.rows + fronts.bytes()), *const end = room + fronts.mostElements();
		CigarWriter c = {end, room, 0, (threadIdx.x & 31) == 0, false};
		if (!fronts.trace(c, s)) {
			wrong = true;
			return;
		}
		c.flush();
		wrong = wrong || c.full;
		__syncwarp();
#pragma unroll 1
		for (const u32 *at = c.at; at < end; at++) writer.add(*at & 15u, (int)(*at >> 4));
	}
};

// moved moves the elements of a pair to those of the launch and returns its result: an upper bound of the score
// alone if there is no room.
template <bool FREE>
__device__ __forceinline__ Result moved(const Params &a, const Gated<FREE> &g, const u32 *from, int lane) {
	const u32 n = (u32)(g.writer.to - from);
	u32 base = 0;
	if (lane == 0) base = atomicAdd(a.used, n);
	__syncwarp();
	base = __shfl_sync(~0u, base, 0);
	if ((u64)base + n > a.cigarCapacity) return {-1, (u32)(g.score + g.open), 0, 0};
	for (u32 i = lane; i < n; i += 32) a.cigars[base + i] = from[i];
	return {g.score, base, n, g.open > 0 ? (u32)flagOpen : 0u};
}

// alignGated aligns the pairs of a launch.
template <bool FREE> __device__ __forceinline__ void alignGated(const Params &a) {
	constexpr int positions = FREE ? 2 : 0; // ahead of the elements of an alignment
	const int lane = threadIdx.x;
	Fronts<false, FREE> lanes;
	lanes.rows = (short *)sharedMemory;
	lanes.mostScore = a.span;
	lanes.x = a.mismatch, lanes.o = a.gapOpen, lanes.e = a.gapExtend;
	Run *const memory = (Run *)(a.rows + a.rowStride * blockIdx.x);
	u32 *const own = (u32 *)(memory + a.scratch);
	Fronts<true, FREE> wide;
	wide.x = lanes.x, wide.o = lanes.o, wide.e = lanes.e;
	wide.mostScore = a.segmentRows - 1;
	wide.rows = (short *)(own + ((positions + cigarRoom(a, a.maxScore) + 3) & ~3));
	u32 letters = 0; // of pairs since the last look at the stop word
	for (;;) {
		int taken = 0;
		if (lane == 0) taken = letters > stopLetters && stopped(a) ? a.count : (int)atomicAdd(a.next, 1u);
		if (letters > stopLetters) letters = 0;
		taken = __shfl_sync(~0u, taken, 0);
		if (taken >= a.count) return;
		const Task p = a.tasks[taken];
		letters += (u32)p.patternLength + (u32)p.textLength;
		Result result = {-1, 0, 0, 0};
		lanes.pair = wide.pair = {p.pattern, p.text, p.patternLength, p.textLength};
		Runs<FREE> runs = {lanes, lanes.pair, memory, a.scratch, 0, 0, 0, 0, 0, 0};
		bool bounded = runs.follow();
		__syncwarp();
		if (bounded) result.cigar = (u32)runs.cost;
		if (bounded && runs.count <= runs.most && runs.cost <= p.bound &&
		    Gates<FREE>(runs, lanes.x, lanes.o, lanes.e).find((u32 *)sharedMemory, lane)) {
			const bool traces = a.cigarCapacity > 0;
			u32 *const first = own + positions;
			Gated<FREE> g = {
			    lanes, wide, a.width, runs,  traces, {first, first + (traces ? cigarRoom(a, runs.cost) : 0), 0, false},
			    0,     0,    0,       false, 0,      0};
			g.parts(lane);
			const bool aligned = g.open == 0 || (traces && 2 * g.left <= (u64)runs.cost * runs.cost);
			if (FREE && lane == 0 && traces) own[0] = 0, own[1] = g.textBegin;
			__syncwarp();
			if (g.wrong)
				result = {-1, 0, 0, flagTrace};
			else if (FREE && g.textEnd < 0)
				result.cigar = (u32)runs.cost;
			else if (FREE && !aligned)
				result = {-1, (u32)g.textBegin, (u32)g.textEnd, flagOpen};
			else if (!traces && aligned)
				result.score = g.score, result.cigar = 0;
			else if (aligned && !g.writer.full)
				result = moved(a, g, own, lane);
			else
				result.cigar = (u32)(g.score + g.open);
		}
		__syncwarp();
		if (lane == 0) a.results[taken] = result;
	}
}
