// Exact alignment of pairs of few errors, part by part, see gated.cuh: globally, and of patterns within texts.
//
// Limits: none.
#include "gated.cuh"

extern "C" __global__ void __launch_bounds__(32, 25) wfa_gated(const __grid_constant__ Params a) {
	alignGated<false>(a);
}

extern "C" __global__ void __launch_bounds__(32, 25) wfa_gated_free(const __grid_constant__ Params a) {
	alignGated<true>(a);
}
