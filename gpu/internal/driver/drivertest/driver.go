// Package drivertest provides a fake CUDA driver in Go, for tests of programs that
// use package driver, and helpers for tests on a real GPU.
//
// The fake does not run kernels: a launch calls the test's Launch function, and
// streams do their work at once. It is stricter than a real driver: every call that
// needs a context fails unless the calling OS thread has set it, handles are valid
// only in their own context, and an access that is not wholly inside one allocation
// is an error.
//
// Addresses in a fake device's memory are addresses of the host. The memory does
// not move and is valid until it is freed, so code outside Go may use the addresses.
// Go code accesses the bytes through MemoryAt.
package drivertest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// Driver is a CUDA driver in Go. Its exported fields are set before the first
// call. It is safe for concurrent use.
//
// Its methods are more than twenty, in files by subject: the state behind the calls
// of the real driver is one, under one lock, and splitting the type would only add
// pointers back to it.
type Driver struct {
	Devices []Device
	Version int32 // of CUDA

	// Kernels are the kernels of every module, by name.
	Kernels map[string]Kernel
	// Launch does the work of a kernel. grid, block and sharedBytes are those
	// of the launch, and params points to the kernel's parameter. A result
	// other than Success fails the launch. nil: kernels do nothing. Calls may
	// be concurrent.
	Launch func(name string, grid, block, sharedBytes int, params unsafe.Pointer) driver.Result

	// Recycle reuses freed memory for allocations. Its contents are arbitrary,
	// as on a real GPU; new memory is zero.
	Recycle bool
	// HostLimit bounds pinned memory in bytes; 0 is no limit.
	HostLimit uint64
	// BusyQueries is the number of times that cuStreamQuery returns "not ready"
	// after new work.
	BusyQueries int
	// Shuffle yields to other goroutines in every call, so that a goroutine that
	// is not locked to its thread soon changes threads.
	Shuffle bool

	mu       sync.Mutex
	started  bool
	current  map[int]driver.Handle // contexts by OS thread
	objects  map[driver.Handle]*object
	blocks   []*block // device memory, by address
	pinned   map[uintptr]*block
	next     driver.Handle
	calls    int
	failAt   int // the call to fail, counted from 1; 0 for none
	failWith driver.Result
	failedIn string
	log      []string
	broken   map[string]driver.Result
	lost     []string
}

// Device is one GPU of a Driver.
type Device struct {
	Name         string
	Major, Minor int32  // compute capability
	Memory       uint64 // bytes
	SMs          int32

	retains int
	used    uint64
}

// Kernel are the resources that a kernel uses.
type Kernel struct {
	Registers    int32 // per thread
	StaticShared int32 // bytes of shared memory per block
}

// object is the object of a handle.
type object struct {
	kind   string // "module", "function", "stream", "event"
	ctx    driver.Handle
	name   string        // of a function
	shared int32         // of a function: allowed dynamic shared memory
	module driver.Handle // of a function
	flags  uint32
	busy   int // of a stream: number of next queries that return "not ready"
}

// Sizes of the devices, those of an H200.
const (
	sharedPerBlock = 227 << 10
	sharedPerSM    = 228 << 10
	threadsPerSM   = 2048
	registersPerSM = 65536
	plainShared    = 48 << 10 // dynamic shared memory without SetSharedBytes
)

// Results that only the fake returns.
const (
	notInitialized       driver.Result = 3
	invalidContext       driver.Result = 201
	invalidHandle        driver.Result = 400
	launchOutOfResources driver.Result = 701
)

// Image is a valid kernel image.
var Image = []byte(".version 8.0\n.target sm_80\n")

// New returns a driver with n devices of compute capability 9.0 and 1 GiB.
func New(n int) *Driver {
	f := &Driver{
		Version: 13000,
		Kernels: map[string]Kernel{},
		broken:  map[string]driver.Result{},
		current: map[int]driver.Handle{},
		objects: map[driver.Handle]*object{},
		pinned:  map[uintptr]*block{},
		next:    0x7f00_0000_0000,
	}
	for i := range n {
		f.Devices = append(f.Devices, Device{Name: fmt.Sprintf("Fake H200 #%d", i), Major: 9, Memory: 1 << 30, SMs: 132})
	}
	return f
}

// API returns a table of the driver's functions, started. Tests may replace
// functions in it.
func (f *Driver) API() *driver.API {
	api := f.Table()
	if err := api.Start(); err != nil {
		panic(err)
	}
	return api
}

// Table returns a table of the driver's functions, not started.
func (f *Driver) Table() *driver.API {
	api := &driver.API{}
	f.fillDevices(api)
	f.fillModules(api)
	f.fillMemory(api)
	f.fillStreams(api)
	return api
}

// Open opens the first device until the test ends. The test fails if anything is not
// released by then.
func (f *Driver) Open(t testing.TB) *driver.Device {
	t.Helper()
	d, err := driver.Open(f.API(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		f.CheckReleased(t)
	})
	return d
}

// Live counts the objects that are not released, by kind: "context" (retains),
// "memory", "pinned", "module", "stream", "event". It omits kinds with none.
func (f *Driver) Live() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := map[string]int{"context": 0, "memory": len(f.blocks), "pinned": len(f.pinned)}
	for _, d := range f.Devices {
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

// Lost returns the kinds of objects that were not released before their context.
func (f *Driver) Lost() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.lost)
}

// CheckReleased fails the test if anything is live or lost.
func (f *Driver) CheckReleased(t testing.TB) {
	t.Helper()
	if live, lost := f.Live(), f.Lost(); len(live) > 0 || len(lost) > 0 {
		t.Errorf("not released: %v; not released before the context went: %v", live, lost)
	}
}

// Flags returns the flags that a stream or an event was created with.
func (f *Driver) Flags(h driver.Handle) uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.objects[h].flags
}

// SetBusy makes the next queries of a stream return "not ready".
func (f *Driver) SetBusy(stream driver.Handle, queries int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[stream].busy = queries
}

func (f *Driver) add(o *object) driver.Handle {
	f.next += 16
	f.objects[f.next] = o
	return f.next
}

func (f *Driver) destroy(symbol string, h driver.Handle, kind string) driver.Result {
	defer f.mu.Unlock()
	_, r := f.use(symbol, h, kind)
	if r == driver.Success {
		delete(f.objects, h)
		maps.DeleteFunc(f.objects, func(_ driver.Handle, o *object) bool { return o.module == h })
	}
	return r
}
