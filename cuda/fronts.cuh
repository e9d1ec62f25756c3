// Wavefronts of a part of a pair, computed by a warp and stored for the traceback: of 32 diagonals in shared
// memory, or of any multiple of that in global memory.
//
// Of a part with a free end, the text has letters there that cost nothing: a free begin lies on any diagonal
// from 0 on, where no letter of the pattern has been passed, a free end where all have been.
//
// Rows of M, Ins and Del, text positions of 16 bits, lie in memory by score, so that any penalties may be
// taken. An alignment that leaves the diagonals pays for a gap out and a gap back, which certifies lower
// scores.
#pragma once
#include "cigar.cuh"
#include "warpletters.cuh"

// PartEnds tells which end of a part is free.
enum PartEnds { fixedEnds, freeBegin, freeEnd };

// Fronts are the wavefronts of a part. FREE: it may have a free end.
template <bool WIDE, bool FREE> struct Fronts {
	static constexpr int mostLetters = 30000; // of a sequence
	static constexpr int null = -1;

	short *rows;
	int mostScore; // that there are rows for
	int width;     // diagonals, a multiple of 32
	Pair pair;
	int x, o, e;
	// The part of the pair that is aligned: it begins at position v of the pattern and h of the text, and
	// has n and m letters.
	int v, h, n, m;
	int first; // lowest diagonal
	int last;  // matches that this lane has passed in its last cell
	PartEnds ends;

	// asWide returns the same wavefronts for the code of wide ones.
	__device__ __forceinline__ Fronts<true, FREE> asWide() const {
		return {rows, mostScore, diagonals(), pair, x, o, e, v, h, n, m, first, last, ends};
	}

	__device__ __forceinline__ int lane() const { return threadIdx.x & 31; }
	__device__ __forceinline__ int diagonals() const { return WIDE ? width : 32; }
	__device__ __forceinline__ short *row(int s) const { return rows + 3 * diagonals() * s; }

	// bytes is the memory of the rows, and mostElements how many an alignment has at most.
	__device__ __forceinline__ int bytes() const { return 6 * diagonals() * (mostScore + 1); }
	__device__ __forceinline__ int mostElements() const { return 2 * mostScore + 1; }

	// certain returns the largest score that is certain to be optimal for an alignment that ends on a diagonal.
	__device__ __forceinline__ int certain(int end) const {
		const int from = end / 2 - diagonals() / 2;
		const int spare = min(min(0, end) - from, from + diagonals() - 1 - max(0, end));
		if (spare < 0) return -1;
		return min(2 * o + (2 * (spare + 1) + abs(end)) * e - 1, mostScore);
	}

	// certainFree returns the same of a part with a free end: the way back need not be paid.
	__device__ __forceinline__ int certainFree() const { return min(o + diagonals() / 2 * e - 1, mostScore); }

	// begin begins wavefronts for a part around a diagonal.
	__device__ __forceinline__ void begin(int fromV, int fromH, int lettersV, int lettersH, int middle, PartEnds free) {
		v = fromV, h = fromH, n = lettersV, m = lettersH;
		first = middle - diagonals() / 2;
		ends = free;
		__syncwarp();
#pragma unroll 1
		for (int c = lane(); c - lane() < diagonals(); c += 32) {
			int at = c + first == 0 ? 0 : null;
			if (FREE && ends == freeBegin) at = c + first >= 0 && c + first <= m ? c + first : null;
			at = extended(c, at);
			store(row(0), c, at, null, null);
		}
		__syncwarp();
	}

	__device__ __forceinline__ void store(short *r, int c, int at, int ins, int del) const {
		r[c] = (short)at;
		r[diagonals() + c] = (short)ins;
		r[2 * diagonals() + c] = (short)del;
	}

	// extended returns the offset of cell c, negative for none, with the matches behind it. Every lane has a
	// cell.
	__device__ __forceinline__ int extended(int c, int at) {
		const int k = c + first;
		const int most = at < 0 ? 0 : min(m - at, n - at + k);
		last = 0;
		if (most > 0) last = min(pair.matches(v + at - k, h + at), most);
		u32 more = __ballot_sync(~0u, last == 16 && most > 16);
#pragma unroll 1
		while (more != 0) {
			const int l = __ffs((int)more) - 1, from = __shfl_sync(~0u, at, l) + 16;
			const int passed = pair.run(v + from - __shfl_sync(~0u, k, l), h + from);
			if (lane() == l) last = min(16 + passed, most);
			more &= more - 1;
		}
		return at + last;
	}

	// step computes the wavefront of score s and returns the offset of this lane's last cell, negative for
	// none.
	__device__ __forceinline__ int step(int s) {
		int at = null;
		if (WIDE) {
			int reach = s < o + e ? 0 : (s - o) / e;
			if (FREE && ends == freeBegin) reach = mostLetters;
#pragma unroll 1
			for (int c = lane(); c - lane() < diagonals(); c += 32) {
				const int low = c - lane() + first;
				if (low > reach || low + 31 < -reach)
					store(row(s), c, null, null, null);
				else
					at = cell(s, c);
			}
		} else
			at = cell(s, lane());
		__syncwarp();
		return at;
	}

	// cell computes a cell of each lane.
	__device__ __forceinline__ int cell(int s, int c) {
		const int k = c + first, end = diagonals() - 1;
		int mismatch = null, ins = null, del = null;
		if (s >= x) mismatch = row(s - x)[c];
		if (s >= o + e) {
			const short *r = row(s - o - e);
			if (c < end) ins = r[c + 1];
			if (c > 0) del = r[c - 1];
		}
		if (s >= e) {
			const short *r = row(s - e);
			if (c < end) ins = max(ins, (int)r[diagonals() + c + 1]);
			if (c > 0) del = max(del, (int)r[2 * diagonals() + c - 1]);
		}
		if (ins - k > n) ins = null;
		del = del < 0 || del + 1 > m ? null : del + 1;
		mismatch = mismatch < 0 || mismatch + 1 > m || mismatch + 1 - k > n ? null : mismatch + 1;
		const int at = extended(c, max(mismatch, max(ins, del)));
		store(row(s), c, at, ins, del);
		return at;
	}

	// align returns the score of the part, at most a bound, negative if it is above that. With a free end, the
	// part ends where the first of the alignments does.
	__device__ __forceinline__ int align(int bound) {
		const int end = m - n - first;
#pragma unroll 1
		for (int s = 0; s <= bound; s++) {
			if (s > 0) step(s);
			if (FREE && ends == freeEnd ? ended(s) : row(s)[end] >= m) return s;
		}
		return -1;
	}

	// ended reports whether an alignment of a score has a free end, and sets the letters of the text.
	__device__ __forceinline__ bool ended(int s) {
#pragma unroll 1
		for (int c = lane(); c - lane() < diagonals(); c += 32) {
			const int k = c + first;
			const u32 found = __ballot_sync(~0u, k >= -n && row(s)[c] == n + k);
			if (found == 0) continue;
			m = n + k - lane() + __ffs((int)found) - 1;
			return true;
		}
		return false;
	}

	// before counts the matches of the part that end before an offset on a diagonal.
	__device__ __forceinline__ int before(int k, int at) const {
		const int most = min(at, at - k);
		int count = 0;
#pragma unroll 1
		while (count < most) {
			const u32 d = sixteenBefore(pair.text, h + at - count) ^ sixteenBefore(pair.pattern, v + at - k - count);
			if (d != 0) {
				count += (__ffs((int)d) - 1) >> 1;
				break;
			}
			count += 16;
		}
		return min(count, most);
	}

	// trace writes the alignment of the part, of a score, from its end back, and reports whether it has found
	// it. A free begin is where it ends. It knows from the rows of gaps where the matches before a cell begin.
	__device__ __forceinline__ bool trace(CigarWriter &c, int s) {
		int l = m - n - first, at = m;
#pragma unroll 1
		while (s > 0) {
			const short *r = row(s);
			const int k = l + first;
			int start = (s < x ? null : (int)row(s - x)[l]) + 1;
			if (start == 0) start = -1;
			bool mismatch = start > 0;
			int gap = max((int)r[diagonals() + l], (int)r[2 * diagonals() + l]);
			if (gap >= 0 && gap > start) {
				gap = min(gap, at);
				const int begin = gap - before(k, gap);
				mismatch = mismatch && start == begin;
				start = begin;
			}
			if (start > at || start < 0) return false;
			c.add(opMatch, at - start);
			if (mismatch) {
				c.add(opMismatch, 1);
				s -= x;
				at = start - 1;
				continue;
			}
			at = start;
			bool insertion;
			const int length = gapTo(s, l, at, insertion);
			if (length == 0) return false;
			c.add(insertion ? opIns : opDel, length);
			l += insertion ? length : -length;
			at -= insertion ? 0 : length;
			s -= o + e * length;
		}
		int from = 0; // in the text
		if (FREE && ends == freeBegin) {
			from = l + first;
			h += from;
		} else if (l + first != 0)
			return false;
		if (at > row(0)[l]) return false;
		c.add(opMatch, at - from);
		return true;
	}

	// gapTo returns the length of the shortest gap that ends at an offset of cell l on an alignment of score s,
	// an insertion rather than a deletion, 0 if there is none.
	__device__ __forceinline__ int gapTo(int s, int l, int at, bool &insertion) const {
#pragma unroll 1
		for (int base = 1; o + e * base <= s; base += 32) {
			const int length = base + lane();
			bool ins = false, del = false;
			if (o + e * length <= s) {
				const short *from = row(s - o - e * length);
				ins = l + length < diagonals() && at >= l + length + first && from[l + length] >= at;
				del = l - length >= 0 && at >= length && from[l - length] >= at - length;
			}
			const u32 found = __ballot_sync(~0u, ins || del);
			if (found != 0) {
				const int nearest = __ffs((int)found) - 1;
				insertion = __ballot_sync(~0u, ins) >> nearest & 1;
				return base + nearest;
			}
		}
		return 0;
	}
};
