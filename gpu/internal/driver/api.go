package driver

import (
	"fmt"
	"unsafe"
)

// Ptr is an address in a device's memory, CUdeviceptr.
type Ptr uint64

// Handle is a CUcontext, CUmodule, CUfunction, CUstream or CUevent.
type Handle uintptr

// API is the part of the CUDA driver API that this package calls, one function
// per symbol under the symbol's name without cu and _v2. Sizes are in bytes. A
// result other than Success leaves the other return values undefined.
type API struct {
	// The name and description of a result; empty if the driver does not know
	// the result.
	GetErrorName   func(r Result) string
	GetErrorString func(r Result) string

	Init             func(flags uint32) Result
	DriverGetVersion func() (int32, Result) // 13000 is CUDA 13.0

	DeviceGetCount     func() (int32, Result)
	DeviceGet          func(ordinal int32) (int32, Result)
	DeviceGetName      func(device int32) (string, Result)
	DeviceGetUuid      func(device int32) ([16]byte, Result)
	DeviceTotalMem     func(device int32) (uint64, Result)
	DeviceGetAttribute func(attribute, device int32) (int32, Result)

	DevicePrimaryCtxRetain  func(device int32) (Handle, Result)
	DevicePrimaryCtxRelease func(device int32) Result
	CtxSetCurrent           func(ctx Handle) Result

	// The functions below work in the context that is current on the calling
	// thread.

	// ModuleLoadData reads an image. Its length follows from its header; PTX
	// ends in a zero byte.
	ModuleLoadData    func(image []byte) (Handle, Result)
	ModuleUnload      func(module Handle) Result
	ModuleGetFunction func(module Handle, name string) (Handle, Result)
	FuncGetAttribute  func(function Handle, attribute int32) (int32, Result)
	FuncSetAttribute  func(function Handle, attribute, value int32) Result

	OccupancyMaxActiveBlocksPerMultiprocessor func(function Handle, threads int32, sharedBytes uint64) (int32, Result)

	MemGetInfo   func() (free, total uint64, r Result)
	MemAlloc     func(bytes uint64) (Ptr, Result)
	MemFree      func(p Ptr) Result
	MemHostAlloc func(bytes uint64, flags uint32) (unsafe.Pointer, Result)
	MemFreeHost  func(p unsafe.Pointer) Result
	// MemHostRegister pins memory that the driver has not allocated.
	MemHostRegister   func(p unsafe.Pointer, bytes uint64, flags uint32) Result
	MemHostUnregister func(p unsafe.Pointer) Result

	MemcpyHtoDAsync func(dst Ptr, src unsafe.Pointer, bytes uint64, stream Handle) Result
	MemcpyDtoHAsync func(dst unsafe.Pointer, src Ptr, bytes uint64, stream Handle) Result
	MemsetD8Async   func(dst Ptr, value byte, bytes uint64, stream Handle) Result

	StreamCreateWithPriority func(flags uint32, priority int32) (Handle, Result)
	StreamDestroy            func(stream Handle) Result
	StreamQuery              func(stream Handle) Result
	StreamSynchronize        func(stream Handle) Result

	EventCreate      func(flags uint32) (Handle, Result)
	EventDestroy     func(event Handle) Result
	EventRecord      func(event, stream Handle) Result
	EventSynchronize func(event Handle) Result

	// LaunchKernel launches a kernel with one parameter, which is copied from
	// params before the call returns. Grids and blocks have one dimension.
	LaunchKernel func(function Handle, grid, block, sharedBytes uint32, stream Handle, params unsafe.Pointer) Result
}

// Values of cuda.h that the functions take.
const (
	AttributeClockRate           = 13 // kHz
	AttributeMultiprocessors     = 16
	AttributeL2Bytes             = 38
	AttributeThreadsPerSM        = 39
	AttributeMajor               = 75
	AttributeMinor               = 76
	AttributeSharedPerSM         = 81
	AttributeRegistersPerSM      = 82
	AttributeHostPointers        = 91 // 1 if memory of MemHostRegister has the host's address on the device
	AttributeSharedPerBlockOptin = 97

	FunctionStaticShared  = 1 // bytes that the kernel declares itself
	FunctionDynamicShared = 8
	FunctionCarveout      = 9 // percent of an SM's on-chip memory to use as shared memory

	HostAllocPortable    = 1 // pinned for every context
	HostRegisterPortable = 1
	StreamNonBlocking    = 1 // does not wait for the default stream
	EventBlockingSync    = 1 // a waiting thread sleeps instead of spinning
	EventDisableTiming   = 2 // has no time
)

// Start initializes the driver; Load does it for the real one. The error is
// ErrNoDevice, ErrTooOld or else ErrNoDriver, with an *Error inside.
func (api *API) Start() error {
	err := api.check("cuInit", api.Init(0))
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

// check converts the result of a call to an error, nil for Success.
func (api *API) check(call string, r Result) error {
	if r == Success {
		return nil
	}
	e := &Error{Call: call, Code: int(r)}
	known := resultTexts[r]
	if e.Name = api.GetErrorName(r); e.Name == "" {
		e.Name = known.name
	}
	if e.Text = api.GetErrorString(r); e.Text == "" {
		e.Text = known.text
	}
	return e
}
