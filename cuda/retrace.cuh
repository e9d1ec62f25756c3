// Traceback from checkpoints, by the rule of traceback.cuh. Eight threads align a pair:
// they recompute a window of the current segment, follow the path through it, and go on
// with the segment before. A gap that begins in an earlier segment is searched for in two
// windows of each, one for insertions and one for deletions. The groups of a warp compute
// their windows at the same time.
//
// Shared memory: dynamic, Window's for each group. Limits: those of the kernel that stored
// the checkpoints; an alignment has at most cigarRoom elements.
#pragma once
#include "exacttrace.cuh"
#include "tracetask.cuh"
#include "window.cuh"

// NoRows: the path reads cells from the window instead.
struct NoRows {};

template <class P, class STATES> struct Retrace {
	typedef Window<P, STATES> W;
	W window;
	ExactPath<NoRows> path;
	Group<W::threads> group;
	bool stale;  // the window is not the path's
	bool before; // the path's next candidates are in the segment before the window's

	static constexpr int none = 1 << 30;

	// search returns the first candidate from number `from` on, in steps of `by`, whose score
	// is at least `least` and that fits; none if there is none.
	__device__ __forceinline__ int search(const Params &a, bool on, int from, int by, int least, int matches) const {
		int found = none;
		while (group.any(on)) {
			const Candidate c = {from + group.in * by};
			const int s = c.score(a, path.s);
			const bool there = on && s >= max(least, 0);
			const u32 yes = group.ballot(there && path.fits(c, window.cell(s, c.diagonal(path.k)), matches));
			if (on && yes != 0) {
				found = from + (__ffs((int)yes) - 1) * by;
				on = false;
			}
			from += W::threads * by;
			const int next = Candidate{from}.score(a, path.s);
			on = on && next >= max(least, 0);
		}
		return found;
	}

	// below searches the segments before the current one for the candidates that the window
	// lacks.
	__device__ int below(const Params &a, bool on, int matches) {
		int found = Step::stuck, segment = window.start / W::span - 1;
		int length = lacks();
		stale |= on;
		for (;; segment--) {
			on = on && segment >= 0;
			if (!group.any(on)) return found;
			// The gap that leads to the segment's last score, and so to the apex.
			const int apex = (path.s - P::o - (segment + 1) * W::span) / P::e;
			window.compute(on, segment, path.k + apex);
			const int insertion = search(a, on, 2 * length - 1, 2, window.start, matches);
			window.compute(on, segment, path.k - apex);
			const int deletion = search(a, on, 2 * length, 2, window.start, matches);
			if (on && min(insertion, deletion) != none) {
				found = min(insertion, deletion);
				on = false;
			}
			length = max(length, (path.s - P::o - window.start) / P::e + 1);
		}
	}

	// least returns the least score whose cells the window has for the path's candidates. Rows
	// before the segment's are in the window, but those of a path that comes from a later
	// segment may lie outside.
	__device__ __forceinline__ int least() const { return path.next > 0 ? window.start : max(window.lowestScore(), 0); }
	// lacks returns the length of the shortest gap whose row is before those.
	__device__ __forceinline__ int lacks() const { return max((path.s - P::o - least()) / P::e + 1, 1); }

	// step takes a step back with the groups that are on, unless the next candidates are in
	// the segment before and its window at the path's diagonal has them.
	__device__ __forceinline__ void step(const Params &a, bool on) {
		const int h = path.h, v = path.h - path.k;
		const typename Group<W::threads>::Letters letters = group.letters(on, path.text, path.pattern, h, v, 0);
		Step step = {group.matches(on, path.text, path.pattern, h, v, letters), Step::stuck, 0};
		const bool more = on && path.s > 0;
		const int number = search(a, more, path.next, 1, least(), step.matches);
		if (number != none) step.number = number;
		// A cell of that window is at least as far from its ends as the gap is long.
		const bool near = more && number == none && window.start > 0 && path.s <= window.start + P::o;
		const bool far = more && number == none && !near;
		if (group.any(far)) {
			const int found = below(a, far, step.matches);
			if (far) step.number = found;
		}
		if (near) {
			path.next = 2 * lacks() - 1;
			before = stale = true;
		} else if (on) {
			path.take(a, step);
		}
	}

	__device__ __forceinline__ void run(const Params &a) {
		for (;;) {
			const bool enter = path.on && path.s > 0 && (stale || path.s <= window.start);
			const bool ready = path.on && !enter;
			if (group.any(ready)) {
				step(a, ready);
			} else if (group.any(enter)) {
				window.compute(enter, before ? window.start / W::span - 1 : (path.s - 1) / W::span, path.k);
				if (enter) stale = before = false;
			} else {
				return;
			}
		}
	}
};

template <class P, class STATES> __device__ __forceinline__ void retrace(const Params &a) {
	typedef Window<P, STATES> W;
	const TraceTask<W::threads> t(a, roomOf<STATES::free>);
	// A group without an alignment computes on some pair's sequences and discards the result.
	const Task task = t.on ? t.task : a.tasks[0];
	int *shared = (int *)sharedMemory + threadIdx.x / W::threads * (W::rowsOf * W::diagonals);
	Retrace<P, STATES> r = {W(a, task, t.rows, shared, t.in), {}, {t.in, t.shift}, true, false};
	r.path.text = task.text;
	r.path.pattern = task.pattern;
	const int textEnd = t.on ? t.template textEnd<STATES::free>() : task.textLength;
	r.path.begin(t.writer(), t.score, task.patternLength, textEnd, t.on);
	r.run(a);
	t.report(a, r.path.cigar, r.path.template failed<STATES::free>(t.writes));
}
