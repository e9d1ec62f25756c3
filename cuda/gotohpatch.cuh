// Cells of gotoh.cuh, recomputed for the traceback from what gotohcheckpoints.cuh stores.
//
// A patch is the rows of a strip between two checkpoints, up to a cell of the path. A thread computes it column by
// column, with all rows in registers: two in a word, of which the lower one is a column behind. It takes E and H at the
// left border from the lines of the strip to the left, F and H above the first row from the checkpoint. Values are those of
// gotoh.cuh, relative to one of them, and equal to the true ones in the low 8 bits.
//
// Shared memory: a byte for each cell of a patch.
#pragma once
#include "gotohcells.cuh"
#include "gotohcheckpoints.cuh"
#include "match.cuh"

static constexpr int gotohTracers = 128; // threads of a block

// signedByte returns the number from -128 on with the low 8 bits of v.
__device__ __forceinline__ int signedByte(int v) { return (int)((u32)v << 24) >> 24; }

template <bool FREE> struct GotohPatch : GotohStored<FREE> {
	typedef GotohStored<FREE> Stored;
	using Stored::border;
	using Stored::extend;
	using Stored::gapOf;
	using Stored::line;
	using Stored::lowH;
	using Stored::open;
	using Stored::places;
	static constexpr int widest = 36; // columns
	static constexpr int half = gotohRows / 2;
	static constexpr int middle = 0x4000;    // the values of cells are around this
	static constexpr int never = 0x7fffffff; // no alignment
	static_assert(half == 4, "a word has a column of half the rows");
	static constexpr int words = 2 * (widest + 1); // of a thread

	const GotohCosts costs;
	u32 *low;               // low bits of cells, in words gotohTracers apart: two columns' halves after each other
	int strip, from;        // its columns are from+1..right
	int top, bottom, right; // its rows are top+1..bottom
	bool kept, empty;       // above them is a checkpoint, or no cell
	int there;              // rows that have a neighbour on the left, negative if row `top` has none

	// memory is that of all threads of the block.
	template <class TASK> __device__ __forceinline__ GotohPatch(const Params &a, const TASK &t, u32 *memory)
	    : Stored(a, t), costs(a), low(memory + threadIdx.x) {
		strip = -1;
		from = top = bottom = right = there = 0;
		kept = empty = false;
	}

	// has reports whether the patch has the cell (i,j), inside the matrix.
	__device__ __forceinline__ bool has(int i, int j) const { return i > top && i <= bottom && j > from && j <= right; }

	// within returns the cost of a cell of the patch from one that differs by less than 128.
	__device__ __forceinline__ int within(int i, int j, int near) const {
		const int r = i - 1 - top, high = r >= half, c = j - 1 - from + high, k = r & (half - 1);
		const int bits = (int)(low[(2 * c + (k >> 1)) * gotohTracers] >> (16 * (k & 1) + 8 * high));
		return near + signedByte(bits + extend * (i + j) - near);
	}
	// at returns that of a cell of the patch or beside it, or never if it has none.
	__device__ __forceinline__ int at(int i, int j, int near) const {
		if (i == 0 || j == 0) return border(i, j) + extend * (i + j);
		if (i > top && j > from) return within(i, j, near);
		if (j == from ? i - top > there : empty) return never;
		const int bits = j == from ? lowH(line(i, strip - 1), strip - 1) : lowH(above(j), strip);
		return near + signedByte(bits + extend * (i + j) - near);
	}
	// above is the checkpoint's word of column j.
	__device__ __forceinline__ u32 above(int j) const {
		const int c = j - 1 - from;
		return this->checkpoint(this->checkpointBefore(strip, top + 1), strip)[c / 4 * 4 * places.lanes + c % 4];
	}
	// gapAbove and gapBefore return how much an insertion that goes on from the first row, or a deletion that
	// goes on from the first column, costs more than the cell before that.
	__device__ __forceinline__ int gapAbove(int j) const { return extend + (kept ? gapOf(above(j), strip) : open); }
	__device__ __forceinline__ int gapBefore(int i) const {
		return extend + (strip > 0 ? gapOf(line(i, strip - 1), strip - 1) : open);
	}

	// next returns the value of the cell right of one of value v or below it, from its low bits.
	__device__ __forceinline__ int next(int v, int bits) const { return v + signedByte(bits - v + extend) - extend; }

	// load puts the words of some columns of a checkpoint where the cells of these columns will be.
	__device__ __forceinline__ void load(const u32 *words, int columns) {
		uint4 four[widest / 4];
#pragma unroll
		for (int k = 0; k < widest / 4; k++)
			if (4 * k < columns) four[k] = *(const uint4 *)(words + 4 * k * places.lanes);
#pragma unroll
		for (int k = 0; k < widest / 4; k++) {
			if (4 * k >= columns) break;
			u32 *to = low + 8 * k * gotohTracers;
			to[0] = four[k].x;
			to[2 * gotohTracers] = four[k].y;
			to[4 * gotohTracers] = four[k].z;
			to[6 * gotohTracers] = four[k].w;
		}
	}

	// compute makes the patch that of cell (i,j), inside the matrix.
	__device__ __forceinline__ void compute(int i, int j) {
		strip = this->stripOf(j);
		from = strip * places.columns;
		const int come = this->first(strip), q = this->checkpointBefore(strip, i), row = this->rowOf(strip, q);
		kept = q >= 0 && row >= max(come, 1);
		empty = !kept && come > 0;
		top = kept ? row : max(come - 1, 0);
		bottom = i;
		right = j;
		there = strip == 0 ? bottom - top : min(bottom, this->last(strip - 1)) - top;

		u32 left[gotohRows + 1] = {}; // from row `top` on
		if (strip > 0 && there >= 0) this->linesFrom(top, strip - 1, left);
		if (kept) load(this->checkpoint(q, strip), right - from);
		u32 lettersAhead = sixteen(this->text, from);
		const u32 codes = sixteen(this->pattern, top);

		// The corner, and the column on the left. Row 0 with free ends is far below 0.
		const int level = FREE && top == 0 ? extend * from & ~255 : 0;
		int base = 0;
		if (there >= 0) base = strip == 0 || top == 0 ? border(top, from) + level : lowH(left[0], strip - 1);
		int value = base;
		u32 borderH[gotohRows], borderE[gotohRows];
#pragma unroll
		for (int r = 0; r < gotohRows; r++) {
			const u32 word = left[r + 1];
			value = strip == 0 ? open : next(value, lowH(word, strip - 1));
			const u32 valueH = (u32)(value + middle),
			          valueE = valueH + (u32)(strip == 0 ? open : gapOf(word, strip - 1));
			borderH[r] = r < there ? valueH : gotohNone;
			borderE[r] = r < there ? valueE : gotohNone;
		}
		u32 h[half], e[half], letters[half];
#pragma unroll
		for (int r = 0; r < half; r++) {
			h[r] = borderH[r];
			e[r] = borderE[r];
			letters[r] = (codes >> (30 - 2 * r) & 3) * 0x11u + (codes >> (30 - 2 * (r + half)) & 3) * 0x1100u + 0xc480u;
		}

		const int columns = right - from;
		u32 corner = there < 0 ? gotohNone : (u32)(base + middle), carried = gotohNone, before = gotohNone, last = 0;
		int up = base;
		u32 *to = low, text = 0;
		// Columns up to the one behind the last, in which the lower rows end.
#pragma unroll 1
		for (int c = 0; c <= columns; c += 4) {
			u32 now[4]; // the checkpoint's words; of columns that are not in the patch, any
#pragma unroll
			for (int k = 0; k < 4; k++) now[k] = low[2 * min(c + k, widest) * gotohTracers];
			if (c % 16 == 0) {
				text = lettersAhead;
				lettersAhead = sixteen(this->text, min(from + c + 16, this->textLength - 1));
			}
#pragma unroll
			for (int k = 0; k < 4; k++) {
				up = kept ? next(up, lowH(now[k], strip)) : border(top, from + c + k + 1) + level;
				const u32 first = empty ? gotohNone : (u32)(up + middle);
				u32 diagonal = corner | before << 16;
				u32 f = (first + (u32)(kept ? gapOf(now[k], strip) : open)) | carried << 16;
				corner = first;
				const u32 letter = 0xffu << (text >> 27 & 24);
				text <<= 2;
				const u32 scores = (costs.mismatch & ~letter) | (costs.match & letter);
#pragma unroll
				for (int r = 0; r < half; r++) {
					const u32 g = addMinHalves(diagonal, permuteSigned(scores, last, letters[r]), e[r]);
					diagonal = h[r];
					h[r] = minHalves(g, f);
					e[r] = addMinHalves(h[r], costs.open, e[r]);
					f = addMinHalves(g, costs.open, f); // not from f + open: rows wait for less
				}
				last = scores;
				carried = f & 0xffffu;
				before = diagonal & 0xffffu;
				if (c + k <= columns) {
					to[0] = __byte_perm(h[0], h[1], 0x6420);
					to[gotohTracers] = __byte_perm(h[2], h[3], 0x6420);
				}
				to += 2 * gotohTracers;
				if (c + k > 0) continue;
#pragma unroll
				for (int r = 0; r < half; r++) { // the lower rows begin
					h[r] = (h[r] & 0xffffu) | borderH[r + half] << 16;
					e[r] = (e[r] & 0xffffu) | borderE[r + half] << 16;
				}
			}
		}
	}
};
