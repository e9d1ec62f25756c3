package gpu

import (
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sort"
	"sync"
	"testing"
	"unsafe"
)

// fakeDriver is a CUDA driver in Go. Device memory is Go memory behind made-up
// addresses, and an access that is not wholly inside one allocation is an
// error. Work of streams is done at once. Every call that needs a context fails
// unless the calling OS thread has set one, and handles work only in the
// context that they were made in.
//
// The fields above mu are set before the first call. Faults are injected with
// failNth and failEvery. It is safe for concurrent use.
type fakeDriver struct {
	devices []fakeDevice
	version int32 // of CUDA

	// kernels are what every module holds.
	kernels map[string]fakeKernel
	// launch does the work of a kernel. grid, block and shared are those of
	// the launch and params points to its parameter; memoryAt finds the bytes
	// behind pointers in it. nil: kernels do nothing. Calls may be concurrent.
	launch func(name string, grid, block, shared int, params unsafe.Pointer) result

	// take returns memory for an allocation, on the device or pinned, and give
	// gets back what was freed. What is in the memory may be anything.
	take func(n int) []byte
	give func([]byte)

	// hostLimit bounds pinned memory in bytes; 0 is no limit.
	hostLimit uint64
	// busyQueries is how often cuStreamQuery says "not ready" after new work.
	busyQueries int
	// shuffle gives other goroutines a chance to take the thread in every call,
	// so that a goroutine that is not locked to it is soon found out.
	shuffle bool
	// mute leaves the names of results unknown.
	mute bool

	mu       sync.Mutex
	started  bool
	current  map[int]handle // by OS thread
	objects  map[handle]*fakeObject
	blocks   []*fakeBlock // device memory, by address
	pinned   map[uintptr]*fakePinned
	next     uintptr // handles and addresses
	clock    float64 // milliseconds of the device
	calls    int
	failAt   int // the call to fail, counted from 1; 0 for none
	failWith result
	log      []string // every call, by symbol
	broken   map[string]result
	lost     []string // kinds of what was alive when its context went
	failedIn string   // the symbol that failNth hit
}

// fakeDevice is one GPU.
type fakeDevice struct {
	name         string
	major, minor int32
	memory       uint64 // bytes
	sms          int32

	retains int
	used    uint64
}

// fakeKernel is what a kernel needs per thread.
type fakeKernel struct {
	registers int32
}

type fakeObject struct {
	kind     string // "module", "function", "stream", "event"
	ctx      handle
	name     string // of a function
	shared   int32  // of a function: allowed dynamic shared memory
	module   handle // of a function
	flags    uint32
	busy     int     // of a stream: queries to come that say "not ready"
	recorded bool    // of an event
	time     float64 // of an event
}

type fakeBlock struct {
	base devicePtr
	data []byte
	ctx  handle
}

type fakePinned struct {
	data []byte
	ctx  handle
}

// Sizes of the fake devices, those of an H200.
const (
	fakeSharedPerBlock = 227 << 10
	fakeSharedPerSM    = 228 << 10
	fakeThreadsPerSM   = 2048
	fakeRegistersPerSM = 65536
	fakePlainShared    = 48 << 10 // dynamic shared memory without asking
)

// fakeImage is accepted as a kernel image.
var fakeImage = []byte(".version 8.0\n.target sm_80\n")

// newFake returns a driver with n devices of compute capability 9.0 and 1 GiB.
func newFake(n int) *fakeDriver {
	f := &fakeDriver{
		version: 13000,
		kernels: map[string]fakeKernel{},
		broken:  map[string]result{},
		current: map[int]handle{},
		objects: map[handle]*fakeObject{},
		pinned:  map[uintptr]*fakePinned{},
		next:    0x7f00_0000_0000,
		take:    func(n int) []byte { return make([]byte, n) },
		give:    func([]byte) {},
	}
	for i := range n {
		f.devices = append(f.devices, fakeDevice{name: fmt.Sprintf("Fake H200 #%d", i), major: 9, memory: 1 << 30, sms: 132})
	}
	return f
}

// openFake returns the first device of a fake, opened until the test ends. What
// is left alive then fails the test.
func openFake(t *testing.T, f *fakeDriver) *device {
	t.Helper()
	d, err := openDevice(f.driver(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
		f.expectNothingLeft(t)
	})
	return d
}

// live counts what has not been given back, by kind: "context" (retains),
// "memory", "pinned", "module", "stream", "event". Kinds without any are left
// out.
func (f *fakeDriver) live() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := map[string]int{"context": 0, "memory": len(f.blocks), "pinned": len(f.pinned)}
	for _, d := range f.devices {
		counts["context"] += d.retains
	}
	for _, o := range f.objects {
		if o.kind != "function" {
			counts[o.kind]++
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n == 0 })
	return counts
}

// expectNothingLeft fails the test if something is alive, or was when its
// context went.
func (f *fakeDriver) expectNothingLeft(t *testing.T) {
	t.Helper()
	if left := f.live(); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
	if len(f.lost) > 0 {
		t.Errorf("not freed before the context went: %v", f.lost)
	}
}

// memoryAt returns n bytes of device memory, nil if they are not wholly inside
// one allocation. For launch functions and for tests that look inside.
func (f *fakeDriver) memoryAt(p devicePtr, n int) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytesAt(p, uint64(n))
}

func (f *fakeDriver) bytesAt(p devicePtr, n uint64) []byte {
	i := sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].base > p }) - 1
	if i < 0 {
		return nil
	}
	b := f.blocks[i]
	offset, size := uint64(p-b.base), uint64(len(b.data))
	if offset > size || n > size-offset {
		return nil
	}
	return b.data[offset : offset+n]
}

// pinnedAt returns n bytes of pinned memory, nil if they are not.
func (f *fakeDriver) pinnedAt(p unsafe.Pointer, n uint64) []byte {
	for base, b := range f.pinned {
		offset := uintptr(p) - base
		if uintptr(p) >= base && uint64(offset) <= uint64(len(b.data)) && n <= uint64(len(b.data))-uint64(offset) {
			return b.data[offset : uint64(offset)+n]
		}
	}
	return nil
}

// failNth makes the n-th call from now on fail; 1 is the next.
func (f *fakeDriver) failNth(n int, r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls, f.failAt, f.failWith, f.failedIn = 0, n, r, ""
}

// failEvery makes every call of a symbol, such as cuMemAlloc, return a result;
// success mends it.
func (f *fakeDriver) failEvery(symbol string, r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken[symbol] = r
}

// begin is called first by every function of the table, and leaves the lock
// held. A result other than success is what the call must return.
func (f *fakeDriver) begin(symbol string) result {
	if f.shuffle {
		runtime.Gosched()
	}
	f.mu.Lock()
	f.calls++
	f.log = append(f.log, symbol)
	if r := f.broken[symbol]; r != success {
		return r
	}
	if f.calls == f.failAt {
		f.failedIn = symbol
		return f.failWith
	}
	if !f.started && symbol != "cuInit" && symbol != "cuDriverGetVersion" {
		return 3 // CUDA_ERROR_NOT_INITIALIZED
	}
	return success
}

// beginIn is begin for calls that need a current context.
func (f *fakeDriver) beginIn(symbol string) (handle, result) {
	r := f.begin(symbol)
	if r != success {
		return 0, r
	}
	ctx := f.current[threadID()]
	if ctx == 0 || f.devices[f.ordinal(ctx)].retains == 0 {
		return 0, 201 // CUDA_ERROR_INVALID_CONTEXT
	}
	return ctx, success
}

// object finds a handle of a kind in the current context.
func (f *fakeDriver) object(h handle, kind string, ctx handle) (*fakeObject, result) {
	o := f.objects[h]
	if o == nil || o.kind != kind || o.ctx != ctx {
		return nil, 400 // CUDA_ERROR_INVALID_HANDLE
	}
	return o, success
}

func (f *fakeDriver) add(o *fakeObject) handle {
	f.next += 16
	f.objects[handle(f.next)] = o
	return handle(f.next)
}

// use is beginIn for calls on one object.
func (f *fakeDriver) use(symbol string, h handle, kind string) (*fakeObject, result) {
	ctx, r := f.beginIn(symbol)
	if r != success {
		return nil, r
	}
	return f.object(h, kind, ctx)
}

func (f *fakeDriver) destroy(symbol string, h handle, kind string) result {
	defer f.mu.Unlock()
	_, r := f.use(symbol, h, kind)
	if r == success {
		delete(f.objects, h)
		maps.DeleteFunc(f.objects, func(_ handle, o *fakeObject) bool { return o.module == h })
	}
	return r
}

// contextOf and ordinal turn devices into context handles and back.
func contextOf(device int32) handle             { return 0xc0de0000 + handle(device) }
func (f *fakeDriver) ordinal(ctx handle) int    { return int(ctx - 0xc0de0000) }
func (f *fakeDriver) valid(device int32) bool   { return device >= 0 && int(device) < len(f.devices) }
func (f *fakeDriver) of(ctx handle) *fakeDevice { return &f.devices[f.ordinal(ctx)] }

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

// endContext destroys everything made in a context, as CUDA does, and
// remembers what there was.
func (f *fakeDriver) endContext(ctx handle) {
	for h, o := range f.objects {
		if o.ctx == ctx {
			if o.kind != "function" {
				f.lost = append(f.lost, o.kind)
			}
			delete(f.objects, h)
		}
	}
	f.blocks = slices.DeleteFunc(f.blocks, func(b *fakeBlock) bool {
		if b.ctx == ctx {
			f.lost = append(f.lost, "memory")
			f.give(b.data)
		}
		return b.ctx == ctx
	})
	maps.DeleteFunc(f.pinned, func(_ uintptr, b *fakePinned) bool {
		if b.ctx == ctx {
			f.lost = append(f.lost, "pinned")
			f.give(b.data)
		}
		return b.ctx == ctx
	})
	f.of(ctx).used = 0
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

func (f *fakeDriver) fillMemory(drv *driver) {
	drv.memGetInfo = func() (free, total uint64, r result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemGetInfo")
		if r != success {
			return 0, 0, r
		}
		d := f.of(ctx)
		return d.memory - d.used, d.memory, success
	}
	drv.memAlloc = func(n uint64) (devicePtr, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemAlloc")
		if r == success && n == 0 {
			r = resultInvalidValue
		}
		if r != success {
			return 0, r
		}
		d := f.of(ctx)
		if n > d.memory-d.used {
			return 0, resultOutOfMemory
		}
		d.used += n
		// A gap behind every allocation, so that running over its end is seen.
		f.next = (f.next + 4096 + 255) &^ 255
		b := &fakeBlock{base: devicePtr(f.next), data: f.take(int(n)), ctx: ctx}
		f.next += uintptr(n)
		f.blocks = append(f.blocks, b)
		return b.base, success
	}
	drv.memFree = func(p devicePtr) result {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemFree")
		if r != success {
			return r
		}
		i := slices.IndexFunc(f.blocks, func(b *fakeBlock) bool { return b.base == p && b.ctx == ctx })
		if i < 0 {
			return resultInvalidValue
		}
		f.of(ctx).used -= uint64(len(f.blocks[i].data))
		f.give(f.blocks[i].data)
		f.blocks = slices.Delete(f.blocks, i, i+1)
		return success
	}
	drv.memHostAlloc = func(n uint64, flags uint32) (unsafe.Pointer, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemHostAlloc")
		if r == success && (n == 0 || flags != hostAllocPortable) {
			r = resultInvalidValue
		}
		if r != success {
			return nil, r
		}
		held := n
		for _, b := range f.pinned {
			held += uint64(len(b.data))
		}
		if f.hostLimit > 0 && held > f.hostLimit {
			return nil, resultOutOfMemory
		}
		b := &fakePinned{data: f.take(int(n)), ctx: ctx}
		p := unsafe.Pointer(unsafe.SliceData(b.data))
		f.pinned[uintptr(p)] = b
		return p, success
	}
	drv.memFreeHost = func(p unsafe.Pointer) result {
		defer f.mu.Unlock()
		if _, r := f.beginIn("cuMemFreeHost"); r != success {
			return r
		}
		b := f.pinned[uintptr(p)]
		if b == nil {
			return resultInvalidValue
		}
		f.give(b.data)
		delete(f.pinned, uintptr(p))
		return success
	}
	drv.memcpyHtoDAsync = func(dst devicePtr, src unsafe.Pointer, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyHtoDAsync", stream, "stream")
		if r != success {
			return r
		}
		return f.copy(s, f.bytesAt(dst, n), f.pinnedAt(src, n))
	}
	drv.memcpyDtoHAsync = func(dst unsafe.Pointer, src devicePtr, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyDtoHAsync", stream, "stream")
		if r != success {
			return r
		}
		return f.copy(s, f.pinnedAt(dst, n), f.bytesAt(src, n))
	}
	drv.memsetD8Async = func(dst devicePtr, value byte, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemsetD8Async", stream, "stream")
		if r != success {
			return r
		}
		b := f.bytesAt(dst, n)
		if b == nil {
			return resultInvalidValue
		}
		f.work(s)
		for i := range b {
			b[i] = value
		}
		return success
	}
}

func (f *fakeDriver) copy(s *fakeObject, dst, src []byte) result {
	if dst == nil || src == nil {
		return resultInvalidValue
	}
	f.work(s)
	copy(dst, src)
	return success
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
