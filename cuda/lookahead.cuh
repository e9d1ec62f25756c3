// Extension along matches, of two cells in a word, by the tables of tables.cuh.
//
// Two look-ups for a cell, of the text and of the pattern, take most of the instructions of a wavefront.
// Their addresses are computed from twice the text positions, two in a word: the distance by which packed bases
// are shifted is a part of that, without further instructions.
#pragma once
#include "tables.cuh"

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
