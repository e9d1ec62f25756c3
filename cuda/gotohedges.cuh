// The edges of a pair's band in gotoh.cuh, and the values that are stored of the band: detours.cuh.
//
// Strip k has the columns from k*COLUMNS+1 on. It comes into the band in its row(k), in place of strip k-V, whose last
// row is row(k)+V-1. Before that step, strips k-V and k-1 are at the rims of the edges. Then each strip b in flight
// stores the value of H in its last column, in row(k)+k-1-b. From one k to the next, cells of strips that lie as far
// from k move along a diagonal by COLUMNS.
#pragma once
#include "gotohband.cuh"

// noEdge is the value where the band has no alignment, and more than those of all others.
static constexpr int noEdge = 1 << 28;

// gotohEdged tells whether kernels of a shape store values: if their bands have enough diagonals on either side of a
// diagonal that detours may be certified.
__host__ __device__ constexpr bool gotohEdged(int lanes, int columns) {
	return (2 * lanes * (columns + 1) - columns - 1) / 2 + 1 >= 112;
}

struct GotohEdges {
	int strips, columns, above;
	int first, count; // values of k, none if nothing is stored

	__device__ __forceinline__ GotohEdges(const Params &a, const Task &p, const GotohBand &band, int pairStrips,
	                                      int stripColumns)
	    : strips(pairStrips), columns(stripColumns), above(band.above), first(0), count(0) {
		const bool fits = (u64)(p.patternLength + p.textLength) * (u32)(2 * a.gapExtend) < noEdge / 2;
		if (a.edgeWords == 0 || p.textLength <= strips * columns || band.certified < 0 || !fits) return;
		first = max((above + columns - 1) / columns, 1);
		// Steps of the pair, the first one of its row 0.
		const int steps = p.patternLength + (p.textLength - 1) / columns;
		count = max((steps - 1 + above) / period() - first + 1, 0);
	}
	__device__ __forceinline__ int period() const { return columns + 1; }
	__device__ __forceinline__ int row(int k) const { return 1 - above + k * columns; }
	// rowOf is the row of strip b before strip k comes.
	__device__ __forceinline__ int rowOf(int k, int b) const { return row(k) + k - 1 - b; }
	// step is the one in which strip k comes.
	__device__ __forceinline__ int step(int k) const { return 1 - above + k * period(); }
	// place is that of the value of strip b before strip k comes.
	__device__ __forceinline__ u64 place(int k, int b) const { return (u64)(k - first) * strips + b % strips; }
};

// gotohEdges has the values of a pair. They are ahead of gotohLeaving.
__device__ __forceinline__ int *gotohEdges(const Params &a, int at) {
	return (int *)((u32 *)gotohLeaving(a, at) - a.edgeWords);
}
