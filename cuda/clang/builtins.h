// The built-ins of nvcc that the kernels use, for clang without the CUDA toolkit: see
// scripts/check-kernels.sh. Meanings are those of NVIDIA's CUDA C++ Programming Guide
// and PTX ISA. The shipped kernels are not compiled with this file.
#pragma once

#if !defined(__clang__) || !defined(__CUDA__) || !defined(__CUDA_ARCH__)
#error "only for clang's device pass: scripts/check-kernels.sh"
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
// clang 19 has __noinline__ and __restrict__; it does not need:
#define __grid_constant__

#define WFA_FN static __device__ __forceinline__

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

// threadIdx, blockIdx and so on: members that read a special register.

#define WFA_INDEX(NAME, REGISTER)                                                                                      \
	struct wfa_##NAME {                                                                                                \
		__declspec(property(get = get_x)) unsigned x;                                                                  \
		__declspec(property(get = get_y)) unsigned y;                                                                  \
		__declspec(property(get = get_z)) unsigned z;                                                                  \
		WFA_FN unsigned get_x() { return __nvvm_read_ptx_sreg_##REGISTER##_x(); }                                      \
		WFA_FN unsigned get_y() { return __nvvm_read_ptx_sreg_##REGISTER##_y(); }                                      \
		WFA_FN unsigned get_z() { return __nvvm_read_ptx_sreg_##REGISTER##_z(); }                                      \
	};                                                                                                                 \
	extern const __device__ wfa_##NAME NAME;
WFA_INDEX(threadIdx, tid)
WFA_INDEX(blockIdx, ctaid)
WFA_INDEX(blockDim, ntid)
WFA_INDEX(gridDim, nctaid)
#undef WFA_INDEX

enum : int { warpSize = 32 };

// Barriers and fences; clang has __syncthreads.

WFA_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
WFA_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
WFA_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
WFA_FN void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
WFA_FN void __threadfence_block() { __nvvm_membar_cta(); }
WFA_FN void __threadfence() { __nvvm_membar_gl(); }

// Warps. The last operand of shfl encodes the bounds of a segment of width lanes.

#define WFA_SHUFFLE(NAME, MODE, LANE, BOUND)                                                                           \
	WFA_FN int NAME(unsigned mask, int v, LANE n, int width = 32) {                                                    \
		return __nvvm_shfl_sync_##MODE##_i32(mask, v, n, (32 - width) << 8 | BOUND);                                   \
	}                                                                                                                  \
	WFA_FN unsigned NAME(unsigned mask, unsigned v, LANE n, int width = 32) {                                          \
		return (unsigned)NAME(mask, (int)v, n, width);                                                                 \
	}
WFA_SHUFFLE(__shfl_sync, idx, int, 31)
WFA_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
WFA_SHUFFLE(__shfl_down_sync, down, unsigned, 31)
WFA_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef WFA_SHUFFLE

WFA_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
WFA_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
WFA_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
WFA_FN unsigned __activemask() {
	unsigned m;
	asm volatile("activemask.b32 %0;" : "=r"(m));
	return m;
}

WFA_FN void __nanosleep(unsigned n) { asm volatile("nanosleep.u32 %0;" ::"r"(n)); }

// Atomic operations, relaxed as CUDA's are. Each returns the old value.

#define WFA_ATOMIC(NAME, OP, T, KIND)                                                                                  \
	WFA_FN T NAME(T *p, T v) { return (T)__nvvm_atom_##OP##_gen_##KIND(p, v); }
#define WFA_BITS(NAME, OP)                                                                                             \
	WFA_FN int NAME(int *p, int v) { return __nvvm_atom_##OP##_gen_i(p, v); }                                          \
	WFA_FN unsigned NAME(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_##OP##_gen_i((int *)p, (int)v); }     \
	WFA_FN unsigned long long NAME(unsigned long long *p, unsigned long long v) {                                      \
		return (unsigned long long)__nvvm_atom_##OP##_gen_ll((long long *)p, (long long)v);                            \
	}
WFA_BITS(atomicAdd, add)
WFA_BITS(atomicAnd, and)
WFA_BITS(atomicOr, or)
WFA_BITS(atomicExch, xchg)
WFA_ATOMIC(atomicMax, max, int, i)
WFA_ATOMIC(atomicMax, max, unsigned, ui)
WFA_ATOMIC(atomicMax, max, long long, ll)
WFA_ATOMIC(atomicMax, max, unsigned long long, ull)
WFA_ATOMIC(atomicMin, min, int, i)
WFA_ATOMIC(atomicMin, min, unsigned, ui)
WFA_ATOMIC(atomicMin, min, long long, ll)
WFA_ATOMIC(atomicMin, min, unsigned long long, ull)
#undef WFA_ATOMIC
#undef WFA_BITS
WFA_FN unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
WFA_FN int atomicCAS(int *p, int old, int v) { return __nvvm_atom_cas_gen_i(p, old, v); }
WFA_FN unsigned atomicCAS(unsigned *p, unsigned old, unsigned v) {
	return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v);
}
WFA_FN unsigned long long atomicCAS(unsigned long long *p, unsigned long long old, unsigned long long v) {
	return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)old, (long long)v);
}

// Bits.

WFA_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
	return __nvvm_prmt(a, b, selector & 0x7777); // only the instruction copies signs
}
WFA_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
	unsigned d;
	asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(n));
	return d;
}
WFA_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
	unsigned d;
	asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(n));
	return d;
}
WFA_FN int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
WFA_FN int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
WFA_FN int __ffs(int v) { return __builtin_ffs(v); }
WFA_FN int __ffsll(long long v) { return __builtin_ffsll(v); }
WFA_FN int __popc(unsigned v) { return __builtin_popcount(v); }
WFA_FN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
WFA_FN int __float2int_rd(float v) { return __nvvm_f2i_rm(v); }
WFA_FN float __fsqrt_rn(float v) { return __nvvm_sqrt_rn_f(v); }
WFA_FN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
WFA_FN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }

// Memory.

WFA_FN unsigned char __ldg(const unsigned char *p) { return __nvvm_ldg_uc(p); }
WFA_FN unsigned short __ldg(const unsigned short *p) { return __nvvm_ldg_us(p); }
WFA_FN int __ldg(const int *p) { return __nvvm_ldg_i(p); }
WFA_FN unsigned __ldg(const unsigned *p) { return __nvvm_ldg_ui(p); }
WFA_FN long long __ldg(const long long *p) { return __nvvm_ldg_ll(p); }
WFA_FN unsigned long long __ldg(const unsigned long long *p) { return __nvvm_ldg_ull(p); }
#define WFA_LDG(NAME, T, N, KIND, ...)                                                                                 \
	WFA_FN NAME __ldg(const NAME *p) {                                                                                 \
		typedef T v __attribute__((ext_vector_type(N)));                                                               \
		const v l = __nvvm_ldg_##KIND((const v *)p);                                                                   \
		return NAME{__VA_ARGS__};                                                                                      \
	}
WFA_LDG(int2, int, 2, i2, l.x, l.y)
WFA_LDG(uint2, unsigned, 2, ui2, l.x, l.y)
WFA_LDG(int4, int, 4, i4, l.x, l.y, l.z, l.w)
WFA_LDG(uint4, unsigned, 4, ui4, l.x, l.y, l.z, l.w)
#undef WFA_LDG
WFA_FN int __ldcg(const int *p) {
	int v;
	asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}
WFA_FN unsigned __ldcg(const unsigned *p) { return (unsigned)__ldcg((const int *)p); }
WFA_FN int4 __ldcg(const int4 *p) {
	int4 v;
	asm volatile("ld.global.cg.v4.s32 {%0, %1, %2, %3}, [%4];"
	             : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
	             : "l"(p)
	             : "memory");
	return v;
}
WFA_FN __SIZE_TYPE__ __cvta_generic_to_shared(const void *p) {
	return (__SIZE_TYPE__)(const __attribute__((address_space(3))) void *)p;
}
WFA_FN void *__cvta_shared_to_generic(__SIZE_TYPE__ a) { return (void *)(__attribute__((address_space(3))) void *)a; }

// Smaller and larger; int with unsigned compares as unsigned.

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
#undef WFA_FN
