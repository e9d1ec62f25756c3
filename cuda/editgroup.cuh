// A group of lanes that computes the band of a pair, and its events: see edit.cuh.
#pragma once
#include "editband.cuh"
#include "editcells.cuh"

// EditEdge is what a strip gives the strip below: the differences on its last row, and the cost
// of that row in the last column.
struct EditEdge {
	u32 p, n;
	int cost;
};

template <int LANES, int WORDS, bool STORE, bool BLOCK> struct Edit {
	static constexpr int rows = 32 * WORDS; // of a strip
	static constexpr int never = 0x7fffffff;
	const Params &a;
	int lane, in, lanes; // in the warp, in the group, of the group
	int left;            // the lane to the left, in the warp

	EditStrip<WORDS> cells;
	int cost;                // of the last row of the strip, in the column that it has come to
	int strip;               // of this lane
	int leaves, alone;       // stages from which it has another one, and from which none is above it
	u32 word0, word1, word2; // of the text, for the next stage
	int word;                // index of the first of them
	u32 *to;                 // what the next stage stores

	// Of the pair.
	Task pair;
	int at;    // its number, negative for none
	int stage; // the next one
	EditBand band;

	__device__ __forceinline__ Edit(const Params &params) : a(params) {
		lane = threadIdx.x & 31;
		in = BLOCK ? threadIdx.x : lane & (LANES - 1);
		lanes = BLOCK ? blockDim.x : LANES;
		left = BLOCK ? (lane - 1) & 31 : (lane & ~(LANES - 1)) | ((lane - 1) & (LANES - 1));
		at = -1;
		stage = band.stages = 0;
		to = a.rows;
		rest();
	}

	__device__ __forceinline__ bool idle() const { return stage == band.stages; }
	__device__ __forceinline__ EditEdge edge() const { return {cells.outP, cells.outN, cost}; }

	// rest makes this a lane without a pair. It computes on, from any letters.
	__device__ __forceinline__ void rest() {
		pair = {(const u32 *)a.tasks, (const u32 *)a.tasks, 1, 1, 0, 0};
		at = -1;
		band.skew = band.last = 0;
		leaves = alone = never;
		strip = in;
		begin(0);
	}

	// begin sets this lane's strip to its state before the block of columns of a stage.
	__device__ __forceinline__ void begin(int now) {
		cells.load(pair.pattern, 2 * WORDS * strip, (pair.patternLength - 1) >> 4);
		cells.begin();
		word = (32 * (now - strip) - band.skew) >> 4;
		word0 = textWord(word);
		word1 = textWord(word + 1);
		word2 = textWord(word + 2);
	}

	__device__ __forceinline__ u32 textWord(int w) const {
		return __ldg(pair.text + max(0, min(w, (pair.textLength - 1) >> 4)));
	}

	// start makes `number` the pair of the group.
	__device__ __forceinline__ void start(int number) {
		stage = 0;
		if (number >= a.count) {
			band.stages = never;
			rest();
			return;
		}
		at = number;
		pair = a.tasks[at];
		band = EditBand(a, pair, lanes, WORDS);
		if (band.certified < 0) band.stages = 1; // the end cell is outside
		if constexpr (STORE) to = a.rows + (u64)at * a.rowStride + in * editTileWords(WORDS);
		strip = in;
		place();
		// Costs grow beside the matrix, too: to the left from column 0 on.
		cost = rows * (strip + 1) + 32 * strip + band.skew;
		cells.outP = 0;
		cells.outN = ~0u;
		begin(0);
	}

	__device__ __forceinline__ void place() {
		leaves = band.leaves(strip);
		alone = strip == 0 ? never : band.leaves(strip - 1);
		if (alone != never) alone++;
	}

	// run computes a stage: the next 32 columns of each strip. from comes from the lane to the left.
	template <int UNROLL> __device__ __forceinline__ void run(EditEdge from) {
		if (stage == leaves) {
			strip += lanes;
			place();
			begin(stage);
			cost = from.cost - __popc(from.p) + __popc(from.n) + rows;
		}
		if (strip == 0) {
			from.p = stage == 0 ? ~0u >> band.skew : ~0u;
			from.n = ~from.p;
		} else if (stage >= alone) {
			from.p = ~0u;
			from.n = 0;
		}
		if constexpr (STORE) {
			if (at >= 0) store(from);
			to += lanes * editTileWords(WORDS);
		}
		const EditText letters(word0, word1, word2, (-band.skew & 15) * 2);
		word += 2;
		word0 = word2;
		word1 = textWord(word + 1);
		word2 = textWord(word + 2);
#pragma unroll 1
		for (int half = 0; half < 2; half++) {
			u32 t = half == 0 ? letters.low : letters.high;
#pragma unroll UNROLL
			for (int c = 0; c < 16; c++) {
				cells.column(t, from.p, from.n);
				t <<= 2;
			}
		}
		cost += __popc(cells.outP) - __popc(cells.outN);
		stage++;
	}

	// store writes what the traceback computes the cells of the stage from.
	__device__ __forceinline__ void store(const EditEdge &from) const {
#pragma unroll
		for (int k = 0; k < WORDS; k++) ((uint2 *)to)[k] = make_uint2(cells.vp[k], cells.vn[k]);
		((uint2 *)to)[WORDS] = make_uint2(from.p, from.n);
	}

	// least returns a number that no cell is less than that alignments pass when they leave what
	// this lane's strips have computed: of the last column, or of the last row in the last stage.
	__device__ __forceinline__ int least() const {
		int ones = 0;
#pragma unroll
		for (int k = 0; k < WORDS; k++) ones += __popc(cells.vp[k]);
		return cost - max(ones, __popc(cells.outP));
	}

	// beyond ends a pair of which no alignment is within the bound.
	__device__ __forceinline__ void beyond() {
		if (in == 0) a.results[at] = {-1, 0, 0, 0};
		at = -1;
		band.stages = stage;
	}

	// finish reports the distance of the pair: a result if it is certified and within the bound,
	// otherwise as an upper bound.
	__device__ __forceinline__ void finish() const {
		if (at < 0 || (band.certified >= 0 ? strip != band.last : in != 0)) return;
		int score = cost;
#pragma unroll
		for (int k = 0; k < WORDS; k++) {
			const int rest = pair.patternLength - rows * band.last - 32 * k; // rows of the pattern
			const u32 beyond = rest >= 32 ? 0 : rest <= 0 ? ~0u : ~0u << rest;
			score += __popc(cells.vn[k] & beyond) - __popc(cells.vp[k] & beyond);
		}
		if (band.bound >= 0 && score <= band.bound)
			a.results[at] = {score, 0, 0, 0};
		else
			a.results[at] = {-1, band.certified < 0 ? 0u : (u32)score, 0, 0};
	}
};
