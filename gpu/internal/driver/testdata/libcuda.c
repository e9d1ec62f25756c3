// A libcuda.so.1 that computes nothing: every function notes its name and
// arguments and answers with made-up values, so that a test can tell whether
// they cross from Go to C and back unharmed. libcuda_test.go builds it.
//
// With -DCUDA_H='"/path/to/cuda.h"' the compiler compares every prototype here
// with NVIDIA's own.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef CUDA_H
#include CUDA_H
#else
typedef int CUresult, CUdevice, CUdevice_attribute, CUfunction_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct { char bytes[16]; } CUuuid;
#endif

const char *stub_name;      // the function called last
unsigned long long stub_args[16];
unsigned stub_result;       // what all of them return

#define SEEN(...)                                                         \
	do {                                                              \
		unsigned long long args[] = {__VA_ARGS__};                \
		memset(stub_args, 0, sizeof stub_args);                   \
		memcpy(stub_args, args, sizeof args);                     \
		stub_name = __func__;                                     \
	} while (0)
#define DONE return (CUresult)stub_result
#define P(p) ((unsigned long long)(uintptr_t)(p))
// An int as it arrives, sign and all, and nothing from the upper half.
#define I(i) ((unsigned long long)(long long)(int)(i))

CUresult cuGetErrorName(CUresult error, const char **text)
{
	*text = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : NULL;
	return error == 2 ? 0 : 1;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = error == 2 ? "out of memory" : NULL;
	return error == 2 ? 0 : 1;
}

CUresult cuInit(unsigned flags) { SEEN(flags); DONE; }
CUresult cuDriverGetVersion(int *version) { SEEN(0); *version = 13000; DONE; }

// CUDA_VISIBLE_DEVICES is read as the driver reads it, from C's environment.
CUresult cuDeviceGetCount(int *n)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	SEEN(0);
	*n = 8;
	if (visible != NULL)
		for (*n = *visible != 0; *visible; visible++)
			*n += *visible == ',';
	DONE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) { SEEN(I(ordinal)); *device = -5; DONE; }

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	SEEN(I(size), I(device));
	strcpy(name, "Stub GPU");
	DONE;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	SEEN(I(device));
	for (int i = 0; i < 16; i++)
		uuid->bytes[i] = (char)(0xf0 + i);
	DONE;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) { SEEN(I(device)); *bytes = 0x2233445566; DONE; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) { SEEN(I(attribute), I(device)); *value = -7; DONE; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice device) { SEEN(I(device)); *ctx = (CUcontext)0x7000000000000001; DONE; }
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) { SEEN(I(device)); DONE; }
CUresult cuCtxSetCurrent(CUcontext ctx) { SEEN(P(ctx)); DONE; }

CUresult cuModuleLoadData(CUmodule *module, const void *image) { SEEN(*(const unsigned char *)image); *module = (CUmodule)0x7000000000000002; DONE; }
CUresult cuModuleUnload(CUmodule module) { SEEN(P(module)); DONE; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) { SEEN(P(module), strlen(name), name[0]); *function = (CUfunction)0x7000000000000003; DONE; }
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) { SEEN(I(attribute), P(function)); *value = 2064; DONE; }
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) { SEEN(P(function), I(attribute), I(value)); DONE; }
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction function, int threads, size_t shared) { SEEN(P(function), I(threads), shared); *n = 16; DONE; }

CUresult cuMemGetInfo_v2(size_t *available, size_t *total) { SEEN(0); *available = 0x1122334455; *total = 0x2233445566; DONE; }
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes) { SEEN(bytes); *p = 0x7fff000000000100; DONE; }
CUresult cuMemFree_v2(CUdeviceptr p) { SEEN(p); DONE; }
CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags) { SEEN(bytes, flags); *p = malloc(bytes); DONE; }
CUresult cuMemFreeHost(void *p) { SEEN(P(p)); DONE; }
CUresult cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags) { SEEN(P(p), bytes, flags); DONE; }
CUresult cuMemHostUnregister(void *p) { SEEN(P(p)); DONE; }
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) { SEEN(dst, P(src), bytes, P(stream)); DONE; }
CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) { SEEN(P(dst), src, bytes, P(stream)); DONE; }
CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream) { SEEN(dst, value, bytes, P(stream)); DONE; }

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) { SEEN(flags, priority); *stream = (CUstream)0x7000000000000004; DONE; }
CUresult cuStreamDestroy_v2(CUstream stream) { SEEN(P(stream)); DONE; }
CUresult cuStreamQuery(CUstream stream) { SEEN(P(stream)); DONE; }
CUresult cuStreamSynchronize(CUstream stream) { SEEN(P(stream)); DONE; }
CUresult cuEventCreate(CUevent *event, unsigned flags) { SEEN(flags); *event = (CUevent)0x7000000000000005; DONE; }
CUresult cuEventDestroy_v2(CUevent event) { SEEN(P(event)); DONE; }
CUresult cuEventRecord(CUevent event, CUstream stream) { SEEN(P(event), P(stream)); DONE; }
CUresult cuEventSynchronize(CUevent event) { SEEN(P(event)); DONE; }

// The last argument is the first word of the kernel's parameter.
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **params, void **extra)
{
	SEEN(P(f), gx, gy, gz, bx, by, bz, shared, P(stream), P(extra), *(unsigned long long *)params[0]);
	DONE;
}
