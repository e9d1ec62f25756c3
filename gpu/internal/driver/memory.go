package driver

import (
	"fmt"
	"unsafe"
)

// Memory returns the device's free and total memory in bytes.
func (d *Device) Memory() (free, total uint64, err error) {
	err = d.run("cuMemGetInfo", func() (r Result) {
		free, total, r = d.api.MemGetInfo()
		return r
	})
	return free, total, err
}

// Alloc returns device memory of at least one byte, aligned to 256. Its contents
// are undefined. IsOutOfMemory tells an allocation that did not fit.
func (d *Device) Alloc(bytes int) (Ptr, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("cuMemAlloc: %d bytes of device memory requested", bytes)
	}
	var p Ptr
	err := d.run("cuMemAlloc", func() (r Result) {
		p, r = d.api.MemAlloc(uint64(bytes))
		return r
	})
	if err != nil {
		return 0, fmt.Errorf("%d bytes of device memory: %w", bytes, err)
	}
	return p, nil
}

// Free frees memory of Alloc. It waits for all work on the device. It ignores 0.
func (d *Device) Free(p Ptr) error {
	if p == 0 {
		return nil
	}
	return d.run("cuMemFree", func() Result { return d.api.MemFree(p) })
}

// AllocPinned returns host memory of at least one byte that the device copies
// from and to without the CPU. It is not Go memory; FreePinned frees it. Pinning
// takes about half a millisecond per megabyte.
func (d *Device) AllocPinned(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("cuMemHostAlloc: %d bytes of pinned memory requested", bytes)
	}
	var p unsafe.Pointer
	err := d.run("cuMemHostAlloc", func() (r Result) {
		p, r = d.api.MemHostAlloc(uint64(bytes), HostAllocPortable)
		return r
	})
	if err != nil {
		return nil, fmt.Errorf("%d bytes of pinned memory: %w", bytes, err)
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// FreePinned frees memory of AllocPinned. b starts at the start of the allocation and
// may be shorter. It ignores nil.
func (d *Device) FreePinned(b []byte) error {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if p == nil {
		return nil
	}
	return d.run("cuMemFreeHost", func() Result { return d.api.MemFreeHost(p) })
}
