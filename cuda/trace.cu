// Traceback over rows that other kernels have stored: warp.cuh, exact; adaptivewarp.cuh
// and adaptiveblock.cu. 1, 8 or 32 threads share a pair. Each step waits
// for memory, so one thread per pair is best for many short pairs; otherwise several
// threads test the candidates of a step at once.
//
// Shared memory: none. Limits: those of the kernel that stored the rows; an alignment
// has at most cigarRoom elements.
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

// WFA_TRACE defines wfa_trace_<threads> and wfa_trace_free_<threads>.
#define WFA_TRACE(NAME, THREADS, FREE)                                                                                 \
	extern "C" __global__ void __launch_bounds__(128) wfa_##NAME##_##THREADS(const __grid_constant__ Params a) {       \
		traceExact<THREADS, FREE>(a);                                                                                  \
	}
WFA_TRACE(trace, 1, false)
WFA_TRACE(trace, 8, false)
WFA_TRACE(trace, 32, false)
WFA_TRACE(trace_free, 1, true)
WFA_TRACE(trace_free, 8, true)
WFA_TRACE(trace_free, 32, true)

// Eight threads per pair: few steps of long pairs need more.
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_warp_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, RegisterRows<false>>(a);
}
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_long_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, RegisterRows<true>>(a);
}
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_block_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, MemoryRows>(a);
}
