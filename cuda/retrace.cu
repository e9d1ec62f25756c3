// Traceback from the checkpoints of block.cuh: retrace.cuh. A warp aligns a pair.
//
// Shared memory: dynamic, Window's for each warp. Limits: those of retrace.cuh.
#include "retrace.cuh"

extern "C" __global__ void __launch_bounds__(128) wfa_retrace(const __grid_constant__ Params a) {
	retrace<PackedStates>(a);
}
