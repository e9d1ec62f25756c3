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

WFA_FN u32 minHalves(u32 a, u32 b) {
	return ((a & 0xffffu) < (b & 0xffffu) ? a & 0xffffu : b & 0xffffu) |
	       (a >> 16 < b >> 16 ? a & 0xffff0000u : b & 0xffff0000u);
}
WFA_FN u32 addMinHalves(u32 a, u32 b, u32 c) { return minHalves(add2(a, b), c); }
WFA_FN u32 maxHalves(u32 a, u32 b) {
	return ((a & 0xffffu) > (b & 0xffffu) ? a & 0xffffu : b & 0xffffu) |
	       (a >> 16 > b >> 16 ? a & 0xffff0000u : b & 0xffff0000u);
}
WFA_FN u32 maxHalves3(u32 a, u32 b, u32 c) { return maxHalves(maxHalves(a, b), c); }
WFA_FN u32 addMaxHalves(u32 a, u32 b, u32 c) { return maxHalves(add2(a, b), c); }
WFA_FN u32 permuteSigned(u32 a, u32 b, u32 selector) {
	const unsigned long long bytes = (unsigned long long)b << 32 | a;
	u32 d = 0;
	for (int i = 0; i < 4; i++) {
		const u32 from = selector >> 4 * i & 15, byte = (u32)(bytes >> 8 * (from & 7)) & 0xff;
		d |= (from & 8 ? byte >> 7 ? 0xffu : 0u : byte) << 8 * i;
	}
	return d;
}
