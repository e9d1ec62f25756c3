// The shipped kernels, and those of extra.cuh and check.cuh, for the host.
#define WFA_EMULATED 1
#define WFA_LARGEST_OFFSET 3200 // so that origins of short sequences move
#include "device.h"
#include "threads.h"

#include "../wfagpu.cu"

#include "check.cuh"
#include "extra.cuh"

// How the emulation calls them: all take one structure.
extern "C" __attribute__((visibility("default"))) unsigned emulatedParamsBytes() { return sizeof(Params); }
void emulatedKernel(void (*kernel)(), const void *params) { ((void (*)(Params))kernel)(*(const Params *)params); }
