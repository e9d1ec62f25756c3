// Traceback from the end cell to the origin, by the rule of package align. It depends
// only on the cells that each score reaches, so it finds the CPU's alignment.
//
// The loop and the order of candidates are the same for all kernels. A path is a policy
// that defines cells and steps:
//
//	on, s, k, h            whether it continues; score, diagonal and text position
//	text, pattern          the pair's packed bases
//	cell(on, s, k)         M[s,k], negative where no cell is reached
//	look(a, c, matches)    the cell of candidate c, for OneThread; candidates come in order
//	there(s)               whether row s is in memory, so that cell may be called
//	fits(c, cell, matches) whether candidate c leads from its cell to this one, with
//	                       `matches` matches before h
//	next                   number of the first candidate to try; 0 unless the search
//	                       was interrupted by a missing row
//	take(a, step)          takes one step back, or ends
//
// Paths: exacttrace.cuh, whose rows are stored in full or in segments, or recomputed from
// checkpoints (retrace.cuh), and adaptivetrace.cuh. Searches for the next step: OneThread, and Group for several
// threads a pair.
#pragma once
#include "cigar.cuh"
#include "match.cuh"

// Candidate is a possible step back. The first that fits is taken, so the order of the
// numbers decides between alignments of the same score: a mismatch (0), then gaps of
// length 1, 2, …, each as an insertion (1, 3, …) and as a deletion (2, 4, …).
struct Candidate {
	int number;
	__device__ __forceinline__ int length() const { return (number + 1) >> 1; } // 0 for a mismatch
	__device__ __forceinline__ bool insertion() const { return number & 1; }
	__device__ __forceinline__ u32 operation() const { return number == 0 ? opMismatch : insertion() ? opIns : opDel; }
	// score and diagonal are those of its cell.
	__device__ __forceinline__ int score(const Params &a, int s) const {
		return number == 0 ? s - a.mismatch : s - a.gapOpen - a.gapExtend * length();
	}
	__device__ __forceinline__ int diagonal(int k) const { return insertion() ? k + length() : k - length(); }
	// columns is the number of text letters that it consumes.
	__device__ __forceinline__ int columns() const { return number == 0 ? 1 : insertion() ? 0 : length(); }
};

// Step is the next step back: matches before the position, then the candidate of this
// number, from a cell with offset `cell`. Without a candidate, number is stuck (none
// fits) or missing (the row of the next candidate is not in memory).
struct Step {
	static constexpr int stuck = -1, missing = -2;
	int matches, number, cell;
};

// OneThread searches for the next step with one thread, one candidate after the other.
// It is separate from Group for speed: a group loads several candidates and the letters
// at once; a single thread would not need most of these loads. The tests of the
// emulation hold both to the same alignments.
struct OneThread {
	__device__ __forceinline__ bool any(bool on) const { return on; }

	template <class PATH> __device__ __forceinline__ Step step(const Params &a, PATH &p) const {
		Step step = {matchesBefore(p.text, p.pattern, p.h, p.h - p.k), Step::stuck, 0};
		if (p.s == 0) return step;
		for (Candidate c = {p.next};; c.number++) {
			const int from = c.score(a, p.s);
			if (from < 0 && c.number > 0) return step;
			if (!p.there(from)) {
				p.next = c.number;
				step.number = Step::missing;
				return step;
			}
			step.cell = p.look(a, c, step.matches);
			if (p.fits(c, step.cell, step.matches)) {
				step.number = c.number;
				return step;
			}
		}
	}
};

// Group is a group of threads of a warp that share a pair. All groups of a warp run in
// step: each shuffle and ballot needs all 32 lanes.
//
// A step waits for memory: for the letters before the cell, and for the candidates'
// cells. Each thread loads some of both at the same time; shuffles broadcast the result.
// All rows must be in memory.
template <int THREADS> struct Group {
	static constexpr u32 mask = THREADS == 32 ? ~0u : (1u << (THREADS & 31)) - 1;
	int in, shift; // this thread's place in the group, the group's first lane

	__device__ __forceinline__ bool any(bool on) const { return __any_sync(~0u, on); }
	__device__ __forceinline__ u32 ballot(bool yes) const { return __ballot_sync(~0u, yes) >> shift & mask; }

	// Letters are the differences between 16 letters of each sequence.
	struct Letters {
		int most; // largest number of matches
		u32 differ;
	};
	// letters compares those that end before text position h and pattern position v, 16
	// per thread.
	__device__ __forceinline__ Letters letters(bool on, const u32 *text, const u32 *pattern, int h, int v,
	                                           int skip) const {
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

	// matches counts the matches that end before text position h and pattern position v.
	// l has the letters without a skip.
	__device__ __forceinline__ int matches(bool on, const u32 *text, const u32 *pattern, int h, int v,
	                                       Letters l) const {
		int n;
		bool more = !run(l, 0, n) && on;
		for (int skip = 16 * THREADS; __any_sync(~0u, more); skip += 16 * THREADS) {
			l = letters(more, text, pattern, h, v, skip);
			int count;
			const bool ends = run(l, skip, count);
			if (more) {
				n = count;
				more = !ends;
			}
		}
		return n;
	}

	template <class PATH> __device__ __forceinline__ Step step(const Params &a, const PATH &p) const {
		Candidate c = {in};
		int cell = p.cell(p.on, c.score(a, p.s), c.diagonal(p.k));
		const Letters l = letters(p.on, p.text, p.pattern, p.h, p.h - p.k, 0);
		Step step = {matches(p.on, p.text, p.pattern, p.h, p.h - p.k, l), Step::stuck, 0};
		for (bool on = p.on;;) {
			const u32 yes = ballot(on && p.fits(c, cell, step.matches));
			const int first = yes != 0 ? __ffs((int)yes) - 1 : 0;
			const int taken = __shfl_sync(~0u, cell, shift + first);
			if (on && yes != 0) {
				step.number = c.number - in + first;
				step.cell = taken;
				on = false;
			}
			c.number += THREADS;
			if (Candidate{c.number - in}.score(a, p.s) < 0) on = false;
			if (!__any_sync(~0u, on)) return step;
			cell = p.cell(on, c.score(a, p.s), c.diagonal(p.k));
		}
	}
};

// traceback follows a path until it ends or a row is missing.
template <class SEARCH, class PATH>
__device__ __forceinline__ void traceback(const Params &a, SEARCH &&search, PATH &path) {
	while (search.any(path.on)) {
		const Step step = search.step(a, path);
		if (path.on) path.take(a, step);
	}
}
