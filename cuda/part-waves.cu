// Exact wavefronts, global: the warp, block, long and tiles families for the penalties in
// variants-waves.cuh, with their tracebacks; the gated and the general family for all penalties.
#include "block.cuh"
#include "gated.cuh"
#include "general.cu"
#include "instances.cuh"
#include "retrace.cuh"
#include "tiles.cu"
#include "tiles.cuh"
#include "trace.cuh"
#include "warp.cuh"

#include "variants-waves.cuh"

WFA_TRACE(trace, 1, false)
WFA_TRACE(trace, 8, false)
WFA_TRACE(trace, 32, false)

WFA_GATED(gated, false)
