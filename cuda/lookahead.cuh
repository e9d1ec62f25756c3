// Extension along matches by look-ahead tables in shared memory.
//
// An entry has the bases from a position on, two bits each, the first on top. The
// exclusive or of a text and a pattern entry gives the number of matching bases. Two-bit
// codes have no sentinel, so cells are clamped to the last cell of their diagonal before
// the look-up. Matches may run past it by less than an entry; all cells are clamped again
// before use.
//
// Tables trade memory for instructions: an entry of 8 or 16 bases for each position
// takes 2 or 4 bytes per base, packed bases a quarter of a byte. Addresses are position * size.
#pragma once
#include "simd.cuh"

// All shared memory of a block, 16-byte aligned.
#ifndef WFA_EMULATED
extern __shared__ __align__(16) u8 sharedMemory[];
#endif

// Entries is a table with one entry per position.
template <int BASES, class WORD> struct Entries {
	static constexpr int bases = BASES, size = sizeof(WORD);
	static constexpr bool together = false;
	static __device__ __forceinline__ u32 at(int address) { return *(const WORD *)(sharedMemory + address); }

	// build writes the table of a sequence of n bases: n + 1 entries. The last entries
	// contain the memory that follows the sequence.
	static __device__ __forceinline__ void build(int to, const u32 *from, int n, int thread, int threads) {
		for (int i = thread; i <= n; i += threads) {
			const int w = i >> 4;
			const u32 v = __funnelshift_l(__ldg(from + w + 1), __ldg(from + w), (i & 15) * 2);
			*(WORD *)(sharedMemory + to + i * size) = (WORD)(v >> (32 - 2 * BASES));
		}
	}
};

// TablePacked is packed bases. Addresses count bases; tables begin at multiples of 16. It is for
// warps that share one pair.
struct TablePacked {
	static constexpr int bases = 16, size = 1;
	static constexpr bool together = true; // all lanes of a warp follow a run of matches
	static __device__ __forceinline__ u32 at(int address) {
		const u32 *w = (const u32 *)sharedMemory + (address >> 4);
		return __funnelshift_l(w[1], w[0], 2 * address);
	}
	static __device__ __forceinline__ void build(int to, const u32 *from, int n, int thread, int threads) {
		constexpr int batch = 8; // loads at a time
		const int last = n >> 4;
		u32 *words = (u32 *)sharedMemory + (to >> 4);
		for (int i = thread; i <= last; i += batch * threads) {
			u32 w[batch];
#pragma unroll
			for (int q = 0; q < batch; q++) w[q] = __ldg(from + min(i + q * threads, last));
#pragma unroll
			for (int q = 0; q < batch; q++)
				if (i + q * threads <= last) words[i + q * threads] = w[q];
		}
	}
};

// GlobalPacked is packed bases where they are, in global memory, for warps that share one pair of any
// length. Addresses count bases from the first of the pattern, which lies ahead of the text.
struct GlobalPacked {
	static constexpr int bases = 16, size = 1;
	static constexpr bool together = true;
	const u32 *base;
	// Null cells look up positions before the first one, too.
	__device__ __forceinline__ u32 at(int address) const {
		const u32 *w = base + (max(address, 0) >> 4);
		return __funnelshift_l(__ldg(w + 1), __ldg(w), 2 * address);
	}
};

typedef Entries<8, u16> Table8;
typedef Entries<16, u32> Table16;

// Tables are the look-ups for a word of two cells. text is the address of the text's
// table; p0 and p1 are the addresses of the pattern positions that meet text position 0
// on the diagonals of the two halves.
template <class TABLE> struct Tables : TABLE {
	static constexpr u32 low = TABLE::bases == 8 ? 0x000f000fu : 0x001f001fu;
	static constexpr int fullShift = TABLE::bases == 8 ? 3 : 4;
	// The bit of a half in which a whole entry matched.
	static constexpr u32 full = 0x00010001u << fullShift;

	// matches returns how many bases match from the two cells on, 0 for a null cell. Cells
	// must not lie past the end of their diagonal.
	__device__ __forceinline__ u32 matches(u32 cell, int text, int p0, int p1) const {
		const u32 h = max2(cell, 0);
		const int h0 = (int)(h & 0xffffu) * TABLE::size, h1 = (int)(h >> 16) * TABLE::size;
		const u32 d0 = this->at(text + h0) ^ this->at(p0 + h0);
		const u32 d1 = this->at(text + h1) ^ this->at(p1 + h1);
		// Twice the bases, and a bit too much, in each half.
		const u32 twice = low - (u32)topBit(d0) - ((u32)topBit(d1) << 16);
		return (twice >> 1) & low & ~negative2(cell);
	}

	// extend extends the halves of a word in which, by n, a whole entry has matched.
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int text, int p0, int p1) const {
		u32 on = n & full;
		do {
			on &= negative2(sub2(cell, last)); // halves that are not at their end
			n = matches(cell, text, p0, p1) & ((on >> fullShift) * 0xffffu);
			cell += n;
			on = n & full;
		} while (on);
		return cell;
	}

	// count returns how many bases of the entries at two addresses match.
	__device__ __forceinline__ int count(int text, int pattern) const {
		return __clz((int)(this->at(text) ^ this->at(pattern))) / 2 - 16 + TABLE::bases;
	}
	// runEnd returns the end of a run of matches from cell h on, at most the diagonal's last cell.
	// All lanes of a warp call it with the same arguments and look up an entry each; p is as above.
	__device__ __forceinline__ int runEnd(int h, int last, int text, int p) const {
		for (;; h += 32 * TABLE::bases) {
			const int at = min(h + (int)(threadIdx.x & 31) * TABLE::bases, last);
			const int n = count(text + at * TABLE::size, p + at * TABLE::size);
			const u32 stop = __ballot_sync(~0u, n < TABLE::bases || at == last);
			if (stop == 0) continue;
			const int lane = __ffs((int)stop) - 1;
			return min(h + lane * TABLE::bases + __shfl_sync(~0u, n, lane), last);
		}
	}
};

// Lookahead is for a band that does not move: the distances between a lane's diagonals
// are constants.
template <class TABLE> struct Lookahead : Tables<TABLE> {
	typedef Tables<TABLE> T;

	int text;    // address of the text's table
	int pattern; // that of the pattern's position that meets text position 0 on this lane's first diagonal

	// matches and extend are for the diagonals first + step and first + step +
	// half.
	__device__ __forceinline__ u32 matches(u32 cell, int step, int half) const {
		return T::matches(cell, text, pattern - step * T::size, pattern - (step + half) * T::size);
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return T::extend(cell, n, last, text, pattern - step * T::size, pattern - (step + half) * T::size);
	}
	// patternAt returns the address of the pattern position that meets text position 0 on diagonal
	// first + step + number * half.
	template <int N> __device__ __forceinline__ int patternAt(int step, int half, int number) const {
		return pattern - (step + number * half) * T::size;
	}
};

// AdaptiveLookahead is for an adaptive band: it stores the addresses of all diagonals of
// a lane. The step of word j is the constant 64*j, as in wavefronts.cuh.
template <class T, int WORDS> struct AdaptiveLookahead : T {
	int text;
	int pattern[WORDS][2];
	__device__ __forceinline__ u32 matches(u32 cell, int step, int) const {
		return T::matches(cell, text, pattern[step / 64][0], pattern[step / 64][1]);
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int) const {
		return T::extend(cell, n, last, text, pattern[step / 64][0], pattern[step / 64][1]);
	}
	template <int N> __device__ __forceinline__ int patternAt(int step, int, int number) const {
		int p = pattern[step / 64][0];
#pragma unroll
		for (int i = 1; i < 2 * N; i++)
			if (number == i) p = pattern[step / 64 + i / 2][i & 1];
		return p;
	}
};
