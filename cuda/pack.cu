// Packs letters to two bits per base, and initializes the results. Eight threads pack a
// pair. Case is ignored and U is T; a pair with any other letter is flagged
// (flagLetters), and its packed form is undefined.
//
// Shared memory: none. Limits: none beyond the addresses of Pair.
#include "abi.cuh"

// codes returns the 2-bit codes of four letters, each at the bottom of a byte:
// A 0, C 1, T 2, G 3. Bits 1 and 2 of the letters tell them apart.
__device__ __forceinline__ u32 codes(u32 four) { return (four >> 1) & 0x03030303u; }

// strangers is not 0 if one of four letters is not in ACGTU.
__device__ __forceinline__ u32 strangers(u32 four, u32 code) {
	// A byte permute with the codes as selectors gives their letters.
	const u32 selector = (code & 3u) | (code >> 4 & 0x30u) | (code >> 8 & 0x300u) | (code >> 12 & 0x3000u);
	const u32 letters = __byte_perm(0x47544341u, 0, selector); // 'G' 'T' 'C' 'A'
	const u32 u = (code >> 1 & 0x01010101u) & ~code;           // 1 where the code is T's
	return ((four & 0xdfdfdfdfu) ^ letters) & ~u;
}

// packBases packs one sequence and reports whether it has letters outside ACGTU.
__device__ bool packBases(const u8 *letters, u32 *bases, int n, int in) {
	u32 strange = 0;
	for (int w = in; w * 16 < n; w += 8) {
		const uint4 l = ((const uint4 *)letters)[w];
		const u32 four[4] = {l.x, l.y, l.z, l.w};
		u32 packed = 0;
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const u32 c = codes(four[i]);
			// The first letter is the lowest byte and goes to the top.
			packed = packed << 8 | (c & 3u) << 6 | (c >> 4 & 0x30u) | (c >> 14 & 0xcu) | c >> 24;
			const int here = n - w * 16 - i * 4; // letters from this four on
			const u32 keep = here >= 4 ? ~0u : here <= 0 ? 0 : (1u << 8 * here) - 1;
			strange |= strangers(four[i], c) & keep;
		}
		bases[w] = packed;
	}
	return strange != 0;
}

extern "C" __global__ void __launch_bounds__(256) wfa_pack(const __grid_constant__ Params a) {
	const int index = (blockIdx.x * blockDim.x + threadIdx.x) / 8, in = threadIdx.x & 7;
	const bool live = index < a.count;
	bool strange = false;
	if (live) {
		const Pair p = a.pairs[index];
		strange = packBases(a.letters + lettersPerWord * (u64)p.pattern, a.bases + p.pattern, p.patternLength, in);
		strange |= packBases(a.letters + lettersPerWord * (u64)p.text, a.bases + p.text, p.textLength, in);
	}
	const u32 any = __ballot_sync(~0u, strange) >> (threadIdx.x & 24) & 0xffu;
	if (live && in == 0) {
		Result r = {-1, 0, 0, any != 0 ? (u32)flagLetters : 0u};
		a.results[index] = r;
	}
}
