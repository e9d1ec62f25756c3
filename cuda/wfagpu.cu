// All kernels as one translation unit, for the emulation and for clang. nvcc compiles each part of the image for
// itself, at the same time as the others: scripts/build-kernels.sh.
#include "part-adaptive.cu"
#include "part-bands.cu"
#include "part-free.cu"
#include "part-spans.cu"
#include "part-waves.cu"
