// Exact bands of the matrix, global: the gotoh family for most penalties, and the edit family for 1,0,1.
#include "brokenseeds.cuh"
#include "detours.cuh"
#include "edit.cuh"
#include "edittrace.cu"
#include "gotoh.cuh"
#include "gotohtrace.cuh"
#include "instances.cuh"

#include "variants-bands.cuh"

WFA_GOTOH_TRACE(gotoh_trace, false)
WFA_GOTOH_SEEDS(gotoh_seeds, false)
extern "C" __global__ void __launch_bounds__(detourWarps * 32) wfa_gotoh_detours(const __grid_constant__ Params a) {
	searchDetours(a);
}
