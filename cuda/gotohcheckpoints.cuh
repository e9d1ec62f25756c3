// What gotoh.cuh stores of a pair for the traceback: the values at the right borders of all strips, and
// checkpoints of all columns in flight. gotohpatch.cuh recomputes the cells between them.
//
// Of each value only the low 8 bits are stored. They tell a value from one that differs by less than 128: H of
// neighbouring cells differs by at most o + e, and E and F of a cell are at most o above H of the cell
// before it.
//
// A pair's memory in Params::rows: the letters of the pattern, what there is of detours or rims, and of broken seeds, letterWords
// words; gotohHead words, of which the first is the pair's first step among those between two checkpoints; a line for
// each step, with a word for each lane, of two strips, and those of some steps next to each other; the checkpoints, with a word for each
// column of each lane, and those of four columns next to each other.
// A word has H of the lower strip's cell, H of the upper one's, then E or F in the same order: E of the column behind a
// line's cell, F of the row after a checkpoint's.
#pragma once
#include "divisor.cuh"
#include "gotohband.cuh"

// gotohRows is the number of steps between two checkpoints, gotohLines that of the lines that a lane writes at a time.
static constexpr int gotohRows = 8, gotohLines = 4, gotohHead = 4;

// GotohPlaces are the places of lines and checkpoints, in words from the head on.
struct GotohPlaces {
	int lanes, columns;
	u64 checkpoints; // place of the first

	__device__ __forceinline__ GotohPlaces(const Task &p, int pairLanes, int stripColumns)
	    : lanes(pairLanes), columns(stripColumns) {
		const u64 steps = p.patternLength + (p.textLength - 1) / columns + 1;
		checkpoints = gotohHead + (steps / gotohLines + 2) * gotohLines * lanes;
	}

	// lines is the place of a lane's words of some lines, of which `step` is one, and line that of its word. Steps
	// count from the first one of the lines of which the pair's first step is one.
	__device__ __forceinline__ u64 lines(int step, int lane) const {
		return gotohHead + ((u64)(step / gotohLines) * lanes + lane) * gotohLines;
	}
	__device__ __forceinline__ u64 line(int step, int lane) const { return lines(step, lane) + step % gotohLines; }
	// checkpoint is that of a lane's first words of checkpoint q. Its next four are 4*lanes words further.
	__device__ __forceinline__ u64 checkpoint(int q, int lane) const {
		return checkpoints + (u64)q * columns * lanes + lane * 4;
	}
};

// gotohWord joins the low bytes of two words of H and of E or F.
__device__ __forceinline__ u32 gotohWord(u32 h, u32 gaps) { return __byte_perm(h, gaps, 0x6420); }

// GotohStored is what is stored of a pair.
template <bool FREE> struct GotohStored {
	const u32 *text, *pattern;
	int textLength, patternLength, open, extend;
	GotohPlaces places;
	const u32 *words;
	int above;  // the highest diagonal of the band
	int phase;  // the pair's first step among those between two checkpoints
	int strips; // in flight
	Divisor perColumn, perStrip;

	template <class TASK> __device__ __forceinline__ GotohStored(const Params &a, const TASK &t)
	    : text(t.task.text), pattern(t.task.pattern), textLength(t.task.textLength),
	      patternLength(t.task.patternLength), open(a.gapOpen), extend(a.gapExtend),
	      places(t.task, a.pairThreads, a.pairWords), words(t.rows + a.letterWords) {
		strips = 2 * places.lanes;
		above = GotohBand::of(a, t.task, (int)(t.result - a.results), strips, places.columns, FREE).above;
		phase = t.on ? (int)*words : 0;
		perColumn = Divisor(places.columns);
		perStrip = Divisor(strips);
	}

	__device__ __forceinline__ int stripOf(int j) const { return perColumn.into(j - 1); }
	// laneOf is the lane of strip b.
	__device__ __forceinline__ int laneOf(int b) const { return (b - strips * perStrip.into(b)) >> 1; }

	// first is the row in which strip b comes into the band, 0 or less for those that have row 0, and last
	// the last row in which it is there.
	__device__ __forceinline__ int first(int b) const { return b < strips ? 0 : b * places.columns + 1 - above; }
	__device__ __forceinline__ int last(int b) const {
		if ((b + strips) * places.columns >= textLength) return patternLength;
		return strips * (places.columns + 1) + b * places.columns - above;
	}

	// checkpointBefore is the last checkpoint before row i of strip b, and rowOf the strip's row of checkpoint q.
	__device__ __forceinline__ int checkpointBefore(int b, int i) const { return (i + b + phase) / gotohRows - 1; }
	__device__ __forceinline__ int rowOf(int b, int q) const { return (q + 1) * gotohRows - phase - 1 - b; }

	// line is the word of row i of strip b, and checkpoint has the first words of checkpoint q of strip b.
	__device__ __forceinline__ u32 line(int i, int b) const {
		return words[places.line(i + b + phase % gotohLines, laneOf(b))];
	}
	__device__ __forceinline__ const u32 *checkpoint(int q, int b) const {
		return words + places.checkpoint(q, laneOf(b));
	}

	// linesFrom loads the words of row i of strip b and of some rows below. What the strip or the band does not
	// have is undefined.
	template <int ROWS> __device__ __forceinline__ void linesFrom(int i, int b, u32 (&rows)[ROWS]) const {
		constexpr int groups = (ROWS + 2 * gotohLines - 2) / gotohLines;
		const int step = i + b + phase % gotohLines, skip = step % gotohLines, lane = laneOf(b);
		u32 all[gotohLines * groups];
#pragma unroll
		for (int g = 0; g < groups; g++) {
			const uint4 v = *(const uint4 *)(words + places.lines(step + g * gotohLines, lane));
			all[4 * g] = v.x;
			all[4 * g + 1] = v.y;
			all[4 * g + 2] = v.z;
			all[4 * g + 3] = v.w;
		}
#pragma unroll
		for (int by = 1; by < gotohLines; by *= 2)
#pragma unroll
			for (int k = 0; k + by < gotohLines * groups; k++)
				if (skip & by) all[k] = all[k + by];
#pragma unroll
		for (int k = 0; k < ROWS; k++) rows[k] = all[k];
	}

	// lowH returns the low bits of H in a word of strip b, and gapOf how much more E or F is.
	static __device__ __forceinline__ int lowH(u32 word, int b) { return (int)(word >> (8 * (b & 1)) & 255u); }
	static __device__ __forceinline__ int gapOf(u32 word, int b) { return (lowH(word >> 16, b) - lowH(word, b)) & 255; }

	// border returns the value of a cell of row 0 or of column 0.
	__device__ __forceinline__ int border(int i, int j) const {
		return FREE && i == 0 ? -extend * j : i + j == 0 ? 0 : open;
	}
};
