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

// shape is what a launch takes of an SM for a block.
type shape struct{ threads, sharedBytes int }

// Name returns the kernel's C name.
func (f *Function) Name() string { return f.name }

// SetSharedBytes allows launches with up to n bytes of dynamic shared memory,
// where the limit is 48 KiB otherwise, and asks for all of an SM's on-chip memory
// to be shared memory.
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

// StaticShared returns the bytes of shared memory that the kernel declares
// itself, beside the dynamic shared memory of a launch.
func (f *Function) StaticShared() (int, error) {
	var n int32
	err := f.d.run("cuFuncGetAttribute", func() (r Result) {
		n, r = f.d.api.FuncGetAttribute(f.handle, FunctionStaticShared)
		return r
	})
	return int(n), f.wrap(err)
}

// BlocksPerSM returns how many blocks of the given threads and dynamic shared
// bytes an SM runs at a time. It is at least 1: a block that does not fit is an
// error. The driver is asked once for each combination.
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

// wrap names the kernel in an error.
func (f *Function) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", f.name, err)
}
