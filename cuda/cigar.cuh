// Output of an alignment, from the end cell back to the origin.
#pragma once
#include "abi.cuh"

enum : u32 { opIns = 1, opDel = 2, opMatch = 7, opMismatch = 8 }; // BAM's codes

// CigarWriter writes elements from the last to the first, and joins neighbouring runs of
// one operation.
struct CigarWriter {
	u32 *at;     // the next element goes to at[-1]
	u32 *room;   // the first element that may be written
	u32 run;     // the current run, not yet written; 0 for none
	bool writes; // false for the other threads of a group
	bool full;

	__device__ __forceinline__ void add(u32 op, int n) {
		if (n <= 0) return;
		if ((run & 15u) == op) {
			run += (u32)n << 4;
			return;
		}
		flush();
		run = (u32)n << 4 | op;
	}
	__device__ __forceinline__ void flush() {
		if (run == 0) return;
		if (at == room)
			full = true;
		else {
			--at;
			if (writes) *at = run;
		}
		run = 0;
	}
};

// cigarRoom returns the largest number of elements of an alignment with a score: every
// run of edits has a least cost, and a run of matches on either side.
__device__ __forceinline__ int cigarRoom(const Params &a, int score) {
	return 2 * (score / min(a.mismatch, a.gapOpen + a.gapExtend)) + 1;
}
