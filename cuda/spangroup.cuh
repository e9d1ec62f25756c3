// A group of lanes that computes a stripe of the matrix of a pair: see span.cuh.
#pragma once
#include "gotohcells.cuh"
#include "spancells.cuh"

// SpanCells are the cells of a lane, two strips of COLUMNS columns, and their recurrence.
template <int COLUMNS, int GAPS, bool BEST> struct SpanCells {
	u32 scores0[COLUMNS], scores1[COLUMNS]; // of the four letters in each column, by strip
	u32 h[COLUMNS], f[COLUMNS], g[COLUMNS]; // with linear gaps and BEST, h is less by a gap's letter
	u32 hLast, eLast, longLast;             // of the last column, and beyond it
	u32 hBefore;                            // H of the left strip's last column, in the row before

	u32 one, floor;
	u32 open, openLong;     // negative, in both halves
	u32 extend, extendLong; // negative, in both halves
	u32 opened, openedLong; // negative words: a gap's opening and its first letter
	u32 best;               // greatest value of any row, in both halves

	__device__ __forceinline__ static u32 negative(int n) { return (u32)(-n & 0xffff) * 0x10001u; }

	__device__ __forceinline__ explicit SpanCells(const Params &a) {
		one = (u32)a.one;
		open = negative(a.cellOpen);
		openLong = negative(a.cellOpenLong);
		extend = negative(a.cellExtend);
		extendLong = negative(a.cellExtendLong);
		opened = (u32)(a.cellOpen + a.cellExtend) * (0u - 0x10001u);
		openedLong = (u32)(a.cellOpenLong + a.cellExtendLong) * (0u - 0x10001u);
		floor = best = hLast = eLast = longLast = hBefore = 0;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) scores0[c] = scores1[c] = h[c] = f[c] = g[c] = 0;
	}

	// step computes a row of each strip. `left` and so on come from the lane to the left, scores
	// are picked by `letters`. Halves that are not in `active` keep their cells if MASKED.
	template <bool MASKED>
	__device__ __forceinline__ void step(u32 left, u32 e, u32 eLong, u32 letters, u32 active) {
		left = __byte_perm(left, hLast, 0x5432);
		if constexpr (GAPS != gaps_linear) e = __byte_perm(e, eLast, 0x5432);
		if constexpr (GAPS == gaps_two) eLong = __byte_perm(eLong, longLast, 0x5432);
		u32 diagonal = hBefore;
		hBefore = left;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 s = permuteSigned(scores0[c], scores1[c], letters), up = h[c];
			u32 v, fNew = 0, gNew = 0;
			if constexpr (GAPS == gaps_linear && !BEST) {
				v = maxHalves3(addWords(diagonal, s, one), up, left); // scores are not negative
				left = v;
			} else if constexpr (GAPS == gaps_linear) {
				v = addWords(maxHalves3(addMaxHalves(diagonal, s, floor), up, left), opened, one);
				left = v;
			} else {
				u32 t = addMaxHalves(diagonal, s, f[c]);
				if constexpr (GAPS == gaps_two) {
					t = BEST ? maxHalves3(t, g[c], floor) : maxHalves(t, g[c]);
					v = maxHalves3(t, e, eLong);
				} else {
					v = BEST ? maxHalves3(t, e, floor) : maxHalves(t, e);
				}
				if constexpr (GAPS == gaps_affine && !BEST) {
					e = addMaxHalves(t, open, e);
					fNew = addMaxHalves(v, open, f[c]);
				} else {
					e = addMaxHalves(e, extend, addWords(t, opened, one));
					fNew = addMaxHalves(f[c], extend, addWords(v, opened, one));
				}
				if constexpr (GAPS == gaps_two && !BEST) {
					eLong = addMaxHalves(t, openLong, eLong);
					gNew = addMaxHalves(v, openLong, g[c]);
				} else if constexpr (GAPS == gaps_two) {
					eLong = addMaxHalves(eLong, extendLong, addWords(t, openedLong, one));
					gNew = addMaxHalves(g[c], extendLong, addWords(v, openedLong, one));
				}
			}
			if constexpr (MASKED) {
				v = (v & active) | (up & ~active);
				if constexpr (GAPS == gaps_linear) left = v;
				fNew = (fNew & active) | (f[c] & ~active);
				gNew = (gNew & active) | (g[c] & ~active);
			}
			diagonal = up;
			h[c] = v;
			if constexpr (GAPS != gaps_linear) f[c] = fNew;
			if constexpr (GAPS == gaps_two) g[c] = gNew;
		}
		hLast = h[COLUMNS - 1];
		eLast = e;
		longLast = eLong;
	}

	// greatest returns the greatest values of the row.
	__device__ __forceinline__ u32 greatest() const {
		u32 v = h[0];
#pragma unroll
		for (int c = 1; c + 1 < COLUMNS; c += 2) v = maxHalves3(v, h[c], h[c + 1]);
		return COLUMNS % 2 == 0 ? maxHalves(v, h[COLUMNS - 1]) : v;
	}

	__device__ __forceinline__ int least() const {
		u32 low = h[0];
#pragma unroll
		for (int c = 1; c < COLUMNS; c++) low = minHalves(low, h[c]);
		return (int)min(low & 0xffffu, low >> 16);
	}

	// shift adds a number to all values.
	__device__ __forceinline__ void shift(int by) {
		const u32 both = (u32)by * 0x10001u;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			h[c] += both;
			if constexpr (GAPS != gaps_linear) f[c] += both;
			if constexpr (GAPS == gaps_two) g[c] += both;
		}
		hLast += both;
		hBefore += both;
		eLast += both;
		longLast += both;
	}

	// pick returns the value in column c of a strip.
	__device__ __forceinline__ int pick(int column, bool high) const {
		u32 v = 0;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) pickCell(v, column, c, h[c]);
		return (int)(high ? v >> 16 : v & 0xffffu);
	}

	// load sets the scores of a strip whose first column is `from`. Columns outside the text
	// match no letter. `more` is added to all scores.
	__device__ __forceinline__ void load(const Params &a, const Task &p, int from, bool high) {
		const int more = GAPS == gaps_linear && BEST ? a.cellExtend : 0;
		// With linear gaps a mismatch costs at most what two gaps do.
		const int lowest = GAPS == gaps_linear && !BEST ? max(a.cellMismatch, 0) : a.cellMismatch;
		const u32 match = (u32)((a.cellMatch + more) & 255) * 0x01010101u;
		const u32 mismatch = (u32)((lowest + more) & 255) * 0x01010101u;
		const int last = (p.textLength - 1) >> 4, shift = (from & 15) * 2;
		int w = from >> 4;
		u32 word = __ldg(p.text + min(w, last));
#pragma unroll
		for (int c0 = 0; c0 < COLUMNS; c0 += 16) {
			const u32 after = __ldg(p.text + min(++w, last));
			const u32 v = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll
			for (int c = c0; c < c0 + 16 && c < COLUMNS; c++) {
				const int k = 27 - 2 * (c - c0); // three bits below the letter
				u32 letter = 0xffu << ((k < 0 ? v << (k < 0 ? -k : 0) : v >> (k < 0 ? 0 : k)) & 24);
				if (from + c >= p.textLength) letter = 0;
				const u32 scores = (mismatch & ~letter) | (match & letter);
				scores0[c] = high ? scores0[c] : scores;
				scores1[c] = high ? scores : scores1[c];
			}
		}
	}
};

// selectors makes those of two neighbouring rows: of scores of the even strip in the low byte,
// of the odd one, a row behind, in the high byte, with copies of the sign. Three letters are at
// the bottom of `codes`, the row before them on top.
__device__ __forceinline__ u32 selectors(u32 codes) {
	const u32 a = codes >> 4 & 3u, b = codes >> 2 & 3u, c = codes & 3u;
	return (b | a << 8 | b << 24 | c << 16) * 0x11u + 0xc480c480u;
}

// spreadSelectors writes the selectors of all rows of a pattern and of the one after it, two
// bytes each.
__device__ __forceinline__ void spreadSelectors(uint4 *to, const Task &p, int in, int lanes) {
	const int words = (p.patternLength >> 4) + 1;
	for (int w = in; w < words; w += lanes) {
		const u32 v = __ldg(p.pattern + w), before = w > 0 ? __ldg(p.pattern + w - 1) : 0;
		u32 rows[8];
#pragma unroll
		for (int k = 0; k < 8; k++) rows[k] = selectors(k == 0 ? (before << 4 & 0x30u) | v >> 28 : v >> (28 - 4 * k));
		to[2 * w] = make_uint4(rows[0], rows[1], rows[2], rows[3]);
		to[2 * w + 1] = make_uint4(rows[4], rows[5], rows[6], rows[7]);
	}
}
