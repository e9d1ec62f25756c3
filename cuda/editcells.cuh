// Bit-parallel edit distance: columns of a strip of the matrix, 32 rows to a word. Myers, A fast
// bit-vector algorithm for approximate string matching, 1999; blocks with differences on their
// edges: Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003.
//
// Costs are held as differences between neighbouring cells, which are -1, 0 or 1. In the column
// that a strip has come to, bit i of vp says that its row i has one more than the row above, bit i
// of vn one less. inP and inN are the same for the row above the strip and 32 columns: one more or
// one less than in the column before, the first column on top.
#pragma once
#include "match.cuh"

// editAdd adds numbers of several words, the lowest first.
template <int WORDS> __device__ __forceinline__ void editAdd(u32 (&s)[WORDS], const u32 (&v)[WORDS]) {
	static_assert(WORDS == 1 || WORDS == 2 || WORDS == 4 || WORDS == 5, "");
#ifdef WFA_EMULATED
	u64 sum = 0;
	for (int k = 0; k < WORDS; k++) {
		sum = (u64)s[k] + v[k] + (sum >> 32);
		s[k] = (u32)sum;
	}
#else
	if constexpr (WORDS == 1)
		s[0] += v[0];
	else if constexpr (WORDS == 2)
		asm("add.cc.u32 %0, %0, %2; addc.u32 %1, %1, %3;" : "+r"(s[0]), "+r"(s[1]) : "r"(v[0]), "r"(v[1]));
	else if constexpr (WORDS == 4)
		asm("add.cc.u32 %0, %0, %4; addc.cc.u32 %1, %1, %5; addc.cc.u32 %2, %2, %6; addc.u32 %3, %3, %7;"
		    : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
		    : "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]));
	else
		asm("add.cc.u32 %0, %0, %5; addc.cc.u32 %1, %1, %6; addc.cc.u32 %2, %2, %7; addc.cc.u32 %3, %3, %8; "
		    "addc.u32 %4, %4, %9;"
		    : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]), "+r"(s[4])
		    : "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]));
#endif
}

// halfOfBits moves the bits 0, 2, ... of a word into its lower half.
__device__ __forceinline__ u32 halfOfBits(u32 x) {
	x &= 0x55555555u;
	x = (x | x >> 1) & 0x33333333u;
	x = (x | x >> 2) & 0x0f0f0f0fu;
	x = (x | x >> 4) & 0x00ff00ffu;
	return (x | x >> 8) & 0xffffu;
}

// EditText is 32 letters of a text, two bits each, from a position on that may be before the first
// letter or after the last one: letters there are any.
struct EditText {
	u32 low, high; // the first 16 letters, and the others; the first one on top

	__device__ __forceinline__ EditText(u32 w0, u32 w1, u32 w2, int shift) {
		low = __funnelshift_l(w1, w0, shift);
		high = __funnelshift_l(w2, w1, shift);
	}
};

// EditStrip is a strip of 32*WORDS rows.
template <int WORDS> struct EditStrip {
	u32 p0[WORDS], p1[WORDS]; // the lower and the upper bit of the letter of each row
	u32 vp[WORDS], vn[WORDS];
	u32 outP, outN; // the differences on the last row, like inP and inN

	// load sets the letters of the rows from word w of a pattern on, of which `last` is the last
	// one. Rows after the last one have any letter.
	__device__ __forceinline__ void load(const u32 *pattern, int w, int last) {
#pragma unroll
		for (int k = 0; k < WORDS; k++) {
			const u32 a = __brev(__ldg(pattern + min(w + 2 * k, last))),
			          b = __brev(__ldg(pattern + min(w + 2 * k + 1, last)));
			p1[k] = halfOfBits(a) | halfOfBits(b) << 16;
			p0[k] = halfOfBits(a >> 1) | halfOfBits(b >> 1) << 16;
		}
	}

	// begin makes costs grow by one from row to row.
	__device__ __forceinline__ void begin() {
#pragma unroll
		for (int k = 0; k < WORDS; k++) {
			vp[k] = ~0u;
			vn[k] = 0;
		}
	}

	// column computes the next column, whose letter has the upper bit of t and the one below. It
	// returns in d the rows that cost as much as the cell before on the diagonal; they are read
	// from the last word only.
	__device__ __forceinline__ u32 column(u32 t, u32 &inP, u32 &inN) {
		const u32 m1 = (u32)((int)t >> 31), m0 = (u32)((int)(t << 1) >> 31);
		u32 eq[WORDS], d[WORDS];
#pragma unroll
		for (int k = 0; k < WORDS; k++) {
			eq[k] = ~((p0[k] ^ m0) | (p1[k] ^ m1));
			d[k] = eq[k];
		}
		d[0] |= inN >> 31;
		const u32 e0 = d[0];
#pragma unroll
		for (int k = 0; k < WORDS; k++) d[k] &= vp[k];
		editAdd<WORDS>(d, vp);
		u32 beforeP = inP, beforeN = inN, same = 0;
#pragma unroll
		for (int k = 0; k < WORDS; k++) {
			const u32 x = eq[k] | vn[k];
			d[k] = (d[k] ^ vp[k]) | (k == 0 ? e0 : eq[k]);
			same = d[k] | vn[k];
			const u32 hp = vn[k] | ~(d[k] | vp[k]), hn = vp[k] & d[k];
			const u32 p = __funnelshift_l(beforeP, hp, 1), n = __funnelshift_l(beforeN, hn, 1);
			beforeP = hp;
			beforeN = hn;
			vp[k] = n | ~(x | p);
			vn[k] = p & x;
		}
		inP <<= 1;
		inN <<= 1;
		outP = __funnelshift_l(beforeP, outP, 1);
		outN = __funnelshift_l(beforeN, outN, 1);
		return same;
	}
};
