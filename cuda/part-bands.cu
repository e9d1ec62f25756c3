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
WFA_GOTOH_DETOURS(gotoh_detours)
