// Look-ahead tables for the extension along matches.
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
#include "shared.cuh"
#include "simd.cuh"

// Entries is a table with one entry per position.
template <int BASES, class WORD> struct Entries {
	static constexpr int bases = BASES, size = sizeof(WORD);
	static constexpr bool together = false;
	// lowEntry and highEntry return the entries at the low and at the high half of doubled positions, in the
	// table at an address.
	static __device__ __forceinline__ u32 lowEntry(Shared table, u32 doubled) {
		return loadShared<WORD>(table + (int)((doubled & 0xffffu) * (size / 2)));
	}
	static __device__ __forceinline__ u32 highEntry(Shared table, u32 doubled) {
		return loadShared<WORD>(table + (int)((doubled >> 16) * (size / 2)));
	}
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
	// lowEntry and highEntry are as in Entries.
	static __device__ __forceinline__ u32 lowEntry(Shared table, u32 doubled) {
		const Shared at = table + (int)(doubled >> 3 & 0x1ffcu);
		return __funnelshift_l(loadShared<u32>(at + 4), loadShared<u32>(at), doubled);
	}
	static __device__ __forceinline__ u32 highEntry(Shared table, u32 doubled) {
		const Shared at = table + (int)(doubled >> 19 & 0x1ffcu);
		return __funnelshift_l(loadShared<u32>(at + 4), loadShared<u32>(at), doubled >> 16);
	}
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

// Tables are what the look-ups for a word of two cells have in common.
template <class TABLE> struct Tables : TABLE {
	static constexpr u32 low = TABLE::bases == 8 ? 0x000f000fu : 0x001f001fu;
	static constexpr int fullShift = TABLE::bases == 8 ? 3 : 4;
	// The bit of a half in which a whole entry matched.
	static constexpr u32 full = 0x00010001u << fullShift;

	// count2 returns how many bases match in each half, given the exclusive or of its entries; none in
	// the halves that are negative.
	static __device__ __forceinline__ u32 count2(u32 negative, u32 d0, u32 d1) {
		// Twice the bases, and a bit too much, in each half.
		const u32 twice = low - (u32)topBit(d0) - ((u32)topBit(d1) << 16);
		return without(twice >> 1, low, negative2(negative));
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
