// Macros that define kernels, for the sources of the image's parts; those of variants-*.cuh have the names of
// families. The reduced penalties are part of the names.
#pragma once

// WFA_WARP defines wfa_warp_<penalties>_<threads>x<words>_<bases>_{score,rows}, WFA_WARP_FREE wfa_warp_free_….
#define WFA_WARP(...) WFA_WARP_SHAPE(warp, false, __VA_ARGS__)
#define WFA_WARP_FREE(...) WFA_WARP_SHAPE(warp_free, true, __VA_ARGS__)
#define WFA_WARP_SHAPE(NAME, FREE, X, O, E, THREADS, WORDS, STRIDE, BASES, WARPS, BLOCKS)                              \
	WFA_WARP_KERNEL(NAME, FREE, X, O, E, THREADS, WORDS, STRIDE, BASES, WARPS, BLOCKS, score, false)                   \
	WFA_WARP_KERNEL(NAME, FREE, X, O, E, THREADS, WORDS, STRIDE, BASES, WARPS, BLOCKS, rows, true)
#define WFA_WARP_KERNEL(NAME, FREE, X, O, E, THREADS, WORDS, STRIDE, BASES, WARPS, BLOCKS, KIND, ROWS)                 \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                                   \
	    wfa_##NAME##_##X##_##O##_##E##_##THREADS##x##WORDS##_##BASES##_##KIND(const __grid_constant__ Params a) {      \
		alignWarp<Penalties<X, O, E>, Lookahead<Table##BASES>, THREADS, WORDS, STRIDE, ROWS, FREE>(a);                 \
	}

// WFA_BLOCK defines wfa_block_<penalties>_<warps>x<strides>x<stride>_<bases>_{score,rows}, WFA_BLOCK_FREE
// wfa_block_free_…. STORE is storeRows or storeCheckpoints.
#define WFA_BLOCK(...) WFA_BLOCK_SHAPE(block, false, __VA_ARGS__)
#define WFA_BLOCK_FREE(...) WFA_BLOCK_SHAPE(block_free, true, __VA_ARGS__)
#define WFA_BLOCK_SHAPE(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, STORE)                             \
	WFA_BLOCK_KERNEL(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, score, storeNothing, OneOrigin)       \
	WFA_BLOCK_KERNEL(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, rows, STORE, OneOrigin)
#define WFA_BLOCK_KERNEL(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, BASES, BLOCKS, KIND, STORE, ORIGINS)             \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                                   \
	    wfa_##NAME##_##X##_##O##_##E##_##WARPS##x##STRIDES##x##STRIDE##_##BASES##_##KIND(                              \
	        const __grid_constant__ Params a) {                                                                        \
		alignBlock<Penalties<X, O, E>, Lookahead<Table##BASES>, STRIDE, STRIDES, WARPS, STORE, ORIGINS, FREE>(a);      \
	}

// WFA_LONG defines wfa_long_<penalties>_<warps>x<strides>x<stride>_Packed_{score,rows}, WFA_LONG_FREE wfa_long_free_….
#define WFA_LONG(...) WFA_LONG_SHAPE(long, false, __VA_ARGS__)
#define WFA_LONG_FREE(...) WFA_LONG_SHAPE(long_free, true, __VA_ARGS__)
#define WFA_LONG_SHAPE(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, BLOCKS)                                            \
	WFA_BLOCK_KERNEL(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, Packed, BLOCKS, score, storeNothing, MovingOrigins)  \
	WFA_BLOCK_KERNEL(NAME, FREE, X, O, E, WARPS, STRIDES, STRIDE, Packed, BLOCKS, rows, storeCheckpoints, MovingOrigins)

// WFA_ADAPTIVE_WARP defines wfa_adaptive_warp_<penalties>_<words>_<table>_{score,rows}.
#define WFA_ADAPTIVE_WARP(X, O, E, WORDS, STRIDE, TABLE)                                                               \
	WFA_ADAPTIVE_WARP_KERNEL(X, O, E, WORDS, STRIDE, TABLE, score, false)                                              \
	WFA_ADAPTIVE_WARP_KERNEL(X, O, E, WORDS, STRIDE, TABLE, rows, true)
#define WFA_ADAPTIVE_WARP_KERNEL(X, O, E, WORDS, STRIDE, TABLE, KIND, ROWS)                                            \
	extern "C" __global__ void __launch_bounds__(32)                                                                   \
	    wfa_adaptive_warp_##X##_##O##_##E##_##WORDS##_##TABLE##_##KIND(const __grid_constant__ Params a) {             \
		alignAdaptiveWarp<RegisterBand<Penalties<X, O, E>, Table##TABLE, WORDS, STRIDE, ROWS, false>, Table##TABLE>(   \
		    a);                                                                                                        \
	}

// WFA_ADAPTIVE_LONG defines wfa_adaptive_long_<penalties>_<words>_Packed_{score,rows}.
#define WFA_ADAPTIVE_LONG(X, O, E, WORDS, STRIDE)                                                                      \
	WFA_ADAPTIVE_LONG_KERNEL(X, O, E, WORDS, STRIDE, score, false)                                                     \
	WFA_ADAPTIVE_LONG_KERNEL(X, O, E, WORDS, STRIDE, rows, true)
#define WFA_ADAPTIVE_LONG_KERNEL(X, O, E, WORDS, STRIDE, KIND, ROWS)                                                   \
	extern "C" __global__ void __launch_bounds__(32)                                                                   \
	    wfa_adaptive_long_##X##_##O##_##E##_##WORDS##_Packed_##KIND(const __grid_constant__ Params a) {                \
		alignAdaptiveWarp<RegisterBand<Penalties<X, O, E>, GlobalPacked, WORDS, STRIDE, ROWS, true>, GlobalPacked>(a); \
	}

// WFA_ADAPTIVE_RINGS defines wfa_adaptive_rings_<words>_Packed_{score,rows}.
#define WFA_ADAPTIVE_RINGS(WORDS, STRIDE)                                                                              \
	WFA_ADAPTIVE_RINGS_KERNEL(WORDS, STRIDE, score, false)                                                             \
	WFA_ADAPTIVE_RINGS_KERNEL(WORDS, STRIDE, rows, true)
#define WFA_ADAPTIVE_RINGS_KERNEL(WORDS, STRIDE, KIND, ROWS)                                                           \
	extern "C" __global__ void __launch_bounds__(32)                                                                   \
	    wfa_adaptive_rings_##WORDS##_Packed_##KIND(const __grid_constant__ Params a) {                                 \
		alignAdaptiveWarp<RingBand<WORDS, STRIDE, ROWS>, GlobalPacked>(a);                                             \
	}

// WFA_TILES defines wfa_tiles_<penalties>_<warps>x<cells>_{shared,global}_{score,rows}.
#define WFA_TILES(X, O, E, WARPS, CELLS, BLOCKS)                                                                       \
	WFA_TILES_KERNEL(X, O, E, WARPS, CELLS, BLOCKS, shared_score, true, false)                                         \
	WFA_TILES_KERNEL(X, O, E, WARPS, CELLS, BLOCKS, shared_rows, true, true)                                           \
	WFA_TILES_KERNEL(X, O, E, WARPS, CELLS, BLOCKS, global_score, false, false)                                        \
	WFA_TILES_KERNEL(X, O, E, WARPS, CELLS, BLOCKS, global_rows, false, true)
#define WFA_TILES_KERNEL(X, O, E, WARPS, CELLS, BLOCKS, KIND, SHARED, STORE)                                           \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                                   \
	    wfa_tiles_##X##_##O##_##E##_##WARPS##x##CELLS##_##KIND(const __grid_constant__ Params a) {                     \
		alignTiles<Penalties<X, O, E>, SHARED, STORE, WARPS, CELLS>(a);                                                \
	}

// WFA_GOTOH defines wfa_gotoh_<name>_{score,checkpoints}, WFA_GOTOH_FREE wfa_gotoh_free_<name>_{score,checkpoints}.
#define WFA_GOTOH(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS)                                                         \
	WFA_GOTOH_SHAPE(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, false)
#define WFA_GOTOH_FREE(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS)                                                    \
	WFA_GOTOH_SHAPE(free_##NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, true)
#define WFA_GOTOH_SHAPE(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, FREE)                                             \
	WFA_GOTOH_KERNEL(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, FREE, score, false)                                  \
	WFA_GOTOH_KERNEL(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, FREE, checkpoints, true)
#define WFA_GOTOH_KERNEL(NAME, LANES, COLUMNS, WARPS, UNROLL, BLOCKS, FREE, FORM, STORE)                               \
	extern "C" __global__ void __launch_bounds__(WARPS * 32, BLOCKS)                                                   \
	    wfa_gotoh_##NAME##_##FORM(const __grid_constant__ Params a) {                                                  \
		alignGotoh<LANES, COLUMNS, STORE, (WARPS > 1), FREE, UNROLL>(a);                                               \
	}

// WFA_EDIT defines wfa_edit_<threads>x<words>_{score,rows}, WFA_EDIT_BLOCK
// wfa_edit_block_<words>_{score,rows}.
#define WFA_EDIT(LANES, WORDS, UNROLL, BLOCKS)                                                                         \
	WFA_EDIT_KERNEL(LANES##x##WORDS##_score, 32, BLOCKS, (alignEdit<LANES, WORDS, false, UNROLL>(a)))                  \
	WFA_EDIT_KERNEL(LANES##x##WORDS##_rows, 32, BLOCKS, (alignEdit<LANES, WORDS, true, UNROLL>(a)))
#define WFA_EDIT_BLOCK(WORDS, WARPS, UNROLL, BLOCKS)                                                                   \
	WFA_EDIT_KERNEL(block_##WORDS##_score, WARPS * 32, BLOCKS, (alignEditBlock<WORDS, WARPS, false, UNROLL>(a)))       \
	WFA_EDIT_KERNEL(block_##WORDS##_rows, WARPS * 32, BLOCKS, (alignEditBlock<WORDS, WARPS, true, UNROLL>(a)))
#define WFA_EDIT_KERNEL(NAME, THREADS, BLOCKS, ALIGN)                                                                  \
	extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) wfa_edit_##NAME(const __grid_constant__ Params a) {  \
		ALIGN;                                                                                                         \
	}

// WFA_SPAN defines wfa_span_<gaps>_<ends>_<lanes>x<columns>_<form>, by the bits that are stored of a cell:
// score if FORMS is scores, 4 if it is traced, both if it is nibbles, and all three if it is bytes.
#define WFA_SPAN(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, FORMS)                                                    \
	WFA_SPAN_##FORMS(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)
#define WFA_SPAN_scores(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                    \
	WFA_SPAN_KERNEL(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, score, 0)
#define WFA_SPAN_traced(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                    \
	WFA_SPAN_KERNEL(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, 4, 4)                                                  \
	WFA_SPAN_KERNEL(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, 8, 8)
#define WFA_SPAN_nibbles(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                   \
	WFA_SPAN_scores(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                        \
	    WFA_SPAN_KERNEL(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, 4, 4)
#define WFA_SPAN_bytes(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                     \
	WFA_SPAN_scores(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)                                                        \
	    WFA_SPAN_traced(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS)
#define WFA_SPAN_KERNEL(GAPS, ENDS, LANES, COLUMNS, UNROLL, BLOCKS, FORM, BITS)                                        \
	extern "C" __global__ void __launch_bounds__(32, BLOCKS)                                                           \
	    wfa_span_##GAPS##_##ENDS##_##LANES##x##COLUMNS##_##FORM(const __grid_constant__ Params a) {                    \
		alignSpan<LANES, COLUMNS, gaps_##GAPS, ends_##ENDS, BITS, UNROLL>(a);                                          \
	}

// WFA_RETRACE defines wfa_retrace_<penalties> for the checkpoints of the block family, wfa_retrace_long_<penalties>
// and wfa_retrace_tiles_<penalties>, WFA_RETRACE_FREE wfa_retrace_free_<penalties> and wfa_retrace_long_free_<penalties>.
#define WFA_RETRACE(X, O, E)                                                                                           \
	WFA_RETRACE_KERNEL(retrace, X, O, E, PackedStates<Penalties<X, O, E>>)                                             \
	WFA_RETRACE_KERNEL(retrace_long, X, O, E, PackedStates<Penalties<X, O, E>, true>)                                  \
	WFA_RETRACE_KERNEL(retrace_tiles, X, O, E, TileStates<Penalties<X, O, E>>)
#define WFA_RETRACE_FREE(X, O, E)                                                                                      \
	WFA_RETRACE_KERNEL(retrace_free, X, O, E, PackedStates<Penalties<X, O, E>, false, true>)                           \
	WFA_RETRACE_KERNEL(retrace_long_free, X, O, E, PackedStates<Penalties<X, O, E>, true, true>)
#define WFA_RETRACE_KERNEL(NAME, X, O, E, ...)                                                                         \
	extern "C" __global__ void __launch_bounds__(64) wfa_##NAME##_##X##_##O##_##E(const __grid_constant__ Params a) {  \
		retrace<Penalties<X, O, E>, __VA_ARGS__>(a);                                                                   \
	}

// WFA_TRACE defines wfa_trace_<threads> and wfa_trace_free_<threads>.
#define WFA_TRACE(NAME, THREADS, FREE)                                                                                 \
	extern "C" __global__ void __launch_bounds__(128) wfa_##NAME##_##THREADS(const __grid_constant__ Params a) {       \
		traceExact<THREADS, FREE>(a);                                                                                  \
	}

// WFA_GATED defines wfa_<name>.
#define WFA_GATED(NAME, FREE)                                                                                          \
	extern "C" __global__ void __launch_bounds__(32, 25) wfa_##NAME(const __grid_constant__ Params a) {                \
		alignGated<FREE>(a);                                                                                           \
	}

// WFA_GOTOH_TRACE defines wfa_gotoh_trace, or wfa_gotoh_free_trace.
#define WFA_GOTOH_TRACE(NAME, FREE)                                                                                    \
	extern "C" __global__ void __launch_bounds__(gotohTracers, 4) wfa_##NAME(const __grid_constant__ Params a) {       \
		traceGotoh<FREE>(a);                                                                                           \
	}

// WFA_GOTOH_SEEDS defines wfa_gotoh_seeds, or wfa_gotoh_free_seeds.
#define WFA_GOTOH_SEEDS(NAME, FREE)                                                                                    \
	extern "C" __global__ void __launch_bounds__(32) wfa_##NAME(const __grid_constant__ Params a) {                    \
		countSeeds<FREE>(a);                                                                                           \
	}

// WFA_PROBE defines wfa_probe.
#define WFA_PROBE()                                                                                                    \
	extern "C" __global__ void __launch_bounds__(32) wfa_probe(const __grid_constant__ Params a) { probe(a); }

// WFA_GOTOH_DETOURS defines wfa_gotoh_detours.
#define WFA_GOTOH_DETOURS(NAME)                                                                                        \
	extern "C" __global__ void __launch_bounds__(indelThreads) wfa_##NAME(const __grid_constant__ Params a) {          \
		searchDetours(a);                                                                                              \
	}

// WFA_GOTOH_OUTSIDE defines wfa_gotoh_free_outside.
#define WFA_GOTOH_OUTSIDE(NAME)                                                                                        \
	extern "C" __global__ void __launch_bounds__(indelThreads) wfa_##NAME(const __grid_constant__ Params a) {          \
		lookOutside(a);                                                                                                \
	}

// WFA_SPAN_TRACE defines wfa_span_trace_<bits>, and wfa_span_trace_<bits>_warp with a warp for
// each pair.
#define WFA_SPAN_TRACE(BITS)                                                                                           \
	extern "C" __global__ void __launch_bounds__(128) wfa_span_trace_##BITS(const __grid_constant__ Params a) {        \
		traceSpan<BITS, 1>(a);                                                                                         \
	}                                                                                                                  \
	extern "C" __global__ void __launch_bounds__(128) wfa_span_trace_##BITS##_warp(const __grid_constant__ Params a) { \
		traceSpan<BITS, 32>(a);                                                                                        \
	}
