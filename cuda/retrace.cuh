// Traceback from checkpoints, by the rule of traceback.cuh. A warp aligns a pair: it
// recomputes a window of the current segment, follows the path through it, and goes on
// with the segment before. A gap that begins in an earlier segment is searched for in two
// windows of each, one for insertions and one for deletions.
//
// Shared memory: Window's for each warp. Limits: those of the kernel that stored the
// checkpoints; an alignment has at most cigarRoom elements.
#pragma once
#include "exacttrace.cuh"
#include "lookahead.cuh"
#include "tracetask.cuh"
#include "window.cuh"

// NoRows: the path reads cells from the window instead.
struct NoRows {};

template <class STATES> struct Retrace {
	typedef ExactPath<NoRows> Path;
	Window<STATES> window;
	Path path;
	int lane;
	bool stale; // the window is not the path's

	// enter recomputes the window for the path from its position on.
	__device__ __forceinline__ void enter() {
		window.compute((path.s - 1) / window.states.span, path.k, path.s - 1);
		stale = false;
	}

	// least returns the least of the lanes' numbers, none for none.
	static constexpr int none = 1 << 30;
	__device__ __forceinline__ int least(bool yes, int number) const {
		const u32 any = __ballot_sync(~0u, yes);
		const int at = any != 0 ? __ffs((int)any) - 1 : 0;
		const int n = __shfl_sync(~0u, number, at);
		return any != 0 ? n : none;
	}

	// search returns the first candidate from number `from` on, in steps of `by`, whose row
	// is in the window and that fits; none if there is none.
	__device__ __forceinline__ int search(const Params &a, int from, int by, int matches) const {
		for (;; from += 32 * by) {
			const Candidate c = {from + lane * by};
			const int s = c.score(a, path.s);
			const bool there = s >= 0 && s >= window.lowest();
			const int number = least(there && path.fits(c, window.cell(s, c.diagonal(path.k)), matches), c.number);
			if (number != none) return number;
			const int next = Candidate{from + 32 * by}.score(a, path.s);
			if (next < 0 || next < window.lowest()) return none;
		}
	}

	// below searches the segments before the current one for the candidates that the window
	// lacks: gaps of at least `length`.
	__device__ __forceinline__ int below(const Params &a, int length, int matches) {
		const States &states = window.states;
		stale = true;
		for (int segment = window.start / states.span - 1; segment >= 0; segment--) {
			const int top = (segment + 1) * states.span;
			// The gap that leads to the segment's last score, and so to the apex.
			const int apex = (path.s - states.open - top) / states.extend;
			window.compute(segment, path.k + apex, top - 1);
			const int insertion = search(a, 2 * length - 1, 2, matches);
			window.compute(segment, path.k - apex, top - 1);
			const int deletion = search(a, 2 * length, 2, matches);
			if (min(insertion, deletion) != none) return min(insertion, deletion);
			const int lowest = max(window.lowest(), 0);
			length = max(length, (path.s - states.open - lowest) / states.extend + 1);
		}
		return Step::stuck;
	}

	// step returns the next step back.
	__device__ __forceinline__ Step step(const Params &a) {
		const Group<32> group = {lane, 0};
		const int h = path.h, v = path.h - path.k;
		const Group<32>::Letters letters = group.letters(true, path.text, path.pattern, h, v, 0);
		Step step = {group.matches(true, path.text, path.pattern, h, v, letters), Step::stuck, 0};
		if (path.s == 0) return step;
		step.number = search(a, 0, 1, step.matches);
		if (step.number == none) {
			const int length = (path.s - window.states.open - max(window.lowest(), 0)) / window.states.extend + 1;
			step.number = below(a, max(length, 1), step.matches);
		}
		return step;
	}

	__device__ __forceinline__ void run(const Params &a) {
		while (path.on) {
			if (path.s > 0 && (stale || path.s <= window.start)) enter();
			path.take(a, step(a));
		}
	}
};

template <class STATES> __device__ __forceinline__ void retrace(const Params &a) {
	const TraceTask<32> t(a);
	if (!t.on) return; // the whole warp
	const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
	int *shared = (int *)sharedMemory + warp * ((max(a.mismatch, a.gapOpen) + a.span + 2 * a.gapExtend) * 64);
	Retrace<STATES> r = {Window<STATES>(a, t.task, t.rows, shared, lane), {}, lane, true};
	r.path.text = t.task.text;
	r.path.pattern = t.task.pattern;
	r.path.begin(t.writer(), t.score, t.task.textLength - t.task.patternLength, t.task.textLength, t.on);
	r.run(a);
	t.report(a, r.path.cigar, r.path.failed());
}
