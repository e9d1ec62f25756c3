// A window: neighbouring diagonals of a segment, the scores between two checkpoints,
// recomputed into shared memory by eight threads.
//
// Cells next to the window's ends lack their neighbours: after n scores those of n/e
// diagonals at either end are wrong, namely too low. The others form a cone, whose apex
// is the diagonal in the middle at the segment's last score. A traceback from the apex
// reads cells of the cone only.
//
// Shared memory of a window, in ints: rowsOf * diagonals.
#pragma once
#include "checkpoint.cuh"
#include "longwavefronts.cuh"

template <class P, class STATES> struct Window : LongWavefronts<P, false, STATES::cells> {
	typedef LongWavefronts<P, false, STATES::cells> Waves;
	static constexpr int threads = 8, cells = STATES::cells, diagonals = threads * cells;
	static constexpr int span = spanOf<P>(diagonals), rowsOf = P::ring + span;
	STATES states;
	int *rows;  // in shared memory, from score start - ring + 1 on
	int in;     // this thread's number
	int start;  // score of the checkpoint that the segment begins with
	int lowest; // diagonal of the window

	__device__ __forceinline__ Window(const Params &a, const Task &p, const u32 *memory, int *shared, int thread)
	    : states(a, p, memory), rows(shared), in(thread), start(0), lowest(0) {
		this->textLength = p.textLength;
		this->patternLength = p.patternLength;
		this->first = 0;
		this->bases.text = p.text;
		this->bases.pattern = p.pattern;
		this->empty();
	}

	__device__ __forceinline__ int lowestScore() const { return start - P::ring + 1; }
	__device__ __forceinline__ int *row(int s) const { return rows + (s - lowestScore()) * diagonals; }

	// cell returns M[s,k] of a score from lowestScore() on, -1 outside the window.
	__device__ __forceinline__ int cell(int s, int k) const {
		const int d = k - lowest;
		return s < 0 || d < 0 || d >= diagonals ? -1 : row(s)[d];
	}

	// compute fills the windows of the groups that are on with a segment.
	__device__ __forceinline__ void compute(bool on, int segment, int apex) {
		__syncwarp(); // the previous rows are no longer in use
		if (on) {
			start = segment * span;
			lowest = apex - diagonals / 2;
			this->first = lowest + in * cells;
			load(segment);
		}
		for (int s = 0; s < span; s += P::unroll) unrolled(on, s);
		__syncwarp();
	}

	// load reads a checkpoint; score 0 has cells that begin an alignment only.
	__device__ __forceinline__ void load(int segment) {
		if (segment == 0)
			Waves::template start<STATES::free>();
		else
			read(segment - 1);
#pragma unroll
		for (int b = 0; b < P::ring; b++) store(-b, this->m[P::slot(0, b)]);
	}
	__device__ __forceinline__ void read(int n) {
		const int k = this->first;
#pragma unroll
		for (int j = 0; j < cells; j++) {
#pragma unroll
			for (int b = 0; b < P::ring; b++) this->m[P::slot(0, b)][j] = states.cell(n, b, start - b, k + j);
#pragma unroll
			for (int b = 0; b < P::e; b++) {
				const int slot = (P::e - b) % P::e;
				this->del[slot][j] = states.cell(n, P::ring + b, start - b, k + j);
				this->ins[slot][j] = states.cell(n, P::ring + P::e + b, start - b, k + j);
			}
		}
	}

	// store stores the row of score start + s.
	__device__ __forceinline__ void store(int s, const int (&m)[cells]) const {
		int4 *to = (int4 *)(row(start + s) + in * cells);
#pragma unroll
		for (int j = 0; j < cells; j += 4) to[j / 4] = make_int4(m[j], m[j + 1], m[j + 2], m[j + 3]);
	}

	template <int I = 1> __device__ __forceinline__ void unrolled(bool on, int s) {
		constexpr int phase = I % P::unroll, from = phase % P::e;
		int below = __shfl_up_sync(~0u, this->del[from][cells - 1], 1, threads);
		int above = __shfl_down_sync(~0u, this->ins[from][0], 1, threads);
		if (in == 0) below = nullOffset;
		if (in == threads - 1) above = nullOffset;
		this->template advance<phase>(below, above);
		if (on) store(s + I, this->m[phase % P::ring]);
		if constexpr (I < P::unroll) unrolled<I + 1>(on, s);
	}
};
