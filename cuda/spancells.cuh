// Values of cells in span.cuh: the domain in which they are computed, and the borders of the
// matrix.
//
// The value of a cell (i,j) is v = (p*(i+j) - H(i,j)) / scale, with the least cost H and a
// potential p. It is maximised. In this domain a step adds, or subtracts,
//
//	match 2p    mismatch 2p - x    a gap of l letters o + l*(e - p)    a letter before a free begin p - free
//
// all divided by scale. If alignments end in the last row or column, p is the cost of
// extending a gap, the lesser of two: gaps then extend at no cost. If they end anywhere, p is
// that of a free letter: then the best end has the greatest value, and a floor of 0 makes an
// alignment begin anywhere.
#pragma once
#include "simd.cuh"

// Costs of gaps, and where alignments end: in the last row or column, or anywhere.
enum : int { gaps_linear, gaps_affine, gaps_two };
enum : bool { ends_edge, ends_any };

// The least value of a group of lanes is brought to about spanLeast.
static constexpr int spanLeast = 10240, spanChunk = 64;

// addWords adds words of two halves, neither of which overflows or borrows, in the pipe of
// multiplications.
__device__ __forceinline__ u32 addWords(u32 a, u32 b, u32 one) { return a * one + b; }

// SpanBorder computes the values of the border cells of a pair.
struct SpanBorder {
	int slope, open, extend, openLong, extendLong, patternBegin, textBegin;
	bool floored;

	SpanBorder() = default;
	__device__ __forceinline__ explicit SpanBorder(const Params &a)
	    : slope(a.cellSlope), open(a.cellOpen), extend(a.cellExtend), openLong(a.cellOpenLong),
	      extendLong(a.cellExtendLong), patternBegin(a.patternBegin), textBegin(a.textBegin), floored(a.floored != 0) {
		if (openLong == 0) openLong = 1 << 30; // gaps have one cost
		if (floored) patternBegin = textBegin = 0x7fffffff;
	}

	// gap returns what a gap of n letters subtracts.
	__device__ __forceinline__ int gap(int n) const { return min(open + n * extend, openLong + n * extendLong); }

	// after returns the value n letters along a border of which `begin` are free. All borders of
	// local alignments have the value 0: their slope is 0.
	__device__ __forceinline__ int after(int n, int begin) const {
		const int free = min(n, begin), v = free * slope;
		return n == free ? v : v - gap(n - free);
	}
	__device__ __forceinline__ int top(int j) const { return after(j, textBegin); }
	__device__ __forceinline__ int left(int i) const { return after(i, patternBegin); }
};

// SpanEnd is an end cell. Better ones have more worth, or come first.
struct SpanEnd {
	int worth, row, column;

	__device__ __forceinline__ bool better(const SpanEnd &o) const {
		if (worth != o.worth) return worth > o.worth;
		return row != o.row ? row < o.row : column < o.column;
	}
	__device__ __forceinline__ void take(const SpanEnd &o) {
		if (o.better(*this)) *this = o;
	}
};

static constexpr int noWorth = -0x7fffffff - 1;

// spanWorth is what decides between end cells: the cost of an alignment that ends in (i,j) with
// a value is the cost of leaving out all letters less the worth.
__device__ __forceinline__ int spanWorth(const Params &a, int value, int i, int j) {
	return a.cellScale * value - (a.potential - a.freeLetter) * (i + j);
}
