//go:build linux && (amd64 || arm64) && !nogpu

package driver

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Calls into C. Every argument is a word: the driver's arguments are integers and
// pointers only, and C reads the low 32 bits of an int.
//
// The target of a pointer must not move during the call. Pointers are converted to
// uintptr in the argument list of call and nowhere else: go:uintptrescapes then keeps
// their targets on the heap, which does not move, and alive until call returns.
// Pointers inside such memory, as the parameters of a launch, need their own
// KeepAlive.

//go:uintptrescapes
func call(fn uintptr, args ...uintptr) Result {
	r, _, _ := purego.SyscallN(fn, args...)
	return Result(int32(r))
}

// library looks up symbols and keeps the error of the first missing one.
type library struct {
	name   string
	handle uintptr
	err    error
}

func (l *library) symbol(name string) uintptr {
	p, err := purego.Dlsym(l.handle, name)
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("%w: %s has no %s; a driver for CUDA 11 or later is needed: %w", ErrTooOld, l.name, name, err)
	}
	return p
}

// openLibrary opens the driver's library and looks up every symbol. connections
// other than 0 are as in SetConnections.
func openLibrary(name string, connections int) (*API, error) {
	if connections > 0 {
		if err := exportConnections(connections); err != nil {
			return nil, err
		}
	}
	// dlerror, which Dlopen calls next, is per thread.
	runtime.LockOSThread()
	h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	runtime.UnlockOSThread()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDriver, err)
	}
	l := &library{name: name, handle: h}
	api := &API{}
	bindDevices(api, l)
	bindModules(api, l)
	bindMemory(api, l)
	bindStreams(api, l)
	if l.err != nil {
		// The library stays loaded: it may have started threads.
		return nil, l.err
	}
	return api, nil
}

// exportConnections sets the environment variable of the number of connections,
// unless the user has set it. It calls C's setenv: os.Setenv does not change C's
// environment.
func exportConnections(n int) error {
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil {
		return fmt.Errorf("%w: setting %s: %w", ErrNoDriver, connectionsVariable, err)
	}
	name, value := append([]byte(connectionsVariable), 0), append(strconv.AppendInt(nil, int64(n), 10), 0)
	const overwrite = 0
	if r := call(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), overwrite); r != 0 {
		return fmt.Errorf("%w: setting %s: setenv returned %d", ErrNoDriver, connectionsVariable, r)
	}
	return nil
}

func bindDevices(api *API, l *library) {
	cuGetErrorName := l.symbol("cuGetErrorName")
	api.GetErrorName = func(r Result) string {
		var text *byte
		call(cuGetErrorName, uintptr(r), uintptr(unsafe.Pointer(&text)))
		return goString(text)
	}
	cuGetErrorString := l.symbol("cuGetErrorString")
	api.GetErrorString = func(r Result) string {
		var text *byte
		call(cuGetErrorString, uintptr(r), uintptr(unsafe.Pointer(&text)))
		return goString(text)
	}
	cuInit := l.symbol("cuInit")
	api.Init = func(flags uint32) Result { return call(cuInit, uintptr(flags)) }
	cuDriverGetVersion := l.symbol("cuDriverGetVersion")
	api.DriverGetVersion = func() (version int32, r Result) {
		r = call(cuDriverGetVersion, uintptr(unsafe.Pointer(&version)))
		return version, r
	}
	cuDeviceGetCount := l.symbol("cuDeviceGetCount")
	api.DeviceGetCount = func() (n int32, r Result) {
		r = call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n)))
		return n, r
	}
	cuDeviceGet := l.symbol("cuDeviceGet")
	api.DeviceGet = func(ordinal int32) (device int32, r Result) {
		r = call(cuDeviceGet, uintptr(unsafe.Pointer(&device)), uintptr(ordinal))
		return device, r
	}
	cuDeviceGetName := l.symbol("cuDeviceGetName")
	api.DeviceGetName = func(device int32) (string, Result) {
		var name [256]byte
		r := call(cuDeviceGetName, uintptr(unsafe.Pointer(&name)), uintptr(len(name)), uintptr(device))
		text, _, _ := bytes.Cut(name[:], []byte{0})
		return string(text), r
	}
	cuDeviceGetUuid := l.symbol("cuDeviceGetUuid")
	api.DeviceGetUuid = func(device int32) (uuid [16]byte, r Result) {
		r = call(cuDeviceGetUuid, uintptr(unsafe.Pointer(&uuid)), uintptr(device))
		return uuid, r
	}
	cuDeviceTotalMem := l.symbol("cuDeviceTotalMem_v2")
	api.DeviceTotalMem = func(device int32) (n uint64, r Result) {
		r = call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(device))
		return n, r
	}
	cuDeviceGetAttribute := l.symbol("cuDeviceGetAttribute")
	api.DeviceGetAttribute = func(attribute, device int32) (v int32, r Result) {
		r = call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(attribute), uintptr(device))
		return v, r
	}
	cuDevicePrimaryCtxRetain := l.symbol("cuDevicePrimaryCtxRetain")
	api.DevicePrimaryCtxRetain = func(device int32) (ctx Handle, r Result) {
		r = call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&ctx)), uintptr(device))
		return ctx, r
	}
	cuDevicePrimaryCtxRelease := l.symbol("cuDevicePrimaryCtxRelease_v2")
	api.DevicePrimaryCtxRelease = func(device int32) Result {
		return call(cuDevicePrimaryCtxRelease, uintptr(device))
	}
	cuCtxSetCurrent := l.symbol("cuCtxSetCurrent")
	api.CtxSetCurrent = func(ctx Handle) Result { return call(cuCtxSetCurrent, uintptr(ctx)) }
}

func bindModules(api *API, l *library) {
	cuModuleLoadData := l.symbol("cuModuleLoadData")
	api.ModuleLoadData = func(image []byte) (m Handle, r Result) {
		r = call(cuModuleLoadData, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(unsafe.SliceData(image))))
		return m, r
	}
	cuModuleUnload := l.symbol("cuModuleUnload")
	api.ModuleUnload = func(m Handle) Result { return call(cuModuleUnload, uintptr(m)) }
	cuModuleGetFunction := l.symbol("cuModuleGetFunction")
	api.ModuleGetFunction = func(m Handle, name string) (f Handle, r Result) {
		text := append([]byte(name), 0)
		r = call(cuModuleGetFunction, uintptr(unsafe.Pointer(&f)), uintptr(m), uintptr(unsafe.Pointer(unsafe.SliceData(text))))
		return f, r
	}
	cuFuncGetAttribute := l.symbol("cuFuncGetAttribute")
	api.FuncGetAttribute = func(f Handle, attribute int32) (v int32, r Result) {
		r = call(cuFuncGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(attribute), uintptr(f))
		return v, r
	}
	cuFuncSetAttribute := l.symbol("cuFuncSetAttribute")
	api.FuncSetAttribute = func(f Handle, attribute, value int32) Result {
		return call(cuFuncSetAttribute, uintptr(f), uintptr(attribute), uintptr(value))
	}
	cuOccupancy := l.symbol("cuOccupancyMaxActiveBlocksPerMultiprocessor")
	api.OccupancyMaxActiveBlocksPerMultiprocessor = func(f Handle, threads int32, sharedBytes uint64) (n int32, r Result) {
		r = call(cuOccupancy, uintptr(unsafe.Pointer(&n)), uintptr(f), uintptr(threads), uintptr(sharedBytes))
		return n, r
	}
}

func bindMemory(api *API, l *library) {
	cuMemGetInfo := l.symbol("cuMemGetInfo_v2")
	api.MemGetInfo = func() (free, total uint64, r Result) {
		r = call(cuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
		return free, total, r
	}
	cuMemAlloc := l.symbol("cuMemAlloc_v2")
	api.MemAlloc = func(n uint64) (p Ptr, r Result) {
		r = call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n))
		return p, r
	}
	cuMemFree := l.symbol("cuMemFree_v2")
	api.MemFree = func(p Ptr) Result { return call(cuMemFree, uintptr(p)) }
	cuMemHostAlloc := l.symbol("cuMemHostAlloc")
	api.MemHostAlloc = func(n uint64, flags uint32) (p unsafe.Pointer, r Result) {
		r = call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), uintptr(flags))
		return p, r
	}
	cuMemFreeHost := l.symbol("cuMemFreeHost")
	api.MemFreeHost = func(p unsafe.Pointer) Result { return call(cuMemFreeHost, uintptr(p)) }
	cuMemHostRegister := l.symbol("cuMemHostRegister_v2")
	api.MemHostRegister = func(p unsafe.Pointer, n uint64, flags uint32) Result {
		return call(cuMemHostRegister, uintptr(p), uintptr(n), uintptr(flags))
	}
	cuMemHostUnregister := l.symbol("cuMemHostUnregister")
	api.MemHostUnregister = func(p unsafe.Pointer) Result { return call(cuMemHostUnregister, uintptr(p)) }
	cuMemcpyHtoDAsync := l.symbol("cuMemcpyHtoDAsync_v2")
	api.MemcpyHtoDAsync = func(dst Ptr, src unsafe.Pointer, n uint64, stream Handle) Result {
		return call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(src), uintptr(n), uintptr(stream))
	}
	cuMemcpyDtoHAsync := l.symbol("cuMemcpyDtoHAsync_v2")
	api.MemcpyDtoHAsync = func(dst unsafe.Pointer, src Ptr, n uint64, stream Handle) Result {
		return call(cuMemcpyDtoHAsync, uintptr(dst), uintptr(src), uintptr(n), uintptr(stream))
	}
	cuMemsetD8Async := l.symbol("cuMemsetD8Async")
	api.MemsetD8Async = func(dst Ptr, value byte, n uint64, stream Handle) Result {
		return call(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(n), uintptr(stream))
	}
}

func bindStreams(api *API, l *library) {
	cuStreamCreateWithPriority := l.symbol("cuStreamCreateWithPriority")
	api.StreamCreateWithPriority = func(flags uint32, priority int32) (s Handle, r Result) {
		r = call(cuStreamCreateWithPriority, uintptr(unsafe.Pointer(&s)), uintptr(flags), uintptr(priority))
		return s, r
	}
	cuStreamDestroy := l.symbol("cuStreamDestroy_v2")
	api.StreamDestroy = func(s Handle) Result { return call(cuStreamDestroy, uintptr(s)) }
	cuStreamQuery := l.symbol("cuStreamQuery")
	api.StreamQuery = func(s Handle) Result { return call(cuStreamQuery, uintptr(s)) }
	cuStreamSynchronize := l.symbol("cuStreamSynchronize")
	api.StreamSynchronize = func(s Handle) Result { return call(cuStreamSynchronize, uintptr(s)) }

	cuEventCreate := l.symbol("cuEventCreate")
	api.EventCreate = func(flags uint32) (e Handle, r Result) {
		r = call(cuEventCreate, uintptr(unsafe.Pointer(&e)), uintptr(flags))
		return e, r
	}
	cuEventDestroy := l.symbol("cuEventDestroy_v2")
	api.EventDestroy = func(e Handle) Result { return call(cuEventDestroy, uintptr(e)) }
	cuEventRecord := l.symbol("cuEventRecord")
	api.EventRecord = func(e, s Handle) Result { return call(cuEventRecord, uintptr(e), uintptr(s)) }
	cuEventSynchronize := l.symbol("cuEventSynchronize")
	api.EventSynchronize = func(e Handle) Result { return call(cuEventSynchronize, uintptr(e)) }

	cuLaunchKernel := l.symbol("cuLaunchKernel")
	api.LaunchKernel = func(f Handle, grid, block, shared uint32, stream Handle, params unsafe.Pointer) Result {
		list := [1]unsafe.Pointer{params}
		r := call(cuLaunchKernel, uintptr(f), uintptr(grid), 1, 1, uintptr(block), 1, 1,
			uintptr(shared), uintptr(stream), uintptr(unsafe.Pointer(&list)), 0)
		runtime.KeepAlive(params)
		return r
	}
}

// goString copies a C string of the driver; nil is empty.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
