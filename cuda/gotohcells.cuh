// Cells of gotoh.cuh: two in a word, 16 bits each.
#pragma once
#include "gotohband.cuh"
#include "simd.cuh"

// Values from gotohNone on mean that the band has no alignment; those of alignments are less
// than gotohLive. The least value of a group is brought to about gotohLeast.
static constexpr u32 gotohNone = 0xf000, gotohNones = gotohNone * 0x10001u;
static constexpr int gotohLive = 0xd800, gotohLeast = 6144, never = 0x7fffffff;

// gotohRange is the largest difference between the values of cells, beside how they change between two shifts.
static constexpr int gotohRange = 44000;

// GotohEnd is an end in the last row. The best one has the lowest score, or comes first.
struct GotohEnd {
	int score, column;
	__device__ __forceinline__ void take(const GotohEnd &o) {
		if (o.score < score || (o.score == score && o.column < column)) *this = o;
	}
};

// pickCell sets h to v if c is k. It hides the choice from the compiler, which else puts the
// array that v comes from into memory.
__device__ __forceinline__ void pickCell(u32 &h, int k, int c, u32 v) {
#ifdef WFA_EMULATED
	if (c == k) h = v;
#else
	asm volatile("{.reg .pred p; setp.eq.s32 p, %1, %2; @p mov.b32 %0, %3;}" : "+r"(h) : "r"(k), "r"(c), "r"(v));
#endif
}

// GotohCosts are the penalties in the halves and bytes of words.
struct GotohCosts {
	u32 open, mismatch, match; // of a gap, in both halves; of a letter, in all bytes
	u32 fall; // how values change that stay the same from row to row or column to column, in both halves

	// A cost counts `unit` times.
	__device__ __forceinline__ GotohCosts(const Params &a, int unit = 1)
	    : open((u32)(unit * a.gapOpen) * 0x10001u),
	      mismatch((u32)(unit * (a.mismatch - 2 * a.gapExtend) & 255) * 0x01010101u),
	      match((u32)(-2 * unit * a.gapExtend & 255) * 0x01010101u),
	      fall((u32)(-unit * a.gapExtend & 0xffff) * 0x10001u) {}
};

// shiftedHalf adds a number to a value, unless it means that there is no alignment.
__device__ __forceinline__ u32 shiftedHalf(u32 v, int by) {
	return v < (u32)gotohLive ? (v + (u32)by) & 0xffffu : gotohNone;
}
__device__ __forceinline__ u32 shiftedHalves(u32 v, int by) {
	return shiftedHalf(v & 0xffffu, by) | shiftedHalf(v >> 16, by) << 16;
}
