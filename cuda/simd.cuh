// Arithmetic on two signed 16-bit cells in a 32-bit word, and on 32-bit cells. From compute
// capability 9.0 these are single instructions (DPX); before it PTX expands them.
#pragma once
#include "abi.cuh"

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ >= 12
#define WFA_INTRINSICS 1
#endif

static const u32 nullCells = 0x80008000u; // -32768: no alignment reaches the cell
static const u32 oneCells = 0x00010001u;

__device__ __forceinline__ int lowCell(u32 a) { return (int)(short)(a & 0xffffu); }
__device__ __forceinline__ int highCell(u32 a) { return (int)a >> 16; }

__device__ __forceinline__ u32 cells(int low, int high) { return ((u32)low & 0xffffu) | (u32)high << 16; }

#ifdef WFA_INTRINSICS
// addMax is max(a + b, c).
__device__ __forceinline__ int addMax(int a, int b, int c) { return __viaddmax_s32(a, b, c); }
// between0 is a, at least 0 and at most `most`, which is not negative.
__device__ __forceinline__ int between0(int a, int most) { return __vimin_s32_relu(a, most); }
#else
__device__ __forceinline__ int addMax(int a, int b, int c) { return max(a + b, c); }
__device__ __forceinline__ int between0(int a, int most) { return max(min(a, most), 0); }
#endif

#ifdef WFA_EMULATED // for the host, see emu
#include "emu/simd.h"
#else

__device__ __forceinline__ u32 max2(u32 a, u32 b) {
	u32 d;
#if __CUDA_ARCH__ >= 900
	asm("max.s16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
#else
	asm("vmax2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
#endif
	return d;
}

__device__ __forceinline__ u32 min2(u32 a, u32 b) {
	u32 d;
#if __CUDA_ARCH__ >= 900
	asm("min.s16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
#else
	asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
#endif
	return d;
}

// sub2 borrows from no other half: of the halves' top bits, it computes the difference apart.
__device__ __forceinline__ u32 sub2(u32 a, u32 b) {
	return ((a | 0x80008000u) - (b & 0x7fff7fffu)) ^ (~(a ^ b) & 0x80008000u);
}

// minZero2 is min(a, b), and at least 0.
__device__ __forceinline__ u32 minZero2(u32 a, u32 b) {
#ifdef WFA_INTRINSICS
	return __vimin_s16x2_relu(a, b);
#else
	return max2(min2(a, b), 0);
#endif
}

// addMax2 is max(a + b, c).
__device__ __forceinline__ u32 addMax2(u32 a, u32 b, u32 c) {
#ifdef WFA_INTRINSICS
	return __viaddmax_s16x2(a, b, c);
#elif __CUDA_ARCH__ >= 900
	u32 d;
	asm("{.reg .b32 t; add.s16x2 t, %1, %2; max.s16x2 %0, t, %3;}" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
#else
	u32 d;
	asm("{.reg .b32 t; vadd2.s32.s32.s32 t, %1, %2, %4; vmax2.s32.s32.s32 %0, t, %3, %4;}"
	    : "=r"(d)
	    : "r"(a), "r"(b), "r"(c), "r"(0));
	return d;
#endif
}

// minHalves and addMinHalves are min(a, b) and min(a + b, c) of unsigned halves.
__device__ __forceinline__ u32 minHalves(u32 a, u32 b) {
	u32 d;
#if __CUDA_ARCH__ >= 900
	asm("min.u16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
#else
	asm("vmin2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
#endif
	return d;
}
__device__ __forceinline__ u32 addMinHalves(u32 a, u32 b, u32 c) {
#ifdef WFA_INTRINSICS
	return __viaddmin_u16x2(a, b, c);
#elif __CUDA_ARCH__ >= 900
	u32 d;
	asm("{.reg .b32 t; add.u16x2 t, %1, %2; min.u16x2 %0, t, %3;}" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
#else
	u32 d;
	asm("{.reg .b32 t; vadd2.u32.u32.u32 t, %1, %2, %4; vmin2.u32.u32.u32 %0, t, %3, %4;}"
	    : "=r"(d)
	    : "r"(a), "r"(b), "r"(c), "r"(0));
	return d;
#endif
}

// maxHalves, maxHalves3 and addMaxHalves are max(a, b), max(a, b, c) and max(a + b, c) of
// unsigned halves.
__device__ __forceinline__ u32 maxHalves(u32 a, u32 b) {
	u32 d;
#if __CUDA_ARCH__ >= 900
	asm("max.u16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
#else
	asm("vmax2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
#endif
	return d;
}
__device__ __forceinline__ u32 maxHalves3(u32 a, u32 b, u32 c) {
#ifdef WFA_INTRINSICS
	return __vimax3_u16x2(a, b, c);
#else
	return maxHalves(maxHalves(a, b), c);
#endif
}
__device__ __forceinline__ u32 addMaxHalves(u32 a, u32 b, u32 c) {
#ifdef WFA_INTRINSICS
	return __viaddmax_u16x2(a, b, c);
#elif __CUDA_ARCH__ >= 900
	u32 d;
	asm("{.reg .b32 t; add.u16x2 t, %1, %2; max.u16x2 %0, t, %3;}" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
#else
	u32 d;
	asm("{.reg .b32 t; vadd2.u32.u32.u32 t, %1, %2, %4; vmax2.u32.u32.u32 %0, t, %3, %4;}"
	    : "=r"(d)
	    : "r"(a), "r"(b), "r"(c), "r"(0));
	return d;
#endif
}

// permuteSigned picks bytes of b:a by the nibbles of a selector, whose top bit copies the
// sign of the byte in place of the byte. __byte_perm has no such bit.
__device__ __forceinline__ u32 permuteSigned(u32 a, u32 b, u32 selector) {
	u32 d;
	asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));
	return d;
}

// negative2 has all bits set in the halves that are negative. The instruction has a
// selector bit that copies the sign; __byte_perm does not.
__device__ __forceinline__ u32 negative2(u32 a) {
	u32 d;
	asm("prmt.b32 %0, %1, %1, 0xbb99;" : "=r"(d) : "r"(a));
	return d;
}

// without has the bits that a and b have and c does not.
__device__ __forceinline__ u32 without(u32 a, u32 b, u32 c) {
	u32 d;
	asm("lop3.b32 %0, %1, %2, %3, 0x40;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}

// topBit is the index of the highest set bit, -1 of 0.
__device__ __forceinline__ int topBit(u32 a) {
	int d;
	asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
	return d;
}
#endif
