//go:build linux && (amd64 || arm64)

package gpu

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// How C is called. Every argument travels as a word: the driver's arguments are
// integers and pointers only, and C looks at the low 32 bits of an int.
//
// Whatever C writes to or reads from through a pointer must stay where it is
// during the call. Pointers are converted to uintptr in the argument list of
// call and nowhere else: go:uintptrescapes then keeps what they point to on the
// heap, which does not move, and alive until call returns. Pointers inside
// such memory, as the parameters of a launch, need a KeepAlive of their own.

//go:uintptrescapes
func call(fn uintptr, args ...uintptr) result {
	r, _, _ := purego.SyscallN(fn, args...)
	return result(int32(r))
}

// library looks up symbols and remembers the first that is missing.
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

// openLibrary opens the driver's library and looks up every symbol.
func openLibrary(name string) (*driver, error) {
	setConnections()
	// The reason for a failure is kept by thread, and asked for in another call.
	runtime.LockOSThread()
	h, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	runtime.UnlockOSThread()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDriver, err)
	}
	l := &library{name: name, handle: h}
	drv := &driver{}
	bindDevices(drv, l)
	bindModules(drv, l)
	bindMemory(drv, l)
	bindStreams(drv, l)
	if l.err != nil {
		// The library stays loaded: it may have started threads.
		return nil, l.err
	}
	return drv, nil
}

// setConnections has the driver, which has not been started yet, make more queues
// to the device than the 8 it makes by itself: of streams that share one, the
// kernels of one wait for those of the other. More take longer to make: 32, one for
// each lane, half a second. The user's own setting stays. Without such a function
// all is as it would be.
//
// Go's os.Setenv does not reach C.
func setConnections() {
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil {
		return
	}
	name, value := append([]byte(connectionsVariable), 0), append([]byte(connections), 0)
	const overwrite = 0
	call(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), overwrite)
}

// connectionsVariable has the number of queues, 1 to 32.
const (
	connectionsVariable = "CUDA_DEVICE_MAX_CONNECTIONS"
	connections         = "16"
)

func bindDevices(drv *driver, l *library) {
	cuGetErrorName := l.symbol("cuGetErrorName")
	drv.getErrorName = func(r result) string {
		var text *byte
		call(cuGetErrorName, uintptr(r), uintptr(unsafe.Pointer(&text)))
		return goString(text)
	}
	cuGetErrorString := l.symbol("cuGetErrorString")
	drv.getErrorString = func(r result) string {
		var text *byte
		call(cuGetErrorString, uintptr(r), uintptr(unsafe.Pointer(&text)))
		return goString(text)
	}
	cuInit := l.symbol("cuInit")
	drv.init = func(flags uint32) result { return call(cuInit, uintptr(flags)) }
	cuDriverGetVersion := l.symbol("cuDriverGetVersion")
	drv.driverGetVersion = func() (version int32, r result) {
		r = call(cuDriverGetVersion, uintptr(unsafe.Pointer(&version)))
		return version, r
	}
	cuDeviceGetCount := l.symbol("cuDeviceGetCount")
	drv.deviceGetCount = func() (n int32, r result) {
		r = call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n)))
		return n, r
	}
	cuDeviceGet := l.symbol("cuDeviceGet")
	drv.deviceGet = func(ordinal int32) (device int32, r result) {
		r = call(cuDeviceGet, uintptr(unsafe.Pointer(&device)), uintptr(ordinal))
		return device, r
	}
	cuDeviceGetName := l.symbol("cuDeviceGetName")
	drv.deviceGetName = func(device int32) (string, result) {
		var name [256]byte
		r := call(cuDeviceGetName, uintptr(unsafe.Pointer(&name)), uintptr(len(name)), uintptr(device))
		text, _, _ := bytes.Cut(name[:], []byte{0})
		return string(text), r
	}
	cuDeviceGetUuid := l.symbol("cuDeviceGetUuid")
	drv.deviceGetUuid = func(device int32) (uuid [16]byte, r result) {
		r = call(cuDeviceGetUuid, uintptr(unsafe.Pointer(&uuid)), uintptr(device))
		return uuid, r
	}
	cuDeviceTotalMem := l.symbol("cuDeviceTotalMem_v2")
	drv.deviceTotalMem = func(device int32) (n uint64, r result) {
		r = call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(device))
		return n, r
	}
	cuDeviceGetAttribute := l.symbol("cuDeviceGetAttribute")
	drv.deviceGetAttribute = func(attribute, device int32) (v int32, r result) {
		r = call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), uintptr(attribute), uintptr(device))
		return v, r
	}
	cuDevicePrimaryCtxRetain := l.symbol("cuDevicePrimaryCtxRetain")
	drv.devicePrimaryCtxRetain = func(device int32) (ctx handle, r result) {
		r = call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&ctx)), uintptr(device))
		return ctx, r
	}
	cuDevicePrimaryCtxRelease := l.symbol("cuDevicePrimaryCtxRelease_v2")
	drv.devicePrimaryCtxRelease = func(device int32) result {
		return call(cuDevicePrimaryCtxRelease, uintptr(device))
	}
	cuCtxSetCurrent := l.symbol("cuCtxSetCurrent")
	drv.ctxSetCurrent = func(ctx handle) result { return call(cuCtxSetCurrent, uintptr(ctx)) }
}

func bindModules(drv *driver, l *library) {
	cuModuleLoadData := l.symbol("cuModuleLoadData")
	drv.moduleLoadData = func(image []byte) (m handle, r result) {
		r = call(cuModuleLoadData, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(unsafe.SliceData(image))))
		return m, r
	}
	cuModuleUnload := l.symbol("cuModuleUnload")
	drv.moduleUnload = func(m handle) result { return call(cuModuleUnload, uintptr(m)) }
	cuModuleGetFunction := l.symbol("cuModuleGetFunction")
	drv.moduleGetFunction = func(m handle, name string) (f handle, r result) {
		text := append([]byte(name), 0)
		r = call(cuModuleGetFunction, uintptr(unsafe.Pointer(&f)), uintptr(m), uintptr(unsafe.Pointer(unsafe.SliceData(text))))
		return f, r
	}
	cuFuncSetAttribute := l.symbol("cuFuncSetAttribute")
	drv.funcSetAttribute = func(f handle, attribute, value int32) result {
		return call(cuFuncSetAttribute, uintptr(f), uintptr(attribute), uintptr(value))
	}
	cuOccupancy := l.symbol("cuOccupancyMaxActiveBlocksPerMultiprocessor")
	drv.occupancyMaxActiveBlocksPerMultiprocessor = func(f handle, threads int32, sharedBytes uint64) (n int32, r result) {
		r = call(cuOccupancy, uintptr(unsafe.Pointer(&n)), uintptr(f), uintptr(threads), uintptr(sharedBytes))
		return n, r
	}
}

func bindMemory(drv *driver, l *library) {
	cuMemGetInfo := l.symbol("cuMemGetInfo_v2")
	drv.memGetInfo = func() (free, total uint64, r result) {
		r = call(cuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
		return free, total, r
	}
	cuMemAlloc := l.symbol("cuMemAlloc_v2")
	drv.memAlloc = func(n uint64) (p devicePtr, r result) {
		r = call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n))
		return p, r
	}
	cuMemFree := l.symbol("cuMemFree_v2")
	drv.memFree = func(p devicePtr) result { return call(cuMemFree, uintptr(p)) }
	cuMemHostAlloc := l.symbol("cuMemHostAlloc")
	drv.memHostAlloc = func(n uint64, flags uint32) (p unsafe.Pointer, r result) {
		r = call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), uintptr(flags))
		return p, r
	}
	cuMemFreeHost := l.symbol("cuMemFreeHost")
	drv.memFreeHost = func(p unsafe.Pointer) result { return call(cuMemFreeHost, uintptr(p)) }
	cuMemcpyHtoDAsync := l.symbol("cuMemcpyHtoDAsync_v2")
	drv.memcpyHtoDAsync = func(dst devicePtr, src unsafe.Pointer, n uint64, stream handle) result {
		return call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(src), uintptr(n), uintptr(stream))
	}
	cuMemcpyDtoHAsync := l.symbol("cuMemcpyDtoHAsync_v2")
	drv.memcpyDtoHAsync = func(dst unsafe.Pointer, src devicePtr, n uint64, stream handle) result {
		return call(cuMemcpyDtoHAsync, uintptr(dst), uintptr(src), uintptr(n), uintptr(stream))
	}
	cuMemsetD8Async := l.symbol("cuMemsetD8Async")
	drv.memsetD8Async = func(dst devicePtr, value byte, n uint64, stream handle) result {
		return call(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(n), uintptr(stream))
	}
}

func bindStreams(drv *driver, l *library) {
	cuStreamCreate := l.symbol("cuStreamCreate")
	drv.streamCreate = func(flags uint32) (s handle, r result) {
		r = call(cuStreamCreate, uintptr(unsafe.Pointer(&s)), uintptr(flags))
		return s, r
	}
	cuStreamDestroy := l.symbol("cuStreamDestroy_v2")
	drv.streamDestroy = func(s handle) result { return call(cuStreamDestroy, uintptr(s)) }
	cuStreamQuery := l.symbol("cuStreamQuery")
	drv.streamQuery = func(s handle) result { return call(cuStreamQuery, uintptr(s)) }
	cuStreamSynchronize := l.symbol("cuStreamSynchronize")
	drv.streamSynchronize = func(s handle) result { return call(cuStreamSynchronize, uintptr(s)) }

	cuEventCreate := l.symbol("cuEventCreate")
	drv.eventCreate = func(flags uint32) (e handle, r result) {
		r = call(cuEventCreate, uintptr(unsafe.Pointer(&e)), uintptr(flags))
		return e, r
	}
	cuEventDestroy := l.symbol("cuEventDestroy_v2")
	drv.eventDestroy = func(e handle) result { return call(cuEventDestroy, uintptr(e)) }
	cuEventRecord := l.symbol("cuEventRecord")
	drv.eventRecord = func(e, s handle) result { return call(cuEventRecord, uintptr(e), uintptr(s)) }
	cuEventSynchronize := l.symbol("cuEventSynchronize")
	drv.eventSynchronize = func(e handle) result { return call(cuEventSynchronize, uintptr(e)) }
	// The newer cuEventElapsedTime_v2 differs in nothing that matters here, and
	// older drivers lack it.
	cuEventElapsedTime := l.symbol("cuEventElapsedTime")
	drv.eventElapsedTime = func(start, end handle) (ms float32, r result) {
		r = call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), uintptr(start), uintptr(end))
		return ms, r
	}

	cuLaunchKernel := l.symbol("cuLaunchKernel")
	drv.launchKernel = func(f handle, grid, block, shared uint32, stream handle, params unsafe.Pointer) result {
		list := [1]unsafe.Pointer{params}
		r := call(cuLaunchKernel, uintptr(f), uintptr(grid), 1, 1, uintptr(block), 1, 1,
			uintptr(shared), uintptr(stream), uintptr(unsafe.Pointer(&list)), 0)
		runtime.KeepAlive(params)
		return r
	}
}

// goString copies C's text, which belongs to the driver; nil is empty.
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
