// The course of a band of gotoh.cuh: when its strips come, and where its rims and inner cells are. For gotohedges.cuh.
//
// A straight band has a strip come every COLUMNS+1 steps, so that its diagonals stay the same. One that follows an alignment has a slot
// every COLUMNS+1 steps, in which a strip comes if the cell of least cost has come to the middle of the band. If that has gone further,
// or there will be too few slots for the last strips, there is an extra slot half-way to the next one. So the rims stay on their
// diagonals, move to the left by as many as a strip has, or to the right by half of that. What the band certifies is known at its end:
// what gaps and broken seeds tell of the diagonals that it never left, or what detours do.
//
// The inner cells of a side form a line, from the last column of a strip to that of the next one along a diagonal; from its end the
// line goes on along the column, until the strip to follow comes. If that comes before, in an extra slot, the line goes up along the
// column, and then along the diagonal to the cell before it comes. An alignment beyond the right line crosses it where it goes along a
// diagonal or up, one beyond the left line where it goes along a diagonal or down.
//
// The place of a band before values are stored is a diagonal. Rims and inner cells are at some distances from it; of a straight band, it
// is always the same.
#pragma once
#include "gotohedges.cuh"

// GotohCourse is that of a pair.
struct GotohCourse {
	const GotohEdges &edges;
	const int *values;

	// word is one of some values: the strip that comes next, and whether it does then. The last one is their step.
	static __device__ __forceinline__ int word(int strip, bool comes) { return 2 * strip + comes; }
	__device__ __forceinline__ int kept(int i) const { return values[i * GotohEdges::words + 4]; }

	// strip is the one that comes after values i, if `comes` is true, at once.
	__device__ __forceinline__ int strip(int i) const { return edges.follows ? kept(i) >> 1 : edges.first + i; }
	__device__ __forceinline__ bool comes(int i) const { return !edges.follows || (kept(i) & 1) != 0; }
	__device__ __forceinline__ int step(int i) const {
		return edges.follows ? values[i * GotohEdges::words + 5] : edges.step(edges.first + i);
	}
	__device__ __forceinline__ int place(int i) const {
		return edges.follows ? kept(i) / 2 * edges.period() - step(i) : edges.above - 1;
	}
	// rowOf is the row of strip b before the step of values i, and columnOf its last column.
	__device__ __forceinline__ int rowOf(int i, int b) const { return step(i) - 1 - b; }
	__device__ __forceinline__ int columnOf(int b) const { return (b + 1) * edges.columns; }

	// The inner cell of a side: its strip, row, column, and diagonal.
	__device__ __forceinline__ int innerStrip(int side, int i) const { return edges.innerStrip(side, strip(i)); }
	__device__ __forceinline__ int innerRow(int side, int i) const { return rowOf(i, innerStrip(side, i)); }
	__device__ __forceinline__ int innerColumn(int side, int i) const { return columnOf(innerStrip(side, i)); }
	__device__ __forceinline__ int innerDiagonal(int side, int i) const {
		return innerColumn(side, i) - innerRow(side, i);
	}
	// rimDiagonal is that of the last cell inside of a rim.
	__device__ __forceinline__ int rimDiagonal(int side, int i) const {
		return side == 0 ? place(i) : place(i) - (edges.strips - 1) * edges.period();
	}

	// A Crossing is where alignments may cross the line of inner cells: all of it that values i tell of. Its cells cost no more
	// than the inner cell, and a gap of some letters, if there are any. If it goes down along the column from the inner cell of the values
	// before these, they cost no more than that one and such a gap, either.
	struct Crossing {
		bool any;
		int row, column; // first ones
		int letters;
		bool along;
	};
	__device__ __forceinline__ Crossing crossing(int side, int i) const {
		const int columns = edges.columns, b = innerStrip(side, i), row = rowOf(i, b), column = columnOf(b);
		const Crossing diagonal = {b >= 0, row - columns + 1, column - columns + 1, 0, false};
		if (!edges.follows) return i == 0 || b == 0 ? Crossing{b >= 0, 0, 0, 0, false} : diagonal;
		const Crossing none = {false, 0, 0, 0, false};
		const int k = strip(i);
		if (k == edges.strips) return none; // nothing has left on the left, and nothing comes back on the right
		// The diagonal begins in the last slot in which a strip has come, and ends less than three later.
		const bool first = strip(i - 1) != k, second = !first && strip(i - 2) != k;
		const int down = row - rowOf(first ? i - 1 : i - 2, b - 1) - columns; // rows from its end on
		const int since = first ? columns : row - rowOf(i - 1, b);            // and from the last slot on
		if (first && down < 0 && !comes(i)) return none;
		if (first || second && down < since)
			return {true, diagonal.row - max(down, 0), diagonal.column, side == 0 ? abs(down) : max(down, 0), false};
		return side == 0 ? none : Crossing{true, row - since + 1, column, since, true};
	}

	// outerFrom returns the first letter across that alignments beyond the line of a side have from a letter along on: of the text behind a
	// row on the right, and of the pattern behind a column on the left.
	__device__ __forceinline__ int outerFrom(int side, int along) const {
		if (!edges.follows) {
			const int d = edges.diagonal(side, side == 0 ? edges.inner[0] : edges.inner[1]);
			return max(along + (side == 0 ? d : -d) + 1, 0);
		}
		// The first values of an inner cell as far along.
		int low = 0, high = edges.count;
		while (low < high) {
			const int i = (low + high) >> 1;
			if ((side == 0 ? innerRow(0, i) : innerColumn(1, i)) < along)
				low = i + 1;
			else
				high = i;
		}
		if (side == 0) {
			if (low == edges.count) return innerColumn(0, low - 1);
			const int d = innerDiagonal(0, low);
			return max(along + (low > 0 ? min(d, innerDiagonal(0, low - 1)) : d) + 1, 0);
		}
		if (low == edges.count) return max(innerRow(1, low - 1), 0);
		if (low == 0) return 0;
		const int d = innerDiagonal(1, low - 1);
		return max(along - (comes(low) ? max(d, innerDiagonal(1, low)) : d) + 1, 0);
	}
};
