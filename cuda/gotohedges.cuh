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

// GotohEdges are those of a pair. Values are stored before each strip comes, or in each slot of a band that follows an alignment
// (gotohcourse.cuh): of the rims, right and left, of the inner cells, and of such a band what GotohCourse takes from them.
struct GotohEdges {
	static constexpr int words = 6; // of values
	int strips, columns, above, below;
	int inner[2]; // strips between the rims and the inner cells, right and left
	int first;    // the strip that comes after the first values
	int count;    // of values, at most for a band that follows
	bool follows;

	__device__ __forceinline__ GotohEdges(const Params &a, const Task &p, const GotohBand &band, int pairStrips,
	                                      int stripColumns)
	    : strips(pairStrips), columns(stripColumns), above(band.above), below(band.below), first(0), count(0),
	      follows(band.follows(a)) {
		const int end = p.textLength - p.patternLength;
		if (follows) {
			inner[0] = inner[1] = GotohBand::followInner(band.radius, columns);
		} else {
			const int apart = min(detourInner + p.patternLength / innerLetters, innerMost);
			inner[0] = (above - 1 - max(end, 0) - apart) / period();
			inner[1] = (min(end, 0) - apart + below + 1) / period();
		}
		const bool fits = (u64)(p.patternLength + p.textLength) * (u32)(2 * a.gapExtend) < noEdge / 2 &&
		                  2 * a.gapExtend * period() + a.gapOpen <= borderLow;
		if (a.edgeWords == 0 || p.textLength <= strips * columns || band.certified < 0 || !fits) return;
		if (min(inner[0], inner[1]) <= 0) return; // the inner cells are at the rims
		// Steps of the pair, the first one of its row 0.
		const int steps = p.patternLength + (p.textLength - 1) / columns;
		if (follows) {
			first = strips;
			count = (2 * steps + 1) / period(); // slots up to the last step, extra ones, too
			return;
		}
		first = min(max((above + columns - 1) / columns, 1), strips);
		count = max((steps - 1 + above) / period() - first + 1, 0);
	}
	__device__ __forceinline__ int period() const { return columns + 1; }
	// diagonal is that of the inner cells of a side, with so many strips between them and the rim.
	__device__ __forceinline__ int diagonal(int side, int strips) const {
		return side == 0 ? above - 1 - strips * period() : strips * period() - below - 1;
	}
	// step is the one in which strip k comes.
	__device__ __forceinline__ int step(int k) const { return 1 - above + k * period(); }
	// rim and innerStrip are the strips of a side that values tell of, before strip k comes.
	__device__ __forceinline__ int rim(int side, int k) const { return side == 0 ? k - 1 : k - strips; }
	__device__ __forceinline__ int innerStrip(int side, int k) const {
		return side == 0 ? k - 1 - inner[0] : k - strips + inner[1];
	}
};

// comesWords is the number of words for the steps in which strips of a text come into a band that follows, ahead of the values.
__device__ __forceinline__ int comesWords(const Params &a, const Task &p, int columns) {
	return a.follows != 0 ? (p.textLength - 1) / columns + 1 : 0;
}

// gotohEdges has the values of a pair. They are ahead of gotohLeaving.
__device__ __forceinline__ int *gotohEdges(const Params &a, const Task &p, int at, int columns) {
	return (int *)gotohLeaving(a, at) - a.edgeWords + comesWords(a, p, columns);
}
// gotohComes has the step in which each strip beyond the first ones comes into a band that follows, and in the last word the number of its
// slots.
__device__ __forceinline__ int *gotohComes(const Params &a, int at) { return (int *)gotohLeaving(a, at) - a.edgeWords; }
