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
	"testing"

	"wfagpu/gpu/internal/driver"
)

// Driver is a CUDA driver in Go. The exported fields of its parts are set before the
// first call. It is safe for concurrent use.
//
// A part has some of the driver's functions and the state behind them: calls is below
// contexts, these are below memory, and below objects, modules and streams. The lock of
// calls is that of all parts.
type Driver struct {
	*calls
	*contexts
	*memory
	*modules
	*streams

	lost []string // kinds of objects that were live when their context went
}

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
	f := &Driver{calls: &calls{broken: map[string]driver.Result{}}}
	f.contexts = &contexts{calls: f.calls, Version: 13000, current: map[int]driver.Handle{}, ended: f.endContext}
	f.memory = &memory{contexts: f.contexts, pinned: map[uintptr]*block{}}
	o := &objects{contexts: f.contexts, all: map[driver.Handle]*object{}, next: 0x7f00_0000_0000}
	f.modules = &modules{objects: o, Kernels: map[string]Kernel{}}
	f.streams = &streams{modules: f.modules, memory: f.memory}
	for i := range n {
		f.Devices = append(f.Devices, Device{Name: fmt.Sprintf("Fake H200 #%d", i), Major: 9, Memory: 1 << 30, SMs: 132, HostPointers: 1})
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
	f.contexts.fill(api)
	f.modules.fill(api)
	f.memory.fill(api)
	f.streams.fill(api)
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
	for _, o := range f.objects.all {
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

// endContext destroys everything created in a context, as CUDA does, and records it
// for Lost.
func (f *Driver) endContext(ctx driver.Handle) {
	f.lost = append(f.lost, f.objects.end(ctx)...)
	f.lost = append(f.lost, f.memory.end(ctx)...)
}
