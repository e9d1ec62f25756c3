// Exact scores of long pairs, wavefronts in registers. One block aligns a pair.
//
// The band's words form strides of STRIDE words by 32 lanes. Strides are assigned to the
// warps round-robin, so that all warps have work while the range of diagonals is narrow.
// Gap wavefronts cross from one stride to the next through edges in shared memory, a
// ring over more than e scores, so that one barrier per score suffices.
//
// Shared memory, dynamic: the text's look-ahead table, then the pattern's, with entries
// as in warp.cuh. Static: the edges, 8*(strides + 1) bytes for each score of their ring, and 16 bytes.
//
// For the traceback, the block stores all M rows, or checkpoints: checkpoint.cuh.
//
// ORIGINS are what offsets count from: origins.cuh. With OneOrigin the kernel is of the block family,
// with MovingOrigins of the long family.
//
// With FREE ends the pattern lies anywhere within the text, as in warp.cuh.
//
// Limits: with OneOrigin, as in warp.cuh; with MovingOrigins, look-ahead tables within the block's
// shared memory, scores that the band certifies, and cells of a stride within the range of offsets.
#pragma once
#include "checkpoint.cuh"
#include "freeends.cuh"
#include "origins.cuh"

// Store is what a block stores for the traceback.
enum Store { storeNothing, storeRows, storeCheckpoints };

template <class P, class L, int STRIDE, int STRIDES, int WARPS, Store STORE, template <int> class ORIGINS, bool FREE>
struct BlockWavefronts {
	typedef ORIGINS<STRIDES> Origins;
	static constexpr int strides = STRIDES * WARPS, words = strides * STRIDE, half = words * 32;
	static constexpr int rowWords = words * 32, span = spanOf<P>(8 * PackedStates<P>::cells);
	static constexpr int checkpoint = (P::ring + 2 * P::e) * rowWords; // its words, without origins
	// Edges: for each score of a ring those of del, then those of ins. The ring divides the unrolled
	// scores, so that a score's place in it is a constant.
	static constexpr int edge = strides + 1, ring = divisorAbove(P::e, P::unroll), edges = ring * 2 * edge;
	static constexpr int none = FREE ? noEnd : 0; // no end is found
	Wavefronts<P, STRIDE * STRIDES> waves;
	Origins origins;
	FreeEnds ends;
	L look;
	u32 below, above;
	int lane, warp;
	// Of the first stride, what lane 0 exchanges with the stride below, and lane 31 with the one above. Other
	// lanes have lane 31's.
	Shared leaves, enters;

	// place returns the distance of the edges of a stride of this warp from those of its first stride.
	static __device__ __forceinline__ int place(int g, int score) { return (score % ring * 2 * edge + g * WARPS) * 4; }
	__device__ __forceinline__ bool outer() const { return ((lane + 1) & 31) < 2; }

	// begin sets what does not depend on the pair.
	__device__ __forceinline__ void begin(const u32 *memory) {
		lane = threadIdx.x & 31;
		warp = threadIdx.x >> 5;
		below = kept(fromBelow(lane == 0));
		above = kept(fromAbove(lane == 31));
		const Shared del = sharedAddress(memory) + warp * 4, ins = del + edge * 4;
		leaves = kept(lane == 0 ? ins : del + 4);
		enters = kept(lane == 0 ? del : ins + 4);
	}

	// cross writes what crosses from stride g of this warp to its neighbours.
	template <int PHASE> __device__ __forceinline__ void cross(int g) {
		constexpr int from = PHASE % P::e;
		const u32 up = waves.del[from][g * STRIDE + STRIDE - 1], down = waves.ins[from][g * STRIDE];
		const u32 out = origins.leaves(lane == 0 ? down : up, lane == 0, g);
		if (outer()) storeShared(leaves + place(g, PHASE), out);
	}

	// step computes score s on strides low..high.
	template <int PHASE> __device__ __forceinline__ void step(int low, int high, u32 *row) {
		constexpr int from = PHASE % P::e;
#pragma unroll
		for (int g = 0; g < STRIDES; g++) {
			const int all = g * WARPS + warp;
			if (all < low || all > high) {
				// What crossed before is no longer near the cells of its neighbours.
				if (Origins::moves && outer()) storeShared(leaves + place(g, PHASE), Origins::none);
				continue;
			}
			u32 d[STRIDE], i[STRIDE], ds[STRIDE], is[STRIDE];
			const u32 in = origins.enters(loadShared<u32>(enters + place(g, PHASE + ring - P::e)), g);
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				d[q] = __shfl_sync(~0u, waves.del[from][g * STRIDE + q], lane - 1);
				i[q] = __shfl_sync(~0u, waves.ins[from][g * STRIDE + q], lane + 1);
			}
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				ds[q] = permuteSigned(d[q], q > 0 ? d[q > 0 ? q - 1 : 0] : in, below);
				is[q] = permuteSigned(i[q], q + 1 < STRIDE ? i[q + 1 < STRIDE ? q + 1 : q] : in, above);
			}
			waves.template advance<PHASE, STRIDE>(g * STRIDE, ds, is, origins.look(look, g), g * WARPS * STRIDE * 64,
			                                      32);
			cross<PHASE>(g);
			if (STORE == storeRows) {
#pragma unroll
				for (int q = 0; q < STRIDE; q++)
					row[(g * WARPS * STRIDE + q) * 32] = waves.m[PHASE % P::ring][g * STRIDE + q];
			}
		}
	}

	// store writes a checkpoint's strides low..high at `to`, and sets `to` to the next one.
	__device__ __forceinline__ void store(int low, int high, u32 *&to) const {
#pragma unroll
		for (int g = 0; g < STRIDES; g++) {
			const int all = g * WARPS + warp;
			if (all < low || all > high) continue;
#pragma unroll
			for (int q = 0; q < STRIDE; q++) {
				const int j = g * STRIDE + q;
				u32 *word = to + (g * WARPS * STRIDE + q) * 32;
#pragma unroll
				for (int b = 0; b < P::ring; b++) word[b * rowWords] = waves.m[P::slot(0, b)][j];
#pragma unroll
				for (int b = 0; b < P::e; b++) {
					word[(P::ring + b) * rowWords] = waves.del[(P::e - b) % P::e][j];
					word[(P::ring + P::e + b) * rowWords] = waves.ins[(P::e - b) % P::e][j];
				}
				if (Origins::moves && lane == 0)
					to[checkpoint - warp * STRIDE * 32 + all * STRIDE + q] = (u32)origins.of(g);
			}
		}
		to += checkpoint + (Origins::moves ? words : 0);
	}

	// follow moves the origins of strides low..high that need it. mine is this lane's first diagonal.
	__device__ __forceinline__ void follow(const Task &p, int low, int high, int mine) {
		if constexpr (Origins::moves) {
#pragma unroll
			for (int g = 0; g < STRIDES; g++) {
				const int all = g * WARPS + warp;
				if (all >= low && all <= high)
					origins.template follow<STRIDE>(waves, p, g, mine + g * WARPS * STRIDE * 64);
			}
		}
	}

	// The stride, word and half that hold the end cell's diagonal.
	static constexpr int endStride = words / 2 / STRIDE, endWord = endStride / WARPS * STRIDE + words / 2 % STRIDE;
	__device__ __forceinline__ bool ended(u32 m, int textLength) const {
		return warp == endStride % WARPS && lane == 0 &&
		       ((words & 1) ? highCell(m) : lowCell(m)) >= textLength - origins.of(endStride / WARPS);
	}

	// least returns the least end of this lane in the last ROWS rows of strides low..high, up to the row of score s.
	template <int PHASE, int ROWS> __device__ __forceinline__ int least(int s, int low, int high, int found) const {
#pragma unroll
		for (int g = 0; g < STRIDES; g++) {
			const int all = g * WARPS + warp;
			if (all < low || all > high) continue;
#pragma unroll
			for (int q = 0; q < STRIDE; q++)
				found = ends.template least<P, PHASE, ROWS>(waves, g * STRIDE + q, s, (g * WARPS * STRIDE + q) * 64, 32,
				                                            found);
		}
		return found;
	}

	// unrolled computes scores s+1..s+P::unroll. It returns the first score that reaches the end cell, or none;
	// with free ends the least end of this lane.
	template <int I = 1>
	__device__ __forceinline__ int unrolled(int s, int low, int high, u32 *&row, int textLength, int found = none) {
		constexpr int phase = I % P::unroll;
		if (STORE == storeRows) row += rowWords;
		step<phase>(low, high, row);
		if constexpr (I % P::ring == 0 || I == P::unroll) {
			constexpr int since = I % P::ring == 0 ? P::ring : I % P::ring;
			if constexpr (FREE) {
				found = least<phase, since>(s + I, low, high, found);
			} else {
#pragma unroll
				for (int b = since - 1; b >= 0; b--)
					if (found == 0 && ended(waves.m[P::slot(phase, b)][endWord], textLength)) found = s + I - b;
			}
		}
		if constexpr (I < P::unroll) {
			__syncthreads();
			return unrolled<I + 1>(s, low, high, row, textLength, found);
		}
		return found;
	}
};

template <class P, class L, int STRIDE, int STRIDES, int WARPS, Store STORE, template <int> class ORIGINS, bool FREE>
__device__ __forceinline__ void alignBlock(const Params &a) {
	typedef BlockWavefronts<P, L, STRIDE, STRIDES, WARPS, STORE, ORIGINS, FREE> B;
	constexpr bool moves = B::Origins::moves;
	__shared__ u32 edges[B::edges];
	__shared__ int foundAt[2], taken, overflow;
	const int text = 0, pattern = a.textEntries * L::size;
	constexpr int threads = WARPS * 32;

	B w;
	w.begin(edges);

	for (;;) {
		__syncthreads(); // the previous pair's tables are no longer in use
		if (threadIdx.x == 0) {
			taken = (int)atomicAdd(a.next, 1u);
			foundAt[0] = foundAt[1] = B::none;
			if (moves) overflow = 0;
		}
		for (int i = threadIdx.x; i < B::edges; i += threads) edges[i] = B::Origins::none;
		__syncthreads();
		const int at = taken;
		if (at >= a.count) return;
		const Task p = a.tasks[at];
		L::build(text, p.text, p.textLength, threadIdx.x, threads);
		L::build(pattern, p.pattern, p.patternLength, threadIdx.x, threads);
		__syncthreads();

		const Band<FREE> b(a, p, B::half);
		const int place = w.warp * STRIDE * 64 + w.lane, mine = b.first + place; // first diagonal of this lane
		if constexpr (FREE) w.ends = FreeEnds(b, p, place);
		w.look.set(text, pattern - mine * L::size);
		w.origins.reset();
#pragma unroll
		for (int j = 0; j < STRIDE * STRIDES; j++) {
			const int step = (j / STRIDE * WARPS * STRIDE + j % STRIDE) * 64;
			w.waves.template clear<FREE>(j, mine + step, 32, p);
			if constexpr (moves) w.waves.last[j] = w.origins.lasts(p, mine + step, 32, j / STRIDE);
			w.waves.start(j, w.look, step, 32);
		}
		if (P::o == 0) { // gaps are open from the start
#pragma unroll
			for (int g = 0; g < STRIDES; g++) w.template cross<0>(g);
		}
		u32 *to = nullptr;
		int left = B::span; // until the next checkpoint
		if (STORE != storeNothing) to = a.rows + (u64)at * a.rowStride + w.warp * STRIDE * 32 + w.lane;
		if (STORE == storeRows) {
#pragma unroll
			for (int j = 0; j < STRIDE * STRIDES; j++)
				to[(j / STRIDE * WARPS * STRIDE + j % STRIDE) * 32] = w.waves.m[0][j];
		}
		// foundAt is 1 + the score, 0 until the end cell is reached; with free ends the least end, or none. Its two
		// elements alternate, so that the next block of scores does not overwrite this one's.
		if constexpr (FREE) {
			const int f = w.template least<0, 1>(0, 0, B::strides - 1, B::none);
			if (f != B::none) atomicMin(&foundAt[1], f);
		}
		w.follow(p, 0, B::strides - 1, mine);
		if (!FREE && w.ended(w.waves.m[0][B::endWord], p.textLength)) foundAt[1] = 1;
		if (moves && w.origins.overflow()) overflow = 1;
		__syncthreads();
		int found = b.bound < 0 ? B::none : foundAt[1];
		if (found == B::none && b.bound > 0) {
			for (int s = 0;; s += P::unroll) {
				const int r = reach(s + P::unroll, P::o, P::e), rest = (b.bound - s - 1) / P::e;
				const int from = b.lowest(r, rest), upTo = b.highest(r, rest);
				const int low = max(from, 0) / (64 * STRIDE), high = upTo < 0 ? -1 : upTo / (64 * STRIDE);
				const int turn = (s / P::unroll) & 1;
				const int f = w.unrolled(s, low, high, to, p.textLength);
				w.follow(p, low, high, mine);
				if constexpr (FREE) {
					if (f != B::none) atomicMin(&foundAt[turn], f);
				} else if (f > 0) {
					foundAt[turn] = 1 + f;
				}
				if (moves && w.origins.overflow()) overflow = 1;
				__syncthreads();
				found = foundAt[turn];
				if (moves && overflow != 0) break;
				if (found != B::none || s + P::unroll >= b.bound) break;
				if (STORE == storeCheckpoints && (left -= P::unroll) == 0) {
					left = B::span;
					w.store(low, high, to);
				}
			}
		}
		const bool lost = moves && overflow != 0;
		const int score = FREE ? scoreOfEnd(found) : found - 1;
		const bool done = !lost && found != B::none && score <= b.bound;
		const int textEnd = FREE && done ? p.patternLength + b.first + placeOfEnd(found) : 0;
		if (threadIdx.x == 0)
			a.results[at] = {done ? score : -1, FREE && done ? (u32)p.patternLength : 0u, (u32)textEnd,
			                 lost ? (u32)flagOverflow : 0u};
	}
}
