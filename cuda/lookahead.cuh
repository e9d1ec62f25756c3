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
// Two look-ups, of the text and of the pattern, take most of the instructions of a cell: those of
// Lookahead compute addresses from twice the text positions, two in a word.
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

// extendHalves extends the halves of a word in which, by n, a whole entry has matched; on are the
// arguments of the look-up.
template <class L, class... A>
__device__ __forceinline__ u32 extendHalves(const L &look, u32 cell, u32 n, u32 last, A... on) {
	u32 open = n & L::full;
	do {
		open &= negative2(sub2(cell, last)); // halves that are not at their end
		n = look.matches(cell, max2(cell, 0), on...) & ((open >> L::fullShift) * 0xffffu);
		cell += n;
		open = n & L::full;
	} while (open);
	return cell;
}

// Tables are the look-ups for a word of two cells. text is the address of the text's
// table; p0 and p1 are the addresses of the pattern positions that meet text position 0
// on the diagonals of the two halves.
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

	// matches returns how many bases match from the two cells on, 0 for a null cell. Cells must not
	// lie past the end of their diagonal; h has them with 0 for null ones.
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int text, int p0, int p1) const {
		const int h0 = (int)(h & 0xffffu) * TABLE::size, h1 = (int)(h >> 16) * TABLE::size;
		return count2(cell, this->at(text + h0) ^ this->at(p0 + h0), this->at(text + h1) ^ this->at(p1 + h1));
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
// are constants, multiples of 16 for packed bases.
template <class TABLE> struct Lookahead : Tables<TABLE> {
	typedef Tables<TABLE> T;
	// Packed bases: positions have two parts, whole words and the rest.
	static constexpr bool parts = TABLE::size == 1;

	Shared text;    // the text's table
	Shared pattern; // the pattern's position that meets text position 0 on this lane's first diagonal
	u32 rest;       // the bases of that position beyond a whole word, doubled, in both halves

	// set takes those as addresses of the table.
	__device__ __forceinline__ void set(int textTable, int patternPosition) {
		text = sharedAddress(sharedMemory) + (parts ? textTable / 4 : textTable);
		pattern = sharedAddress(sharedMemory) + (parts ? (patternPosition >> 4) * 4 : patternPosition);
		rest = parts ? (u32)(patternPosition & 15) * 0x20002u : 0;
	}
	// from returns the look-ups for cells that count from a text position, a multiple of 16.
	__device__ __forceinline__ Lookahead from(int origin) const {
		static_assert(parts, "");
		Lookahead l = *this;
		l.text = text + (origin >> 2);
		l.pattern = pattern + (origin >> 2);
		return l;
	}
	static __device__ __forceinline__ int bytes(int positions) { return parts ? positions / 4 : positions * T::size; }

	// matches and extend are for the diagonals first + step and first + step + half. h has the cells, or
	// 0 for null ones.
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int step, int half) const {
		const u32 doubled = kept(h + h), met = doubled + rest;
		return T::count2(cell, T::lowEntry(text, doubled) ^ T::lowEntry(pattern - bytes(step), met),
		                 T::highEntry(text, doubled) ^ T::highEntry(pattern - bytes(step + half), met));
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return extendHalves(*this, cell, n, last, step, half);
	}
	// textAt and patternAt return the addresses of text position 0, and of the pattern position that
	// meets it on diagonal first + step + number * half, as those of `at`.
	__device__ __forceinline__ int textAt() const { return address(text); }
	template <int N> __device__ __forceinline__ int patternAt(int step, int half, int number) const {
		return address(pattern) + (int)(rest & 31) / 2 - (step + number * half) * T::size;
	}
	static __device__ __forceinline__ int address(Shared at) {
		return (int)(at - sharedAddress(sharedMemory)) * (parts ? 4 : 1);
	}
};

// AdaptiveLookahead is for an adaptive band: it stores the addresses of all diagonals of
// a lane. The step of word j is the constant 64*j, as in wavefronts.cuh.
template <class T, int WORDS> struct AdaptiveLookahead : T {
	int text;
	int pattern[WORDS][2];
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int step, int) const {
		return T::matches(cell, h, text, pattern[step / 64][0], pattern[step / 64][1]);
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return extendHalves(*this, cell, n, last, step, half);
	}
	__device__ __forceinline__ int textAt() const { return text; }
	template <int N> __device__ __forceinline__ int patternAt(int step, int, int number) const {
		int p = pattern[step / 64][0];
#pragma unroll
		for (int i = 1; i < 2 * N; i++)
			if (number == i) p = pattern[step / 64 + i / 2][i & 1];
		return p;
	}
};
