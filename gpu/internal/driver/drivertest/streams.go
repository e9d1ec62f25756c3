package drivertest

import (
	"sync/atomic"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// streams are the functions of streams and events: copies and launches.
type streams struct {
	*modules
	*memory
	// Launch does the work of a kernel. grid, block and sharedBytes are those
	// of the launch, and params points to the kernel's parameter. A result
	// other than Success fails the launch. nil: kernels do nothing. Calls may
	// be concurrent.
	Launch func(name string, grid, block, sharedBytes int, params unsafe.Pointer) driver.Result
	// BusyQueries is the number of times that cuStreamQuery returns "not ready"
	// after new work.
	BusyQueries int
}

// SetBusy makes the next queries of a stream return "not ready".
func (f *streams) SetBusy(stream driver.Handle, queries int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all[stream].busy = queries
}

func (f *streams) fill(api *driver.API) {
	create := func(symbol, kind string) (driver.Handle, driver.Result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn(symbol)
		if r != driver.Success {
			return 0, r
		}
		return f.add(&object{kind: kind, ctx: ctx}), driver.Success
	}
	api.StreamCreateWithPriority = func(uint32, int32) (driver.Handle, driver.Result) {
		return create("cuStreamCreateWithPriority", "stream")
	}
	api.StreamDestroy = func(s driver.Handle) driver.Result { return f.destroy("cuStreamDestroy", s, "stream") }
	api.StreamQuery = func(h driver.Handle) driver.Result {
		defer f.mu.Unlock()
		s, r := f.use("cuStreamQuery", h, "stream")
		if r == driver.Success && s.busy > 0 {
			s.busy--
			r = driver.ResultNotReady
		}
		return r
	}
	api.StreamSynchronize = func(h driver.Handle) driver.Result {
		defer f.mu.Unlock()
		s, r := f.use("cuStreamSynchronize", h, "stream")
		if r == driver.Success {
			s.busy = 0
		}
		return r
	}
	api.EventCreate = func(uint32) (driver.Handle, driver.Result) { return create("cuEventCreate", "event") }
	api.EventDestroy = func(e driver.Handle) driver.Result { return f.destroy("cuEventDestroy", e, "event") }
	api.EventRecord = func(e, s driver.Handle) driver.Result {
		defer f.mu.Unlock()
		stream, r := f.use("cuEventRecord", s, "stream")
		if r == driver.Success {
			_, r = f.find(e, "event", stream.ctx)
		}
		return r
	}
	api.EventSynchronize = func(e driver.Handle) driver.Result {
		defer f.mu.Unlock()
		_, r := f.use("cuEventSynchronize", e, "event")
		return r
	}
	f.fillCopies(api)
	api.LaunchKernel = f.launch
}

func (f *streams) fillCopies(api *driver.API) {
	api.MemcpyHtoDAsync = func(dst driver.Ptr, src unsafe.Pointer, n uint64, stream driver.Handle) driver.Result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyHtoDAsync", stream, "stream")
		if r != driver.Success {
			return r
		}
		return f.copy(s, f.bytesAt(dst, n), f.pinnedAt(uintptr(src), n))
	}
	api.MemcpyDtoHAsync = func(dst unsafe.Pointer, src driver.Ptr, n uint64, stream driver.Handle) driver.Result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyDtoHAsync", stream, "stream")
		if r != driver.Success {
			return r
		}
		return f.copy(s, f.pinnedAt(uintptr(dst), n), f.bytesAt(src, n))
	}
	api.MemsetD8Async = func(dst driver.Ptr, value byte, n uint64, stream driver.Handle) driver.Result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemsetD8Async", stream, "stream")
		if r != driver.Success {
			return r
		}
		b := f.bytesAt(dst, n)
		if b == nil {
			return driver.ResultInvalidValue
		}
		s.busy = f.BusyQueries
		for i := range b {
			b[i] = value
		}
		return driver.Success
	}
}

func (f *streams) copy(s *object, dst, src []byte) driver.Result {
	if dst == nil || src == nil {
		return driver.ResultInvalidValue
	}
	s.busy = f.BusyQueries
	if len(dst) == 4 { // kernels may wait for a word
		atomic.StoreUint32((*uint32)(unsafe.Pointer(&dst[0])), *(*uint32)(unsafe.Pointer(&src[0])))
		return driver.Success
	}
	copy(dst, src)
	return driver.Success
}

// launch checks a launch and calls f.Launch without the lock: kernels may take long
// and access memory.
func (f *streams) launch(h driver.Handle, grid, block, shared uint32, stream driver.Handle, params unsafe.Pointer) driver.Result {
	name, r := f.admit(h, grid, block, shared, stream)
	if r == driver.Success && f.Launch != nil {
		r = f.Launch(name, int(grid), int(block), int(shared), params)
	}
	return r
}

func (f *streams) admit(h driver.Handle, grid, block, shared uint32, stream driver.Handle) (string, driver.Result) {
	defer f.mu.Unlock()
	s, r := f.use("cuLaunchKernel", stream, "stream")
	if r != driver.Success {
		return "", r
	}
	o, r := f.find(h, "function", s.ctx)
	if r != driver.Success {
		return "", r
	}
	if grid < 1 || block < 1 || block > 1024 || shared > uint32(max(o.shared, plainShared)) {
		return "", driver.ResultInvalidValue
	}
	if f.blocksPerSM(o, int32(block), uint64(shared)) < 1 {
		return "", launchOutOfResources
	}
	s.busy = f.BusyQueries
	return o.name, driver.Success
}
