// Wavefronts of 32 diagonals, one for each lane of a warp, stored for the traceback.
//
// Rows of M, Ins and Del, text positions of 16 bits, lie in shared memory by score, so that any
// penalties may be taken. An alignment that leaves the diagonals pays for a gap out and a gap back,
// which certifies lower scores.
#pragma once
#include "cigar.cuh"
#include "warpletters.cuh"

struct Lanes {
	static constexpr int stride = 3 * 32;     // of a score
	static constexpr int mostLetters = 30000; // of a sequence
	static constexpr int null = -1;

	short *rows;
	int mostScore; // that there are rows for
	Pair pair;
	int x, o, e;
	// The part of the pair that is aligned: it begins at position v of the pattern and h of the text, and
	// has n and m letters.
	int v, h, n, m;
	int first; // diagonal of lane 0
	int last;  // matches that the last step of this lane has passed

	__device__ __forceinline__ int lane() const { return threadIdx.x & 31; }
	__device__ __forceinline__ short *row(int s) const { return rows + stride * s; }

	// bytes is the shared memory of the rows, and mostElements how many an alignment has at most.
	__device__ __forceinline__ int bytes() const { return 2 * stride * (mostScore + 1); }
	__device__ __forceinline__ int mostElements() const { return 2 * mostScore + 1; }

	// certain returns the largest score that is certain to be optimal for an alignment that ends on a diagonal.
	__device__ __forceinline__ int certain(int end) const {
		const int spare = min(min(0, end) - first, first + 31 - max(0, end));
		if (spare < 0) return -1;
		return min(2 * o + (2 * (spare + 1) + abs(end)) * e - 1, mostScore);
	}

	// begin begins wavefronts for a part that is expected to end on a diagonal.
	__device__ __forceinline__ void begin(int fromV, int fromH, int lettersV, int lettersH, int end) {
		v = fromV, h = fromH, n = lettersV, m = lettersH;
		first = end / 2 - 16;
		const int at = extended(lane() + first == 0 ? 0 : null);
		short *r = row(0);
		__syncwarp();
		r[lane()] = (short)at;
		r[32 + lane()] = r[64 + lane()] = null;
		__syncwarp();
	}

	// extended returns the offset of this lane, negative for none, with the matches behind it.
	__device__ __forceinline__ int extended(int at) {
		const int k = lane() + first;
		const int most = at < 0 ? 0 : min(m - at, n - at + k);
		last = 0;
		if (most > 0) last = min(pair.matches(v + at - k, h + at), most);
		u32 more = __ballot_sync(~0u, last == 16 && most > 16);
		while (more != 0) {
			const int l = __ffs((int)more) - 1, from = __shfl_sync(~0u, at, l) + 16;
			const int passed = pair.run(v + from - l - first, h + from);
			if (lane() == l) last = min(16 + passed, most);
			more &= more - 1;
		}
		return at + last;
	}

	// step computes the wavefront of score s and returns the offset of this lane, negative for none.
	__device__ __forceinline__ int step(int s) {
		const int l = lane(), k = l + first;
		int mismatch = null, ins = null, del = null;
		if (s >= x) mismatch = row(s - x)[l];
		if (s >= o + e) {
			const short *r = row(s - o - e);
			if (l < 31) ins = r[l + 1];
			if (l > 0) del = r[l - 1];
		}
		if (s >= e) {
			const short *r = row(s - e);
			if (l < 31) ins = max(ins, (int)r[32 + l + 1]);
			if (l > 0) del = max(del, (int)r[64 + l - 1]);
		}
		if (ins - k > n) ins = null;
		del = del < 0 || del + 1 > m ? null : del + 1;
		mismatch = mismatch < 0 || mismatch + 1 > m || mismatch + 1 - k > n ? null : mismatch + 1;
		const int at = extended(max(mismatch, max(ins, del)));
		short *r = row(s);
		r[l] = (short)at;
		r[32 + l] = (short)ins;
		r[64 + l] = (short)del;
		__syncwarp();
		return at;
	}

	// align returns the score of the part, at most a bound, negative if it is above that.
	__device__ __forceinline__ int align(int bound) {
		const int end = m - n - first;
		if (row(0)[end] >= m) return 0;
		for (int s = 1; s <= bound; s++)
			if (__shfl_sync(~0u, step(s), end) >= m) return s;
		return -1;
	}

	// before counts the matches of the part that end before an offset on a diagonal.
	__device__ __forceinline__ int before(int k, int at) const {
		const int most = min(at, at - k);
		int count = 0;
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
	// it. It knows from the rows of gaps where the matches before a cell begin.
	__device__ __forceinline__ bool trace(CigarWriter &c, int s) const {
		int l = m - n - first, at = m;
		while (s > 0) {
			const short *r = row(s);
			const int k = l + first;
			int start = (s < x ? null : (int)row(s - x)[l]) + 1;
			if (start == 0) start = -1;
			bool mismatch = start > 0;
			int gap = max((int)r[32 + l], (int)r[64 + l]);
			if (gap >= 0 && gap > start) {
				gap = min(gap, at);
				const int begin = gap - before(k, gap);
				mismatch = mismatch && start == begin;
				start = begin;
			}
			if (start > at || start < 0) return false;
			if (mismatch) {
				c.add(opMatch, at - start);
				c.add(opMismatch, 1);
				s -= x;
				at = start - 1;
				continue;
			}
			c.add(opMatch, at - start);
			at = start;
			// The shortest gap that ends there.
			int length = 1;
			bool found = false;
			for (; o + e * length <= s; length++) {
				const short *from = row(s - o - e * length);
				if (l + length < 32 && at >= l + length + first && from[l + length] >= at) {
					c.add(opIns, length);
					l += length;
					found = true;
					break;
				}
				if (l - length >= 0 && at >= length && from[l - length] >= at - length) {
					c.add(opDel, length);
					l -= length;
					at -= length;
					found = true;
					break;
				}
			}
			if (!found) return false;
			s -= o + e * length;
		}
		if (l + first != 0 || at > row(0)[l]) return false;
		c.add(opMatch, at);
		return true;
	}
};
