// The adaptive band: in registers for the penalties in variants-adaptive.cuh, and in shared or global memory for all.
#include "adaptiveblock.cu"
#include "adaptivewarp.cuh"
#include "instances.cuh"
#include "trace.cuh"

#include "variants-adaptive.cuh"

// Eight threads per pair: few steps of long pairs need more.
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_warp_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, RegisterRows<false>>(a);
}
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_long_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, RegisterRows<true>>(a);
}
extern "C" __global__ void __launch_bounds__(128) wfa_adaptive_block_trace(const __grid_constant__ Params a) {
	traceAdaptive<8, MemoryRows>(a);
}
