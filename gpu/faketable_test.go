package gpu

import (
	"encoding/binary"
	"unsafe"
)

// driver returns the table, started.
func (f *fakeDriver) driver() *driver {
	drv := f.table()
	if err := drv.start(); err != nil {
		panic(err)
	}
	return drv
}

// table returns the table as a library just opened has it.
func (f *fakeDriver) table() *driver {
	drv := &driver{}
	f.fillDevices(drv)
	f.fillModules(drv)
	f.fillMemory(drv)
	f.fillStreams(drv)
	return drv
}

func (f *fakeDriver) fillDevices(drv *driver) {
	drv.getErrorName = func(r result) string {
		if f.mute {
			return ""
		}
		return resultTexts[r].name
	}
	drv.getErrorString = func(r result) string {
		if f.mute {
			return ""
		}
		return resultTexts[r].text
	}
	drv.init = func(uint32) result {
		defer f.mu.Unlock()
		r := f.begin("cuInit")
		f.started = f.started || r == success
		return r
	}
	drv.driverGetVersion = func() (int32, result) {
		defer f.mu.Unlock()
		return f.version, f.begin("cuDriverGetVersion")
	}
	drv.deviceGetCount = func() (int32, result) {
		defer f.mu.Unlock()
		return int32(len(f.devices)), f.begin("cuDeviceGetCount")
	}
	drv.deviceGet = func(ordinal int32) (int32, result) {
		defer f.mu.Unlock()
		r := f.begin("cuDeviceGet")
		if r == success && !f.valid(ordinal) {
			r = resultInvalidDevice
		}
		return ordinal, r
	}
	drv.deviceGetName = func(device int32) (string, result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceGetName"); r != success {
			return "", r
		}
		return f.devices[device].name, success
	}
	drv.deviceGetUuid = func(device int32) (uuid [16]byte, r result) {
		defer f.mu.Unlock()
		binary.BigEndian.PutUint64(uuid[:], 0x0123456789abcdef)
		uuid[15] = byte(device)
		return uuid, f.begin("cuDeviceGetUuid")
	}
	drv.deviceTotalMem = func(device int32) (uint64, result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceTotalMem"); r != success {
			return 0, r
		}
		return f.devices[device].memory, success
	}
	drv.deviceGetAttribute = func(attribute, device int32) (int32, result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceGetAttribute"); r != success {
			return 0, r
		}
		d := f.devices[device]
		values := map[int32]int32{
			attributeClockRate: 1980000, attributeMultiprocessors: d.sms, attributeL2Bytes: 60 << 20,
			attributeThreadsPerSM: fakeThreadsPerSM, attributeMajor: d.major, attributeMinor: d.minor,
			attributeSharedPerSM: fakeSharedPerSM, attributeRegistersPerSM: fakeRegistersPerSM,
			attributeSharedPerBlockOptin: fakeSharedPerBlock,
		}
		v, ok := values[attribute]
		if !ok {
			return 0, resultInvalidValue
		}
		return v, success
	}
	drv.devicePrimaryCtxRetain = func(device int32) (handle, result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDevicePrimaryCtxRetain"); r != success {
			return 0, r
		}
		f.devices[device].retains++
		return contextOf(device), success
	}
	drv.devicePrimaryCtxRelease = func(device int32) result {
		defer f.mu.Unlock()
		r := f.begin("cuDevicePrimaryCtxRelease")
		if r == success && f.devices[device].retains == 0 {
			r = 201
		}
		if r != success {
			return r
		}
		f.devices[device].retains--
		if f.devices[device].retains == 0 {
			f.endContext(contextOf(device))
		}
		return success
	}
	drv.ctxSetCurrent = func(ctx handle) result {
		defer f.mu.Unlock()
		r := f.begin("cuCtxSetCurrent")
		if r == success && ctx != 0 && (f.ordinal(ctx) < 0 || f.ordinal(ctx) >= len(f.devices) || f.of(ctx).retains == 0) {
			r = 201
		}
		if r == success {
			f.current[threadID()] = ctx
		}
		return r
	}
}

func (f *fakeDriver) fillModules(drv *driver) {
	drv.moduleLoadData = func(image []byte) (handle, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuModuleLoadData")
		if r == success && (len(image) == 0 || image[len(image)-1] != 0) {
			r = resultInvalidImage
		}
		if r != success {
			return 0, r
		}
		return f.add(&fakeObject{kind: "module", ctx: ctx}), success
	}
	drv.moduleUnload = func(m handle) result { return f.destroy("cuModuleUnload", m, "module") }
	drv.moduleGetFunction = func(m handle, name string) (handle, result) {
		defer f.mu.Unlock()
		o, r := f.use("cuModuleGetFunction", m, "module")
		if r != success {
			return 0, r
		}
		if _, ok := f.kernels[name]; !ok {
			return 0, resultNotFound
		}
		return f.add(&fakeObject{kind: "function", ctx: o.ctx, name: name, module: m}), success
	}
	drv.funcSetAttribute = func(h handle, attribute, value int32) result {
		defer f.mu.Unlock()
		o, r := f.use("cuFuncSetAttribute", h, "function")
		if r != success {
			return r
		}
		switch {
		case attribute == functionDynamicShared && value >= 0 && value <= fakeSharedPerBlock:
			o.shared = value
		case attribute == functionCarveout && value >= -1 && value <= 100:
		default:
			return resultInvalidValue
		}
		return success
	}
	drv.occupancyMaxActiveBlocksPerMultiprocessor = func(h handle, threads int32, shared uint64) (int32, result) {
		defer f.mu.Unlock()
		o, r := f.use("cuOccupancyMaxActiveBlocksPerMultiprocessor", h, "function")
		if r == success && threads < 1 {
			r = resultInvalidValue
		}
		if r != success {
			return 0, r
		}
		return f.blocksPerSM(o, threads, shared), success
	}
}

func (f *fakeDriver) blocksPerSM(o *fakeObject, threads int32, shared uint64) int32 {
	if threads > 1024 || shared > uint64(max(o.shared, fakePlainShared)) {
		return 0
	}
	n := min(32, fakeThreadsPerSM/threads, int32(fakeSharedPerSM/(shared+1<<10)))
	if regs := f.kernels[o.name].registers; regs > 0 {
		n = min(n, fakeRegistersPerSM/(regs*threads))
	}
	return n
}

// work is what happens to a stream that is given some: a millisecond passes.
func (f *fakeDriver) work(s *fakeObject) {
	f.clock++
	s.busy = f.busyQueries
}

func (f *fakeDriver) fillStreams(drv *driver) {
	create := func(symbol, kind string, flags uint32) (handle, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn(symbol)
		if r != success {
			return 0, r
		}
		return f.add(&fakeObject{kind: kind, ctx: ctx, flags: flags}), success
	}
	drv.streamCreate = func(flags uint32) (handle, result) { return create("cuStreamCreate", "stream", flags) }
	drv.streamDestroy = func(s handle) result { return f.destroy("cuStreamDestroy", s, "stream") }
	drv.streamQuery = func(h handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuStreamQuery", h, "stream")
		if r == success && s.busy > 0 {
			s.busy--
			r = resultNotReady
		}
		return r
	}
	drv.streamSynchronize = func(h handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuStreamSynchronize", h, "stream")
		if r == success {
			s.busy = 0
		}
		return r
	}
	drv.eventCreate = func(flags uint32) (handle, result) { return create("cuEventCreate", "event", flags) }
	drv.eventDestroy = func(e handle) result { return f.destroy("cuEventDestroy", e, "event") }
	drv.eventRecord = func(e, s handle) result {
		defer f.mu.Unlock()
		stream, r := f.use("cuEventRecord", s, "stream")
		if r != success {
			return r
		}
		event, r := f.object(e, "event", stream.ctx)
		if r == success {
			event.time, event.recorded = f.clock, true
		}
		return r
	}
	drv.eventSynchronize = func(e handle) result {
		defer f.mu.Unlock()
		_, r := f.use("cuEventSynchronize", e, "event")
		return r
	}
	drv.eventElapsedTime = func(start, end handle) (float32, result) {
		defer f.mu.Unlock()
		a, r := f.use("cuEventElapsedTime", start, "event")
		if r != success {
			return 0, r
		}
		b, r := f.object(end, "event", a.ctx)
		if r == success && (!a.recorded || !b.recorded || (a.flags|b.flags)&eventDisableTiming != 0) {
			r = 400
		}
		if r != success {
			return 0, r
		}
		return float32(b.time - a.time), success
	}
	drv.launchKernel = func(h handle, grid, block, shared uint32, stream handle, params unsafe.Pointer) result {
		return f.run(h, grid, block, shared, stream, params)
	}
}

// run checks a launch and calls the hook, without the lock: kernels may take
// long and look into memory.
func (f *fakeDriver) run(h handle, grid, block, shared uint32, stream handle, params unsafe.Pointer) result {
	name, r := f.admit(h, grid, block, shared, stream)
	if r == success && f.launch != nil {
		r = f.launch(name, int(grid), int(block), int(shared), params)
	}
	return r
}

func (f *fakeDriver) admit(h handle, grid, block, shared uint32, stream handle) (string, result) {
	defer f.mu.Unlock()
	s, r := f.use("cuLaunchKernel", stream, "stream")
	if r != success {
		return "", r
	}
	o, r := f.object(h, "function", s.ctx)
	if r != success {
		return "", r
	}
	if grid < 1 || block < 1 || block > 1024 || shared > uint32(max(o.shared, fakePlainShared)) {
		return "", resultInvalidValue
	}
	if f.blocksPerSM(o, int32(block), uint64(shared)) < 1 {
		return "", 701 // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
	}
	f.work(s)
	return o.name, success
}
