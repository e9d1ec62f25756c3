// Traceback of edit distance, from what edit.cuh has stored. A thread traces a pair back. It
// computes the tiles of 32 by 32 cells that the alignment passes through again, and follows it
// through each.
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

// EditPath is the way back through the tiles of a pair.
struct EditPath {
	const Task &task;
	const u32 *stored;
	EditBand band;
	int words;       // of a strip
	uint2 *tile;     // of each column: rows that cost as much as the cell before on the diagonal, and
	                 // those that cost one more than the cell above
	int block, word; // of the tile: columns and rows
	CigarWriter cigar;
	int s, v, h; // what is left of the distance and of the sequences
	bool on, wrong;

	__device__ __forceinline__ EditPath(const Params &a, const TraceTask<1> &t, uint2 *tile)
	    : task(t.task), stored(t.rows), band(a, t.task, a.pairThreads, a.pairWords), words(a.pairWords), tile(tile),
	      cigar(t.writer()), s(t.score), v(t.task.patternLength), h(t.task.textLength), on(t.on), wrong(false) {
		block = word = 0;
		if (on) matches();
	}

	__device__ __forceinline__ u32 textWord(int w) const { return __ldg(task.text + max(0, w)); }

	// load computes the tile of the cell (v,h), up to its column.
	__device__ __forceinline__ void load() {
		const int column = h - 1 + band.skew;
		block = column >> 5;
		word = (v - 1) >> 5;
		const int strip = word / words, first = strip * words;
		const u64 at = (u64)(block + strip) * band.flight + strip % band.flight;
		const uint2 *from = (const uint2 *)(stored + at * editTileWords(words));
		uint2 in = from[words];
		const int begin = 32 * block - band.skew, w = begin >> 4;
		const EditText letters(textWord(w), textWord(w + 1), textWord(w + 2), (begin & 15) * 2);
		EditStrip<1> cells;
		for (int k = first; k <= word; k++) {
			const uint2 words = from[k - first];
			cells.load(task.pattern, 2 * k, (task.patternLength - 1) >> 4);
			cells.vp[0] = words.x;
			cells.vn[0] = words.y;
			u32 t = letters.low;
			for (int c = 0; c <= (column & 31); c++) {
				if (c == 16) t = letters.high;
				const u32 same = cells.column(t, in.x, in.y);
				if (k == word) tile[c * editTraceThreads] = make_uint2(same, cells.vp[0]);
				t <<= 2;
			}
			// The differences are on top again.
			in = make_uint2(cells.outP << (~column & 31), cells.outN << (~column & 31));
		}
	}

	__device__ __forceinline__ bool inside() const {
		return on && (v - 1) >> 5 == word && (h - 1 + band.skew) >> 5 == block;
	}

	// matches follows the matches before the cell, and ends at the edge of the matrix.
	__device__ __forceinline__ void matches() {
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

	// step takes a step back from a cell of the tile whose letters differ.
	__device__ __forceinline__ void step() {
		const uint2 cells = tile[((h - 1 + band.skew) & 31) * editTraceThreads];
		const u32 bit = 1u << ((v - 1) & 31);
		const bool gap = cells.x & bit, insertion = gap && (cells.y & bit);
		cigar.add(insertion ? opIns : gap ? opDel : opMismatch, 1);
		s--;
		if (!gap || insertion) v--;
		if (!insertion) h--;
		matches();
	}
};

extern "C" __global__ void __launch_bounds__(editTraceThreads) wfa_edit_trace(const __grid_constant__ Params a) {
	__shared__ uint2 tiles[32 * editTraceThreads];
	const TraceTask<1> t(a);
	EditPath path(a, t, tiles + threadIdx.x);
	while (path.on) {
		path.load();
		while (path.inside()) path.step();
	}
	t.report(a, path.cigar, path.wrong);
}
