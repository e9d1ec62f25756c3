//go:build amd64 || arm64

package drivertest

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"wfagpu/gpu/internal/driver"
)

// elapsedTime returns cuEventElapsedTime. Older drivers lack cuEventElapsedTime_v2,
// which gives the same results here.
func elapsedTime() (func(start, end driver.Handle) (float32, driver.Result), error) {
	library, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	symbol, err := purego.Dlsym(library, "cuEventElapsedTime")
	if err != nil {
		return nil, err
	}
	return func(start, end driver.Handle) (float32, driver.Result) {
		ms := new(float32) // on the heap, as C writes to it
		r := call(symbol, uintptr(unsafe.Pointer(ms)), uintptr(start), uintptr(end))
		return *ms, r
	}, nil
}

// call keeps the targets of its arguments in place and alive.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) driver.Result {
	r, _, _ := purego.SyscallN(fn, args...)
	return driver.Result(int32(r))
}
