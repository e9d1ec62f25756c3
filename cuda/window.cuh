// A window: 64 neighbouring diagonals of a segment, the scores between two checkpoints,
// recomputed by a warp into shared memory.
//
// Cells next to the window's ends lack their neighbours: after n scores those of n/e
// diagonals at either end are wrong, namely too low. The others form a cone, whose apex
// is the diagonal in the middle at the segment's last score. A traceback from the apex
// reads cells of the cone only.
//
// Shared memory of a warp, in ints: (ring + span + 2e)*64.
#pragma once
#include "checkpoint.cuh"

template <class STATES> struct Window : Sequences {
	static constexpr int diagonals = 64;
	STATES states;
	int *rows, *del, *ins; // in shared memory; rows[0] is M of score start - ring + 1
	int lane;
	int x;
	int start; // score of the checkpoint that the segment begins with
	int first; // lowest diagonal

	__device__ __forceinline__ Window(const Params &a, const Task &p, const u32 *memory, int *shared, int thread)
	    : states(a, p, memory) {
		text = p.text;
		pattern = p.pattern;
		textLength = p.textLength;
		patternLength = p.patternLength;
		x = a.mismatch;
		lane = thread;
		rows = shared;
		del = rows + (states.ring + states.span) * diagonals;
		ins = del + states.gaps * diagonals;
	}

	__device__ __forceinline__ int lowest() const { return start - states.ring + 1; }
	__device__ __forceinline__ int2 *own(int *row) const { return (int2 *)row + lane; }
	__device__ __forceinline__ int *row(int s) const { return rows + (s - lowest()) * diagonals; }

	// cell returns M[s,k] of a score from lowest() on, -1 outside the window.
	__device__ __forceinline__ int cell(int s, int k) const {
		const int d = k - first;
		return s < 0 || d < 0 || d >= diagonals ? -1 : row(s)[d];
	}

	__device__ __forceinline__ int last(int k) const {
		return k < -patternLength || k > textLength ? nullOffset : min(textLength, patternLength + k);
	}

	// compute fills the window with the scores of a segment up to score `to`.
	__device__ void compute(int segment, int apex, int to) {
		__syncwarp(); // the previous rows are no longer in use
		start = segment * states.span;
		first = apex - diagonals / 2;
		const int k = first + 2 * lane;
		load(segment, k);
		const int lastLow = last(k), lastHigh = last(k + 1), o = states.open, e = states.gaps;
		for (int s = start + 1; s <= to; s++) {
			const int2 d = *own(del + s % e * diagonals), i = *own(ins + s % e * diagonals);
			int before = __shfl_up_sync(~0u, d.y, 1), after = __shfl_down_sync(~0u, i.x, 1);
			if (lane == 0) before = nullOffset;
			if (lane == 31) after = nullOffset;
			const int2 mx = x <= s ? *own(row(s - x)) : make_int2(nullOffset, nullOffset);
			const int2 mo = o > 0 && o <= s ? *own(row(s - o)) : make_int2(nullOffset, nullOffset);
			const Cell low = cell(k, lastLow, mx.x, mo.x, o == 0, before, i.y);
			const Cell high = cell(k + 1, lastHigh, mx.y, mo.y, o == 0, d.x, after);
			*own(row(s)) = make_int2(low.m, high.m);
			*own(del + s % e * diagonals) = make_int2(low.del, high.del);
			*own(ins + s % e * diagonals) = make_int2(low.ins, high.ins);
		}
		__syncwarp();
	}

	// load fills in the rows of the checkpoint; score 0 has the start cell only.
	__device__ __forceinline__ void load(int segment, int k) {
		const int ring = states.ring, e = states.gaps, none = nullOffset;
		if (segment == 0) {
			const int h = k == 0 || k == -1 ? extend(0, 0) : none;
			const int2 m = make_int2(k == 0 ? h : none, k == -1 ? h : none), null = make_int2(none, none);
			for (int b = 0; b < ring; b++) *own(row(-b)) = b == 0 ? m : null;
			for (int i = 0; i < e; i++) {
				*own(del + i * diagonals) = states.open == 0 && i == 0 ? m : null;
				*own(ins + i * diagonals) = states.open == 0 && i == 0 ? m : null;
			}
			return;
		}
		const int n = segment - 1;
		for (int b = 0; b < ring; b++)
			*own(row(start - b)) = make_int2(states.cell(n, b, start - b, k), states.cell(n, b, start - b, k + 1));
		for (int b = 0; b < e; b++) {
			const int s = start - b, slot = s % e * diagonals, f = ring + b;
			*own(del + slot) = make_int2(states.cell(n, f, s, k), states.cell(n, f, s, k + 1));
			*own(ins + slot) = make_int2(states.cell(n, f + e, s, k), states.cell(n, f + e, s, k + 1));
		}
	}
	using Sequences::cell;
};
