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

// Runs of matches of neighbouring words: the address of the text's table, and those of the pattern
// positions that meet text position 0. A word has two runs.
template <class TABLE> struct RunsApart : Tables<TABLE> {
	int text, pattern, apart;
	__device__ __forceinline__ RunsApart(const Tables<TABLE> &t, int text, int pattern, int apart)
	    : Tables<TABLE>(t), text(text), pattern(pattern), apart(apart) {}
	__device__ __forceinline__ int patternAt(int number) const { return pattern - number * apart; }
};
template <class TABLE, int N> struct RunsPlaced : Tables<TABLE> {
	int text, pattern[2 * N];
	__device__ __forceinline__ RunsPlaced(const Tables<TABLE> &t, int text) : Tables<TABLE>(t), text(text) {}
	__device__ __forceinline__ int patternAt(int number) const {
		int p = pattern[0];
#pragma unroll
		for (int i = 1; i < 2 * N; i++)
			if (number == i) p = pattern[i];
		return p;
	}
};

// SharedTables are the look-ups in shared memory. A position in packed bases has two parts, whole words
// and the rest.
template <class TABLE> struct SharedTables : Tables<TABLE> {
	typedef Tables<TABLE> T;
	static constexpr bool parts = TABLE::size == 1;

	Shared text; // the text's table
	u32 rest;    // the rest of the pattern positions of a lane, doubled, in both halves

	// whole and restOf return the parts of an address of `at`.
	static __device__ __forceinline__ Shared whole(int address) {
		return sharedAddress(sharedMemory) + (parts ? (address >> 4) * 4 : address);
	}
	static __device__ __forceinline__ u32 restOf(int address) { return parts ? (u32)(address & 15) * 0x20002u : 0; }
	// address joins the parts.
	__device__ __forceinline__ int address(Shared words) const {
		return (int)(words - sharedAddress(sharedMemory)) * (parts ? 4 : 1) + (int)(rest & 31) / 2;
	}
	__device__ __forceinline__ int textAt() const { return address(text) - (int)(rest & 31) / 2; }

	// compare returns how many bases match from the two cells on, 0 for a null cell. h has the cells, or
	// 0 for null ones; cells must not lie past the end of their diagonal. p0 and p1 are the whole
	// words of the pattern positions that meet text position 0 on the diagonals of the two halves.
	__device__ __forceinline__ u32 compare(u32 cell, u32 h, Shared p0, Shared p1) const {
		const u32 doubled = kept(h + h), met = doubled + rest;
		return T::count2(cell, T::lowEntry(text, doubled) ^ T::lowEntry(p0, met),
		                 T::highEntry(text, doubled) ^ T::highEntry(p1, met));
	}
};

// Lookahead is for a band that does not move: the distances between a lane's diagonals
// are constants, multiples of 16 for packed bases.
template <class TABLE> struct Lookahead : SharedTables<TABLE> {
	typedef SharedTables<TABLE> S;
	Shared pattern; // the pattern's position that meets text position 0 on this lane's first diagonal

	// set takes the addresses of the text's table and of that position.
	__device__ __forceinline__ void set(int textTable, int position) {
		this->text = S::whole(textTable);
		this->rest = S::restOf(position);
		pattern = S::whole(position);
	}
	// from returns the look-ups for cells that count from a text position, a multiple of 16.
	__device__ __forceinline__ Lookahead from(int origin) const {
		static_assert(S::parts, "");
		Lookahead l = *this;
		l.text += origin >> 2;
		l.pattern += origin >> 2;
		return l;
	}
	// on returns the whole words of the diagonal first + distance.
	__device__ __forceinline__ Shared on(int distance) const {
		return pattern - (S::parts ? distance / 4 : distance * S::size);
	}

	// matches and extend are for the diagonals first + step and first + step + half; see compare.
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int step, int half) const {
		return S::compare(cell, h, on(step), on(step + half));
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return extendHalves(*this, cell, n, last, step, half);
	}
	// runs are those from the diagonal first + step on, half diagonals apart.
	template <int N> __device__ __forceinline__ RunsApart<TABLE> runs(int step, int half) const {
		return RunsApart<TABLE>(*this, S::textAt(), S::address(pattern) - step * S::size, half * S::size);
	}
};

// AdaptiveLookahead is for an adaptive band: it stores the pattern positions of all diagonals of
// a lane, which differ by multiples of 16. The step of word j is the constant 64*j, as in wavefronts.cuh.
template <class TABLE, int WORDS> struct AdaptiveLookahead : SharedTables<TABLE> {
	typedef SharedTables<TABLE> S;
	Shared pattern[WORDS][2];

	__device__ __forceinline__ void setText(int address) { this->text = S::whole(address); }
	// setPattern sets the pattern position that meets text position 0 on the diagonal of a half.
	__device__ __forceinline__ void setPattern(int j, int half, int address) {
		pattern[j][half] = S::whole(address);
		this->rest = S::restOf(address);
	}
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int step, int) const {
		return S::compare(cell, h, pattern[step / 64][0], pattern[step / 64][1]);
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return extendHalves(*this, cell, n, last, step, half);
	}
	template <int N> __device__ __forceinline__ RunsPlaced<TABLE, N> runs(int step, int) const {
		RunsPlaced<TABLE, N> r(*this, S::textAt());
#pragma unroll
		for (int q = 0; q < 2 * N; q++) r.pattern[q] = S::address(pattern[step / 64 + q / 2][q & 1]);
		return r;
	}
};

// That of bases in global memory.
template <int WORDS> struct AdaptiveLookahead<GlobalPacked, WORDS> : Tables<GlobalPacked> {
	int text;
	int pattern[WORDS][2];

	__device__ __forceinline__ void setText(int address) { text = address; }
	__device__ __forceinline__ void setPattern(int j, int half, int address) { pattern[j][half] = address; }
	__device__ __forceinline__ u32 matches(u32 cell, u32 h, int step, int) const {
		const int h0 = (int)(h & 0xffffu), h1 = (int)(h >> 16), j = step / 64;
		return count2(cell, at(text + h0) ^ at(pattern[j][0] + h0), at(text + h1) ^ at(pattern[j][1] + h1));
	}
	__device__ __forceinline__ u32 extend(u32 cell, u32 n, u32 last, int step, int half) const {
		return extendHalves(*this, cell, n, last, step, half);
	}
	__device__ __forceinline__ int textAt() const { return text; }
	template <int N> __device__ __forceinline__ RunsPlaced<GlobalPacked, N> runs(int step, int) const {
		RunsPlaced<GlobalPacked, N> r(*this, text);
#pragma unroll
		for (int q = 0; q < 2 * N; q++) r.pattern[q] = pattern[step / 64 + q / 2][q & 1];
		return r;
	}
};
