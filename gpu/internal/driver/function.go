package driver

import (
	"fmt"
	"sync"
)

// Function is a kernel of a loaded module. It is safe for concurrent use.
type Function struct {
	d      *Device
	handle Handle
	name   string

	mu        sync.Mutex
	occupancy map[shape]int // blocks per SM
}

// shape is the size of a block and its dynamic shared memory.
type shape struct{ threads, sharedBytes int }

// SetSharedBytes allows launches with up to n bytes of dynamic shared memory, in
// place of 48 KiB, and configures an SM's on-chip memory as shared memory.
func (f *Function) SetSharedBytes(n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.occupancy)
	err := f.set(FunctionDynamicShared, n)
	if err == nil {
		err = f.set(FunctionCarveout, 100)
	}
	return err
}

func (f *Function) set(attribute int32, value int) error {
	return f.wrap(f.d.run("cuFuncSetAttribute", func() Result {
		return f.d.api.FuncSetAttribute(f.handle, attribute, int32(value))
	}))
}

// StaticShared returns the kernel's static shared memory in bytes.
func (f *Function) StaticShared() (int, error) {
	var n int32
	err := f.d.run("cuFuncGetAttribute", func() (r Result) {
		n, r = f.d.api.FuncGetAttribute(f.handle, FunctionStaticShared)
		return r
	})
	return int(n), f.wrap(err)
}

// BlocksPerSM returns the number of blocks, of threads threads and sharedBytes bytes
// of dynamic shared memory, that an SM runs at a time, at least 1. A block that does
// not fit is an error. The driver computes each combination once.
func (f *Function) BlocksPerSM(threads, sharedBytes int) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := shape{threads, sharedBytes}
	if n, ok := f.occupancy[key]; ok {
		return n, nil
	}
	var n int32
	err := f.d.run("cuOccupancyMaxActiveBlocksPerMultiprocessor", func() (r Result) {
		n, r = f.d.api.OccupancyMaxActiveBlocksPerMultiprocessor(f.handle, int32(threads), uint64(sharedBytes))
		return r
	})
	if err != nil {
		return 0, f.wrap(err)
	}
	if n < 1 {
		return 0, fmt.Errorf("kernel %s: no block of %d threads with %d bytes of shared memory fits on an SM", f.name, threads, sharedBytes)
	}
	f.occupancy[key] = int(n)
	return int(n), nil
}

// wrap adds the kernel's name to an error.
func (f *Function) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", f.name, err)
}
