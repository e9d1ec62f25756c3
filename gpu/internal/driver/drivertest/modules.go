package drivertest

import (
	"bytes"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// Kernel are the resources that a kernel uses.
type Kernel struct {
	Registers    int32 // per thread
	StaticShared int32 // bytes of shared memory per block
	In           int   // size of the only image that has it, in bytes; 0: all have it
}

// Sizes of the devices, those of an H200.
const (
	sharedPerBlock = 227 << 10
	sharedPerSM    = 228 << 10
	threadsPerSM   = 2048
	registersPerSM = 65536
	plainShared    = 48 << 10 // dynamic shared memory without SetSharedBytes
)

// modules are the functions of modules and kernels.
type modules struct {
	*objects
	// Kernels are the kernels of every module, by name.
	Kernels map[string]Kernel
}

func (f *modules) fill(api *driver.API) {
	api.ModuleLoadData = func(image []byte) (driver.Handle, driver.Result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuModuleLoadData")
		if r == driver.Success && !loadable(image) {
			r = driver.ResultInvalidImage
		}
		if r != driver.Success {
			return 0, r
		}
		return f.add(&object{kind: "module", ctx: ctx, size: len(image)}), driver.Success
	}
	api.ModuleUnload = func(h driver.Handle) driver.Result { return f.destroy("cuModuleUnload", h, "module") }
	api.ModuleGetFunction = func(h driver.Handle, name string) (driver.Handle, driver.Result) {
		defer f.mu.Unlock()
		o, r := f.use("cuModuleGetFunction", h, "module")
		if r != driver.Success {
			return 0, r
		}
		if k, ok := f.Kernels[name]; !ok || k.In != 0 && k.In != o.size {
			return 0, driver.ResultNotFound
		}
		return f.add(&object{kind: "function", ctx: o.ctx, name: name, module: h}), driver.Success
	}
	api.FuncGetAttribute = func(h driver.Handle, attribute int32) (int32, driver.Result) {
		defer f.mu.Unlock()
		o, r := f.use("cuFuncGetAttribute", h, "function")
		if r == driver.Success && attribute != driver.FunctionStaticShared {
			r = driver.ResultInvalidValue
		}
		if r != driver.Success {
			return 0, r
		}
		return f.Kernels[o.name].StaticShared, driver.Success
	}
	api.FuncSetAttribute = func(h driver.Handle, attribute, value int32) driver.Result {
		defer f.mu.Unlock()
		o, r := f.use("cuFuncSetAttribute", h, "function")
		if r != driver.Success {
			return r
		}
		switch {
		case attribute == driver.FunctionDynamicShared && value >= 0 && value <= sharedPerBlock-f.Kernels[o.name].StaticShared:
			o.shared = value
		case attribute == driver.FunctionCarveout && value >= -1 && value <= 100:
		default:
			return driver.ResultInvalidValue
		}
		return driver.Success
	}
	api.OccupancyMaxActiveBlocksPerMultiprocessor = func(h driver.Handle, threads int32, shared uint64) (int32, driver.Result) {
		defer f.mu.Unlock()
		o, r := f.use("cuOccupancyMaxActiveBlocksPerMultiprocessor", h, "function")
		if r == driver.Success && threads < 1 {
			r = driver.ResultInvalidValue
		}
		if r != driver.Success {
			return 0, r
		}
		return f.blocksPerSM(o, threads, shared), driver.Success
	}
}

func (f *modules) blocksPerSM(o *object, threads int32, shared uint64) int32 {
	if threads > 1024 || shared > uint64(max(o.shared, plainShared)) {
		return 0
	}
	n := min(32, threadsPerSM/threads, int32(sharedPerSM/(shared+1<<10)))
	if regs := f.Kernels[o.name].Registers; regs > 0 {
		n = min(n, registersPerSM/(regs*threads))
	}
	return n
}

// loadable reports whether the driver can read an image: PTX, which has no zero byte but the last
// one, or an aligned binary image.
func loadable(image []byte) bool {
	switch bytes.IndexByte(image, 0) {
	case -1:
		return false
	case len(image) - 1:
		return true
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(image)))%16 == 0
}
