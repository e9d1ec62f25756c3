package gpu

import (
	"fmt"
	"sync"
	"unsafe"
)

// devicePtr is an address in a device's memory, CUdeviceptr.
type devicePtr uint64

// handle is a CUcontext, CUmodule, CUfunction, CUstream or CUevent.
type handle uintptr

// driver is the part of the CUDA driver API that this package calls, one
// function per symbol under the symbol's name without cu and _v2. Sizes are in
// bytes. Results other than success leave the other return values undefined.
type driver struct {
	// The name and description of a result; empty for one that the driver
	// does not know.
	getErrorName   func(r result) string
	getErrorString func(r result) string

	init             func(flags uint32) result
	driverGetVersion func() (int32, result) // 13000 is CUDA 13.0

	deviceGetCount     func() (int32, result)
	deviceGet          func(ordinal int32) (int32, result)
	deviceGetName      func(device int32) (string, result)
	deviceGetUuid      func(device int32) ([16]byte, result)
	deviceTotalMem     func(device int32) (uint64, result)
	deviceGetAttribute func(attribute, device int32) (int32, result)

	devicePrimaryCtxRetain  func(device int32) (handle, result)
	devicePrimaryCtxRelease func(device int32) result
	ctxSetCurrent           func(ctx handle) result

	// All below work in the context that is current on the calling thread.

	// moduleLoadData reads an image of whatever length its format says: PTX
	// must end in a zero byte.
	moduleLoadData    func(image []byte) (handle, result)
	moduleUnload      func(module handle) result
	moduleGetFunction func(module handle, name string) (handle, result)
	funcSetAttribute  func(function handle, attribute, value int32) result

	occupancyMaxActiveBlocksPerMultiprocessor func(function handle, threads int32, sharedBytes uint64) (int32, result)

	memGetInfo   func() (free, total uint64, r result)
	memAlloc     func(bytes uint64) (devicePtr, result)
	memFree      func(p devicePtr) result
	memHostAlloc func(bytes uint64, flags uint32) (unsafe.Pointer, result)
	memFreeHost  func(p unsafe.Pointer) result

	memcpyHtoDAsync func(dst devicePtr, src unsafe.Pointer, bytes uint64, stream handle) result
	memcpyDtoHAsync func(dst unsafe.Pointer, src devicePtr, bytes uint64, stream handle) result
	memsetD8Async   func(dst devicePtr, value byte, bytes uint64, stream handle) result

	streamCreate      func(flags uint32) (handle, result)
	streamDestroy     func(stream handle) result
	streamQuery       func(stream handle) result
	streamSynchronize func(stream handle) result

	eventCreate      func(flags uint32) (handle, result)
	eventDestroy     func(event handle) result
	eventRecord      func(event, stream handle) result
	eventSynchronize func(event handle) result
	eventElapsedTime func(start, end handle) (milliseconds float32, r result)

	// Launches a kernel with one parameter, which is copied from params before
	// the call returns. Grids and blocks have one dimension.
	launchKernel func(function handle, grid, block, sharedBytes uint32, stream handle, params unsafe.Pointer) result
}

// Values of cuda.h that the calls take.
const (
	attributeClockRate           = 13 // kHz
	attributeMultiprocessors     = 16
	attributeL2Bytes             = 38
	attributeThreadsPerSM        = 39
	attributeMajor               = 75
	attributeMinor               = 76
	attributeSharedPerSM         = 81
	attributeRegistersPerSM      = 82
	attributeSharedPerBlockOptin = 97

	functionDynamicShared = 8
	functionCarveout      = 9 // percent of an SM's on-chip memory to use as shared memory

	hostAllocPortable  = 1 // pinned for every context
	streamNonBlocking  = 1 // does not wait for the default stream
	eventBlockingSync  = 1 // who waits sleeps instead of spinning
	eventDisableTiming = 2
)

// loadDriver opens libcuda.so.1 and starts it, once per process.
var loadDriver = sync.OnceValues(func() (*driver, error) {
	drv, err := openLibrary("libcuda.so.1")
	if err != nil {
		return nil, err
	}
	return drv, drv.start()
})

// start initializes the driver. A driver that does not start is ErrNoDriver,
// unless the reason is that it shows no GPU or is too old.
func (drv *driver) start() error {
	err := drv.check("cuInit", drv.init(0))
	if err == nil {
		return nil
	}
	kind := ErrNoDriver
	switch e := err.(*Error); {
	case e.Is(ErrNoDevice):
		kind = ErrNoDevice
	case e.Is(ErrTooOld):
		kind = ErrTooOld
	}
	return fmt.Errorf("%w: %w", kind, withRemedy(err))
}
