// The edges of a pair's band in gotoh.cuh, and the values that are stored of the band: detours.cuh.
//
// Strip k has the columns from k*COLUMNS+1 on. It comes into the band in its row(k), in place of strip k-V, whose last
// row is row(k)+V-1. Before that step, strips k-1 and k-V are at the rims of the edges, right and left. Then four values are
// stored: of each rim, the least value of H in cells from which an alignment leaves the band there, and of strips
// `inner` away from the rims, H of the inner cells. The inner cell of strip b is the one of its last column in
// row(k)+k-1-b; from one k to the next it moves along a diagonal by COLUMNS. Alignments leave the band from
// the last column of strip k-1 in its rows up to row(k)-1, and from all columns of the last row of strip k-V.
#pragma once
#include "gotohband.cuh"

// noEdge is the value where the band has no alignment, and more than those of all others.
static constexpr int noEdge = 1 << 28;

// detourInner is the number of diagonals between those from 0 to the end cell's and the inner cells, at least. The
// nearer they are, the less has the band for them; but an alignment wanders from those, the further the longer it is,
// and segments should not find it. innerLetters are those of a pattern for one more.
static constexpr int detourInner = 24, innerLetters = 600, innerMost = 96;

// GotohEdges are those of a pair. The values before a strip comes are of the rims, right and left, and of the inner cells.
struct GotohEdges {
	static constexpr int words = 4; // of values before a strip comes
	int strips, columns, above, below;
	int inner[2];     // strips between the rims and the inner cells, right and left
	int first, count; // values of k, none if nothing is stored

	__device__ __forceinline__ GotohEdges(const Params &a, const Task &p, const GotohBand &band, int pairStrips,
	                                      int stripColumns)
	    : strips(pairStrips), columns(stripColumns), above(band.above), below(band.below), first(0), count(0) {
		const int end = p.textLength - p.patternLength;
		const int apart = min(detourInner + p.patternLength / innerLetters, innerMost);
		inner[0] = (above - 1 - max(end, 0) - apart) / period();
		inner[1] = (min(end, 0) - apart + below + 1) / period();
		const bool fits = (u64)(p.patternLength + p.textLength) * (u32)(2 * a.gapExtend) < noEdge / 2 &&
		                  2 * a.gapExtend * period() + a.gapOpen <= borderLow;
		if (a.edgeWords == 0 || p.textLength <= strips * columns || band.certified < 0 || !fits) return;
		if (min(inner[0], inner[1]) <= 0) return; // the inner cells are at the rims
		first = min(max((above + columns - 1) / columns, 1), strips);
		// Steps of the pair, the first one of its row 0.
		const int steps = p.patternLength + (p.textLength - 1) / columns;
		count = max((steps - 1 + above) / period() - first + 1, 0);
	}
	__device__ __forceinline__ int period() const { return columns + 1; }
	// diagonal is that of the inner cells of a side, with so many strips between them and the rim.
	__device__ __forceinline__ int diagonal(int side, int strips) const {
		return side == 0 ? above - 1 - strips * period() : strips * period() - below - 1;
	}
	__device__ __forceinline__ int row(int k) const { return 1 - above + k * columns; }
	// rowOf is the row of strip b before strip k comes.
	__device__ __forceinline__ int rowOf(int k, int b) const { return row(k) + k - 1 - b; }
	// step is the one in which strip k comes.
	__device__ __forceinline__ int step(int k) const { return 1 - above + k * period(); }
	// rim and innerStrip are the strips of a side that values tell of.
	__device__ __forceinline__ int rim(int side, int k) const { return side == 0 ? k - 1 : k - strips; }
	__device__ __forceinline__ int innerStrip(int side, int k) const {
		return side == 0 ? k - 1 - inner[0] : k - strips + inner[1];
	}
};

// gotohEdges has the values of a pair. They are ahead of gotohLeaving.
__device__ __forceinline__ int *gotohEdges(const Params &a, int at) { return (int *)gotohLeaving(a, at) - a.edgeWords; }
