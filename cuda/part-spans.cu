// The whole matrix, for all spans, and bands of it for patterns within texts.
#include "brokenseeds.cuh"
#include "gotoh.cuh"
#include "gotohtrace.cuh"
#include "instances.cuh"
#include "outside.cuh"
#include "probe.cuh"
#include "span.cuh"
#include "spantrace.cuh"

#include "variants-spans.cuh"

WFA_GOTOH_TRACE(gotoh_free_trace, true)
WFA_GOTOH_SEEDS(gotoh_free_seeds, true)
WFA_GOTOH_OUTSIDE(gotoh_free_outside)
WFA_PROBE()

WFA_SPAN_TRACE(4)
WFA_SPAN_TRACE(8)
