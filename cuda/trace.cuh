// Traceback over rows that other kernels have stored: warp.cuh, exact; adaptivewarp.cuh
// and adaptiveblock.cu. 1, 8 or 32 threads share a pair. Each step waits
// for memory, so one thread per pair is best for many short pairs; otherwise several
// threads test the candidates of a step at once.
//
// Shared memory: none. Limits: those of the kernel that stored the rows; an alignment
// has at most cigarRoom elements.
#pragma once
#include "adaptivetrace.cuh"
#include "exacttrace.cuh"
#include "penalties.cuh"
#include "simd.cuh"
#include "tracetask.cuh"

// StoredRows are the rows of warp.cuh.
template <bool FREE> struct StoredRows {
	const u32 *rows;
	Band<FREE> band;
	int threads, threadBits, words, open, extend;

	__device__ __forceinline__ bool there(int) const { return true; }

	// cell returns the stored offset of a score and diagonal, -1 if none is stored. It
	// always issues the load, so that no branch waits for it.
	__device__ __forceinline__ int cell(bool on, int s, int k) const {
		// Cells outside were not computed, or not stored.
		const int r = extend == 1 && s > open ? s - open : reach(s, open, extend), d = k - band.first;
		const bool there = on && s >= 0 && band.matters(s, k, r, extend) && d >= 0 && d < 2 * threads * words;
		const int j = d >> (threadBits + 1), i = d & (2 * threads - 1);
		const u32 w = rows[there ? (u64)s * (threads * words) + j * threads + (i & (threads - 1)) : 0];
		return !there ? -1 : i & threads ? highCell(w) : lowCell(w);
	}
};

template <int THREADS, bool FREE> __device__ __forceinline__ void traceExact(const Params &a) {
	const TraceTask<THREADS> t(a, roomOf<FREE>);
	ExactPath<StoredRows<FREE>> path;
	path.rows = {t.rows,        Band<FREE>(a, t.task, a.pairThreads * a.pairWords),
	             a.pairThreads, topBit((u32)a.pairThreads),
	             a.pairWords,   a.gapOpen,
	             a.gapExtend};
	path.text = t.task.text;
	path.pattern = t.task.pattern;
	path.begin(t.writer(), t.score, t.task.patternLength, t.template textEnd<FREE>(), t.on);
	if constexpr (THREADS == 1)
		traceback(a, OneThread(), path);
	else
		traceback(a, Group<THREADS>{t.in, t.shift}, path);
	t.report(a, path.cigar, path.template failed<FREE>(t.writes));
}

template <int THREADS, class ROWS> __device__ __forceinline__ void traceAdaptive(const Params &a) {
	const TraceTask<THREADS> t(a);
	AdaptivePath<ROWS> path(a, t.rows, t.task);
	path.text = t.task.text;
	path.pattern = t.task.pattern;
	path.begin(t.writer(), t.score, t.on);
	traceback(a, Group<THREADS>{t.in, t.shift}, path);
	t.report(a, path.cigar, path.wrong);
	if (t.writes) t.result->score = path.cigar.cost;
}
