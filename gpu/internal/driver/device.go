package driver

import (
	"fmt"
	"sync/atomic"
)

// Device is an opened GPU; it holds the GPU's primary context. Its methods may be
// called from several goroutines. Every call on a closed device fails.
type Device struct {
	Info Info // at the time of Open

	api *API
	id  int32 // CUdevice
	ctx Handle

	waiter waiter

	registers atomic.Bool // the device reads memory of MemHostRegister, at the host's addresses
	mapped    mappings
}

// Open opens a GPU. The error is ErrNoDevice if no GPU has that ordinal, and ErrTooOld
// if the GPU is not usable; see Info.Usable.
func Open(api *API, ordinal int) (*Device, error) {
	id, info, err := describe(api, ordinal)
	if err != nil {
		return nil, err
	}
	if err := info.Usable(); err != nil {
		return nil, fmt.Errorf("GPU %d (%s): %w", ordinal, info.Name, err)
	}
	d, err := retain(api, id, info)
	if err != nil {
		return nil, fmt.Errorf("GPU %d (%s): %w", ordinal, info.Name, err)
	}
	return d, nil
}

// retain retains the primary context and reads the free memory.
func retain(api *API, id int32, info Info) (*Device, error) {
	ctx, r := api.DevicePrimaryCtxRetain(id)
	if r != Success {
		return nil, withRemedy(api.check("cuDevicePrimaryCtxRetain", r))
	}
	d := &Device{api: api, id: id, ctx: ctx, Info: info}
	free, _, err := d.Memory()
	if err != nil {
		d.Close() // its error is dropped: the first failure is the cause
		return nil, err
	}
	d.Info.FreeMemory = free
	same, r := api.DeviceGetAttribute(AttributeHostPointers, id)
	if r != Success {
		d.Close()
		return nil, api.check("cuDeviceGetAttribute", r)
	}
	d.registers.Store(same != 0)
	return d, nil
}

// Close releases the context with everything that was not freed before. A second
// Close does nothing.
func (d *Device) Close() error {
	if d.ctx == 0 {
		return nil
	}
	d.ctx = 0
	defer d.mapped.unmapAll()
	return d.api.check("cuDevicePrimaryCtxRelease", d.api.DevicePrimaryCtxRelease(d.id))
}
