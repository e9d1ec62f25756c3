// Helpers of the tiles kernels, tiles.cuh: clearing of headers, and traceback.
//
// Shared memory: as retrace.cu. Limits: none beyond those of tiles.cuh.
#include "retrace.cuh"
#include "tilestates.cuh"

// wfa_tiles_clear clears the headers of all tasks, one thread each.
extern "C" __global__ void __launch_bounds__(128) wfa_tiles_clear(const __grid_constant__ Params a) {
	const int at = blockIdx.x * blockDim.x + threadIdx.x;
	if (at >= a.count) return;
	u32 *header = a.rows + (u64)at * a.rowStride;
	for (int i = 0; i < headerWords; i++) header[i] = 0;
}

extern "C" __global__ void __launch_bounds__(128) wfa_retrace_tiles(const __grid_constant__ Params a) {
	retrace<TileStates>(a);
}
