// All kernels, as one translation unit. Names are those of gpu/tuning.go.
//
// Variants for penalties with kernels of their own: their reduced values are in
// the name. Everything else goes to the general kernel.
#include "approx.cuh"
#include "approxtrace.cu"
#include "block.cuh"
#include "general.cu"
#include "pack.cu"
#include "trace.cu"
#include "warp.cuh"
#include "window.cu"

// WFA_WARP defines wfa_warp_<penalties>_<lanes>x<words>_<bases>_{score,rows}.
#define WFA_WARP(X, O, E, LANES, WORDS, STRIDE, BASES, WARPS, BLOCKS)                                              \
	WFA_WARP_KERNEL(X, O, E, LANES, WORDS, STRIDE, BASES, WARPS, BLOCKS, score, false)                             \
	WFA_WARP_KERNEL(X, O, E, LANES, WORDS, STRIDE, BASES, WARPS, BLOCKS, rows, true)
#define WFA_WARP_KERNEL(X, O, E, LANES, WORDS, STRIDE, BASES, WARPS, BLOCKS, KIND, ROWS)                           \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                               \
	    wfa_warp_##X##_##O##_##E##_##LANES##x##WORDS##_##BASES##_##KIND(const __grid_constant__ Params a) {        \
		alignWarp<Penalties<X, O, E>, Lookahead<Table##BASES>, LANES, WORDS, STRIDE, ROWS>(a);                             \
	}

// WFA_BLOCK defines wfa_block_<penalties>_<warps>x<strides>x<stride>_<bases>_{score,rows}.
#define WFA_BLOCK(X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS)                                                  \
	WFA_BLOCK_KERNEL(X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, score, false)                                 \
	WFA_BLOCK_KERNEL(X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, rows, true)
#define WFA_BLOCK_KERNEL(X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, KIND, ROWS)                               \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                               \
	    wfa_block_##X##_##O##_##E##_##WARPS##x##STRIDES##x##STRIDE##_##BASES##_##KIND(                             \
	        const __grid_constant__ Params a) {                                                                    \
		alignBlock<Penalties<X, O, E>, Lookahead<Table##BASES>, STRIDE, STRIDES, WARPS, ROWS>(a);                          \
	}

// WFA_APPROX defines wfa_approx_<penalties>_<words>_<table>_{score,rows}.
#define WFA_APPROX(X, O, E, WORDS, STRIDE, TABLE)                                                                  \
	WFA_APPROX_KERNEL(X, O, E, WORDS, STRIDE, TABLE, score, false)                                                 \
	WFA_APPROX_KERNEL(X, O, E, WORDS, STRIDE, TABLE, rows, true)
#define WFA_APPROX_KERNEL(X, O, E, WORDS, STRIDE, TABLE, KIND, ROWS)                                               \
	extern "C" __global__ void __launch_bounds__(32)                                                               \
	    wfa_approx_##X##_##O##_##E##_##WORDS##_##TABLE##_##KIND(const __grid_constant__ Params a) {                \
		alignApprox<Penalties<X, O, E>, Tables<Table##TABLE>, WORDS, STRIDE, ROWS>(a);                             \
	}

#include "variants.cuh"
