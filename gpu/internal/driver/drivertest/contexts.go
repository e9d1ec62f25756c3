package drivertest

import "wfagpu/gpu/internal/driver"

// Device is one GPU of a Driver.
type Device struct {
	Name         string
	Major, Minor int32  // compute capability
	Memory       uint64 // bytes
	SMs          int32
	HostPointers int32 // 1 if it reads registered memory at the host's addresses

	retains int
	used    uint64
}

// contexts are the devices with their primary contexts, which are current on threads.
type contexts struct {
	*calls
	Devices []Device
	Version int32 // of CUDA

	current map[int]driver.Handle   // by OS thread
	ended   func(ctx driver.Handle) // called when a device's last retain is released
}

// firstContext is the handle of the first device's context.
const firstContext = 0xc0de0000

// contextOf and ordinal convert ordinals to context handles and back.
func contextOf(device int32) driver.Handle           { return firstContext + driver.Handle(device) }
func ordinal(ctx driver.Handle) int                  { return int(ctx - firstContext) }
func (f *contexts) valid(device int) bool            { return device >= 0 && device < len(f.Devices) }
func (f *contexts) device(ctx driver.Handle) *Device { return &f.Devices[ordinal(ctx)] }

// fillContexts fills the table with the functions of contexts.
func (f *contexts) fillContexts(api *driver.API) {
	api.DevicePrimaryCtxRetain = func(device int32) (driver.Handle, driver.Result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDevicePrimaryCtxRetain"); r != driver.Success {
			return 0, r
		}
		f.Devices[device].retains++
		return contextOf(device), driver.Success
	}
	api.DevicePrimaryCtxRelease = func(device int32) driver.Result {
		defer f.mu.Unlock()
		r := f.begin("cuDevicePrimaryCtxRelease")
		if r == driver.Success && f.Devices[device].retains == 0 {
			r = invalidContext
		}
		if r != driver.Success {
			return r
		}
		f.Devices[device].retains--
		if f.Devices[device].retains == 0 {
			f.ended(contextOf(device))
		}
		return driver.Success
	}
	api.CtxSetCurrent = func(ctx driver.Handle) driver.Result {
		defer f.mu.Unlock()
		r := f.begin("cuCtxSetCurrent")
		if r == driver.Success && ctx != 0 && (!f.valid(ordinal(ctx)) || f.device(ctx).retains == 0) {
			r = invalidContext
		}
		if r == driver.Success {
			f.current[threadID()] = ctx
		}
		return r
	}
}

// beginIn is begin for calls that need a current context.
func (f *contexts) beginIn(symbol string) (driver.Handle, driver.Result) {
	r := f.begin(symbol)
	if r != driver.Success {
		return 0, r
	}
	ctx := f.current[threadID()]
	if ctx == 0 || f.device(ctx).retains == 0 {
		return 0, invalidContext
	}
	return ctx, driver.Success
}
