// Traceback of edit distance, from what edit.cuh has stored. A thread traces a pair back, or a warp
// where a launch has few pairs. They compute the tiles of 32 by 32 cells that the alignment passes
// through again, and follow it through each. A warp computes those that lie ahead along the
// diagonal, a tile each, and all of its threads follow the alignment.
//
// At a cell whose letters differ there is an optimal mismatch if the cell before it on the diagonal
// does not cost the same, and else an optimal insertion if the cell above it costs one less, and
// else a deletion. Of gaps it takes one letter at a time: lengthening one costs what opening
// another one does. So it follows the rule of traceback.cuh.
//
// Shared memory, static: 32 KB. Limits: those of edit.cuh.
#include "editband.cuh"
#include "editcells.cuh"
#include "tracetask.cuh"

static constexpr int editTraceThreads = 128;

// EditTiles computes tiles of a pair. Memory for them is that of the threads of a block, strided.
struct EditTiles {
	const Task &task;
	const u32 *stored;
	EditBand band;
	int words; // of a strip

	template <class TASK> __device__ __forceinline__ EditTiles(const Params &a, const TASK &t)
	    : task(t.task), stored(t.rows), band(a, t.task, a.pairThreads, a.pairWords), words(a.pairWords) {}

	__device__ __forceinline__ int block(int h) const { return (h - 1 + band.skew) >> 5; }
	__device__ __forceinline__ int column(int h) const { return (h - 1 + band.skew) & 31; }
	static __device__ __forceinline__ int word(int v) { return (v - 1) >> 5; }
	static __device__ __forceinline__ int row(int v) { return (v - 1) & 31; }

	__device__ __forceinline__ u32 textWord(int w) const { return __ldg(task.text + max(0, w)); }

	// fetch brings what later tiles need into the cache: the way back goes on with earlier stages, of
	// this strip or the one above.
	__device__ __forceinline__ void fetch(int block, int word) const {
		const int strip = word / words, line = band.flight * editTileWords(words);
		const int place = strip % band.flight, above = place == 0 ? band.flight - 1 : place - 1;
		for (int s = block + strip - 3; s >= 0 && s > block + strip - 5; s--) {
			prefetch(stored + (u64)s * line + place * editTileWords(words));
			prefetch(stored + (u64)s * line + above * editTileWords(words));
		}
	}

	// compute computes the first columns of the tile of a block of columns and a word of rows. It
	// stores of each column the rows that cost as much as the cell before on the diagonal, and those
	// that cost one more than the cell above, `stride` apart.
	__device__ __forceinline__ void compute(int block, int word, int columns, uint2 *tile, int stride) const {
		const int strip = word / words, first = strip * words;
		const u64 at = (u64)(block + strip) * band.flight + strip % band.flight;
		const uint2 *from = (const uint2 *)(stored + at * editTileWords(words));
		uint2 in = from[words];
		const int begin = 32 * block - band.skew, w = begin >> 4;
		const EditText letters(textWord(w), textWord(w + 1), textWord(w + 2), (begin & 15) * 2);
		EditStrip<1> cells;
		for (int k = first; k <= word; k++) {
			const uint2 before = from[k - first];
			cells.load(task.pattern, 2 * k, (task.patternLength - 1) >> 4);
			cells.vp[0] = before.x;
			cells.vn[0] = before.y;
			u32 t = letters.low;
			for (int c = 0; c < columns; c++) {
				if (c == 16) t = letters.high;
				const u32 same = cells.column(t, in.x, in.y);
				if (k == word) tile[c * stride] = make_uint2(same, cells.vp[0]);
				t <<= 2;
			}
			in = make_uint2(cells.outP << (32 - columns), cells.outN << (32 - columns)); // on top again
		}
	}
};

// EditPath is the way back through the matrix.
struct EditPath {
	CigarWriter cigar;
	int s, v, h; // what is left of the distance and of the sequences
	bool on, wrong;

	template <class TASK> __device__ __forceinline__ EditPath(const TASK &t)
	    : cigar(t.writer()), s(t.score), v(t.task.patternLength), h(t.task.textLength), on(t.on), wrong(false) {
		if (on) matches(t.task);
	}

	// matches follows the matches before the cell, and ends at the edge of the matrix.
	__device__ __forceinline__ void matches(const Task &task) {
		const int n = matchesBefore(task.text, task.pattern, h, v);
		cigar.add(opMatch, n);
		v -= n;
		h -= n;
		if (v != 0 && h != 0 && s > 0) return;
		wrong = s != v + h;
		cigar.add(opIns, v);
		cigar.add(opDel, h);
		on = false;
	}

	// step takes a step back from a cell whose letters differ. column is that of its tile.
	__device__ __forceinline__ void step(const Task &task, const uint2 &column) {
		const u32 bit = 1u << EditTiles::row(v);
		const bool gap = column.x & bit, insertion = gap && (column.y & bit);
		cigar.add(insertion ? opIns : gap ? opDel : opMismatch, 1);
		s--;
		if (!gap || insertion) v--;
		if (!insertion) h--;
		matches(task);
	}
};

extern "C" __global__ void __launch_bounds__(editTraceThreads) wfa_edit_trace(const __grid_constant__ Params a) {
	__shared__ uint2 memory[32 * editTraceThreads];
	uint2 *tile = memory + threadIdx.x;
	const TraceTask<1> t(a);
	const EditTiles tiles(a, t);
	EditPath path(t);
	while (path.on) {
		const int block = tiles.block(path.h), word = tiles.word(path.v);
		tiles.fetch(block, word);
		tiles.compute(block, word, tiles.column(path.h) + 1, tile, editTraceThreads);
		while (path.on && tiles.block(path.h) == block && tiles.word(path.v) == word)
			path.step(t.task, tile[tiles.column(path.h) * editTraceThreads]);
	}
	t.report(a, path.cigar, path.wrong);
}

// wfa_edit_trace_warp has a warp for each pair. Of each square of the diagonal on the way back,
// three threads compute its tile and the tiles to the left of it and above.
extern "C" __global__ void __launch_bounds__(editTraceThreads) wfa_edit_trace_warp(const __grid_constant__ Params a) {
	__shared__ uint2 memory[32 * editTraceThreads];
	uint2 *tile = memory + (threadIdx.x & ~31) * 32;
	const TraceTask<32> t(a);
	const EditTiles tiles(a, t);
	EditPath path(t);
	const int back = t.in / 3, left = back + (t.in % 3 == 1), above = back + (t.in % 3 == 2);
	while (path.on) {
		const int block = tiles.block(path.h), word = tiles.word(path.v);
		if (block >= left && word >= above) tiles.compute(block - left, word - above, 32, tile + t.in, 32);
		__syncwarp();
		while (path.on) {
			const int x = block - tiles.block(path.h), y = word - tiles.word(path.v);
			const int at = 3 * min(x, y) + (x == y ? 0 : x > y ? 1 : 2);
			if (abs(x - y) > 1 || at >= 32) break;
			path.step(t.task, tile[tiles.column(path.h) * 32 + at]);
		}
		__syncwarp();
	}
	t.report(a, path.cigar, path.wrong);
}
