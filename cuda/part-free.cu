// Exact wavefronts of patterns within texts: part-waves.cu with free ends.
#include "block.cuh"
#include "gated.cuh"
#include "instances.cuh"
#include "retrace.cuh"
#include "trace.cuh"
#include "warp.cuh"

#include "variants-free.cuh"

WFA_TRACE(trace_free, 1, true)
WFA_TRACE(trace_free, 8, true)
WFA_TRACE(trace_free, 32, true)

WFA_GATED(gated_free, true)
