// Clears the headers of tiles.cuh before blocks share pairs.
//
// Shared memory: none. Limits: none.
#include "tilestates.cuh"

// wfa_tiles_clear clears the headers of all tasks, one thread each.
extern "C" __global__ void __launch_bounds__(128) wfa_tiles_clear(const __grid_constant__ Params a) {
	const int at = blockIdx.x * blockDim.x + threadIdx.x;
	if (at >= a.count) return;
	u32 *header = a.rows + (u64)at * a.rowStride;
	for (int i = 0; i < headerWords; i++) header[i] = 0;
}
