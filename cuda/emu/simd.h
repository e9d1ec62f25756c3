// The functions of simd.cuh that are inline PTX on a device, in C++: two signed
// halves a word, sums and differences modulo 2^16.
#pragma once

WFA_FN u32 halves2(int low, int high) { return ((u32)low & 0xffffu) | (u32)high << 16; }
WFA_FN int low2(u32 a) { return (short)(a & 0xffffu); }
WFA_FN int high2(u32 a) { return (short)(a >> 16); }

WFA_FN u32 max2(u32 a, u32 b) {
	return halves2(low2(a) > low2(b) ? low2(a) : low2(b), high2(a) > high2(b) ? high2(a) : high2(b));
}
WFA_FN u32 min2(u32 a, u32 b) {
	return halves2(low2(a) < low2(b) ? low2(a) : low2(b), high2(a) < high2(b) ? high2(a) : high2(b));
}
WFA_FN u32 add2(u32 a, u32 b) { return halves2(low2(a) + low2(b), high2(a) + high2(b)); }
WFA_FN u32 sub2(u32 a, u32 b) { return halves2(low2(a) - low2(b), high2(a) - high2(b)); }
WFA_FN u32 addMax2(u32 a, u32 b, u32 c) { return max2(add2(a, b), c); }
WFA_FN u32 negative2(u32 a) { return (a & 0x8000u ? 0xffffu : 0u) | (a & 0x80000000u ? 0xffff0000u : 0u); }
WFA_FN u32 minZero2(u32 a, u32 b) { return max2(min2(a, b), 0); }
WFA_FN u32 without(u32 a, u32 b, u32 c) { return a & b & ~c; }
WFA_FN int topBit(u32 a) { return a ? 31 - __builtin_clz(a) : -1; }

// Two halves of a word, for which the host has instructions of its own.
typedef unsigned short Halves __attribute__((vector_size(4)));
WFA_FN Halves halvesOf(u32 a) { return bitsAs<Halves>(a); }
WFA_FN u32 wordOf(Halves h) { return bitsAs<u32>(h); }
WFA_FN Halves lessOf(Halves a, Halves b) { return a < b ? a : b; }
WFA_FN Halves moreOf(Halves a, Halves b) { return a > b ? a : b; }

WFA_FN u32 minHalves(u32 a, u32 b) { return wordOf(lessOf(halvesOf(a), halvesOf(b))); }
WFA_FN u32 addMinHalves(u32 a, u32 b, u32 c) { return wordOf(lessOf(halvesOf(a) + halvesOf(b), halvesOf(c))); }
WFA_FN u32 maxHalves(u32 a, u32 b) { return wordOf(moreOf(halvesOf(a), halvesOf(b))); }
WFA_FN u32 maxHalves3(u32 a, u32 b, u32 c) { return maxHalves(maxHalves(a, b), c); }
WFA_FN u32 addMaxHalves(u32 a, u32 b, u32 c) { return wordOf(moreOf(halvesOf(a) + halvesOf(b), halvesOf(c))); }

// placesOf has a byte for each four bits of a selector, and copiesOf one of ones for each of these with the upper bit.
WFA_FN u32 placesOf(u32 selector) {
	return (selector & 0xfu) | (selector & 0xf0u) << 4 | (selector & 0xf00u) << 8 | (selector & 0xf000u) << 12;
}
WFA_FN u32 copiesOf(u32 places) { return (places >> 3 & 0x01010101u) * 255u; }

// permuteSigned takes a byte of the eight for each four bits of the selector, or copies of its sign if the upper bit is set.
#ifdef __SSSE3__
typedef char EmulatedBytes __attribute__((vector_size(16)));
typedef u32 EmulatedWords __attribute__((vector_size(16)));
WFA_FN u32 permuteSigned(u32 a, u32 b, u32 selector) {
	const u32 places = placesOf(selector);
	const EmulatedBytes from = bitsAs<EmulatedBytes>(EmulatedWords{a, b}),
	                    which = bitsAs<EmulatedBytes>(EmulatedWords{places & 0x07070707u});
	const EmulatedBytes d = __builtin_ia32_pshufb128(from, which), signs = (EmulatedBytes)(d < EmulatedBytes{});
	const EmulatedBytes copies = bitsAs<EmulatedBytes>(EmulatedWords{copiesOf(places)});
	return bitsAs<EmulatedWords>((d & ~copies) | (signs & copies))[0];
}
#else
WFA_FN u32 permuteSigned(u32 a, u32 b, u32 selector) {
	const unsigned long long bytes = (unsigned long long)b << 32 | a;
	const u32 places = placesOf(selector);
	u32 d = (u32)(bytes >> 8 * (places & 7) & 0xff) | (u32)(bytes >> 8 * (places >> 8 & 7) & 0xff) << 8 |
	        (u32)(bytes >> 8 * (places >> 16 & 7) & 0xff) << 16 | (u32)(bytes >> 8 * (places >> 24 & 7) & 0xff) << 24;
	const u32 copies = copiesOf(places), signs = (d >> 7 & 0x01010101u) * 255u;
	return (d & ~copies) | (signs & copies);
}
#endif
