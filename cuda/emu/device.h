// The part of CUDA C++ that the kernels use, for a host compiler. threads.h has the
// collective calls of a warp or a block. Meanings are those of NVIDIA's CUDA C++
// Programming Guide. Only tests use this file; cuda/clang/builtins.h is its counterpart
// for the device.
#pragma once

#define __host__
#define __device__
#define __global__ __attribute__((visibility("default")))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __launch_bounds__(...)

// Blocks run one after the other, so one copy of a block's variables suffices. The
// section lets the emulation fill all of them before each block.
#define __shared__ static __attribute__((section("wfa_shared")))

// All dynamic shared memory of the block. lookahead.cuh declares it for nvcc.
extern unsigned char *sharedMemory;

#define WFA_FN static inline __attribute__((always_inline, unused))

// Vector types.

#define WFA_VECTOR2(NAME, T, ALIGN)                                                                                    \
	struct __align__(ALIGN) NAME {                                                                                     \
		T x, y;                                                                                                        \
	};                                                                                                                 \
	WFA_FN NAME make_##NAME(T x, T y) { return NAME{x, y}; }
#define WFA_VECTOR4(NAME, T, ALIGN)                                                                                    \
	struct __align__(ALIGN) NAME {                                                                                     \
		T x, y, z, w;                                                                                                  \
	};                                                                                                                 \
	WFA_FN NAME make_##NAME(T x, T y, T z, T w) { return NAME{x, y, z, w}; }
WFA_VECTOR2(int2, int, 8)
WFA_VECTOR2(uint2, unsigned, 8)
WFA_VECTOR4(int4, int, 16)
WFA_VECTOR4(uint4, unsigned, 16)
#undef WFA_VECTOR2
#undef WFA_VECTOR4

// Bits.

// __byte_perm does not have the instruction's selector bit that copies a sign.
WFA_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
	const unsigned long long bytes = (unsigned long long)b << 32 | a;
	unsigned d = 0;
	for (int i = 0; i < 4; i++) d |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
	return d;
}
// Funnel shifts take the distance modulo 32.
WFA_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
	return (unsigned)(((unsigned long long)high << 32 | low) << (n & 31) >> 32);
}
WFA_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
	return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}
WFA_FN int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
WFA_FN int __ffs(int v) { return __builtin_ffs(v); }
WFA_FN int __ffsll(long long v) { return __builtin_ffsll(v); }
WFA_FN unsigned __brev(unsigned v) {
	unsigned r = 0;
	for (int i = 0; i < 32; i++) r |= (v >> i & 1u) << (31 - i);
	return r;
}
WFA_FN int __popc(unsigned v) { return __builtin_popcount(v); }
WFA_FN int __float2int_rd(float v) {
	const int i = (int)v;
	return (float)i > v ? i - 1 : i;
}

// Memory.

template <class T> WFA_FN T __ldg(const T *p) { return *p; }
// Threads switch only at collective calls, so this is atomic.
template <class T> WFA_FN T atomicAdd(T *p, T v) {
	const T old = *p;
	*p = old + v;
	return old;
}

template <class T> WFA_FN T atomicOr(T *p, T v) {
	const T old = *p;
	*p = old | v;
	return old;
}
template <class T> WFA_FN T atomicMin(T *p, T v) {
	const T old = *p;
	if (v < old) *p = v;
	return old;
}
template <class T> WFA_FN T atomicSub(T *p, T v) { return atomicAdd(p, (T)-v); }
template <class T> WFA_FN T __ldcg(const T *p) { return *p; }
// Blocks run one after the other, so no other block sees what is written.
WFA_FN void __threadfence() {}
WFA_FN void __nanosleep(unsigned) {}

// Smaller and larger; int with unsigned compares as unsigned.

// bitsAs returns the value of another type with the same bits.
template <class TO, class FROM> WFA_FN TO bitsAs(FROM v) {
	static_assert(sizeof(TO) == sizeof(FROM), "types of one size");
	TO to;
	__builtin_memcpy(&to, &v, sizeof to);
	return to;
}
#ifdef __clang__
WFA_FN float __fsqrt_rn(float v) { return __builtin_elementwise_sqrt(v); }
#else
WFA_FN float __fsqrt_rn(float v) { return __builtin_sqrtf(v); } // an instruction, without errno
#endif

#define WFA_MINMAX(T, A, B)                                                                                            \
	WFA_FN constexpr T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                                             \
	WFA_FN constexpr T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
WFA_MINMAX(int, int, int)
WFA_MINMAX(unsigned, unsigned, unsigned)
WFA_MINMAX(unsigned, int, unsigned)
WFA_MINMAX(unsigned, unsigned, int)
WFA_MINMAX(long long, long long, long long)
WFA_MINMAX(unsigned long long, unsigned long long, unsigned long long)
#undef WFA_MINMAX
WFA_FN constexpr int abs(int v) { return v < 0 ? -v : v; }
