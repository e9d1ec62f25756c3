package gpu

import (
	"fmt"
	"unsafe"
)

// memory returns the device's free and total memory in bytes.
func (d *device) memory() (free, total uint64, err error) {
	err = d.run("cuMemGetInfo", func() (r result) {
		free, total, r = d.drv.memGetInfo()
		return r
	})
	return free, total, err
}

// alloc returns device memory, at least one byte, aligned to 256. See
// isOutOfMemory. Nothing is written to it.
func (d *device) alloc(bytes int) (devicePtr, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("cuMemAlloc: %d bytes of device memory asked for", bytes)
	}
	var p devicePtr
	err := d.run("cuMemAlloc", func() (r result) {
		p, r = d.drv.memAlloc(uint64(bytes))
		return r
	})
	if err != nil {
		return 0, fmt.Errorf("%d bytes of device memory: %w", bytes, err)
	}
	return p, nil
}

// free returns memory of alloc; it waits for work under way on the device. 0 is
// ignored.
func (d *device) free(p devicePtr) error {
	if p == 0 {
		return nil
	}
	return d.run("cuMemFree", func() result { return d.drv.memFree(p) })
}

// allocPinned returns host memory, at least one byte, that the device copies
// from and to without the CPU. It is not Go memory and must go back through
// freePinned. Pinning takes about half a millisecond per megabyte.
func (d *device) allocPinned(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("cuMemHostAlloc: %d bytes of pinned memory asked for", bytes)
	}
	var p unsafe.Pointer
	err := d.run("cuMemHostAlloc", func() (r result) {
		p, r = d.drv.memHostAlloc(uint64(bytes), hostAllocPortable)
		return r
	})
	if err != nil {
		return nil, fmt.Errorf("%d bytes of pinned memory: %w", bytes, err)
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// freePinned returns memory of allocPinned, as it came or cut short at its
// end. nil is ignored.
func (d *device) freePinned(b []byte) error {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if p == nil {
		return nil
	}
	return d.run("cuMemFreeHost", func() result { return d.drv.memFreeHost(p) })
}
