package driver

import "fmt"

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
