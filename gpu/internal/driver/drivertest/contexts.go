package drivertest

import (
	"maps"
	"slices"

	"wfagpu/gpu/internal/driver"
)

// firstContext is the handle of the first device's context.
const firstContext = 0xc0de0000

// contextOf and ordinal convert ordinals to context handles and back.
func contextOf(device int32) driver.Handle         { return firstContext + driver.Handle(device) }
func ordinal(ctx driver.Handle) int                { return int(ctx - firstContext) }
func (f *Driver) valid(device int) bool            { return device >= 0 && device < len(f.Devices) }
func (f *Driver) device(ctx driver.Handle) *Device { return &f.Devices[ordinal(ctx)] }

func (f *Driver) fillContexts(api *driver.API) {
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
			f.endContext(contextOf(device))
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

// endContext destroys everything created in a context, as CUDA does, and records it
// for Lost.
func (f *Driver) endContext(ctx driver.Handle) {
	for h, o := range f.objects {
		if o.ctx == ctx {
			if o.kind != "function" {
				f.lost = append(f.lost, o.kind)
			}
			delete(f.objects, h)
		}
	}
	f.blocks = slices.DeleteFunc(f.blocks, func(b *block) bool { return f.lose(b, ctx, "memory") })
	maps.DeleteFunc(f.pinned, func(_ uintptr, b *block) bool { return f.lose(b, ctx, "pinned") })
	f.device(ctx).used = 0
}

// lose frees a block of a context and records it for Lost. It reports whether the
// block was of the context.
func (f *Driver) lose(b *block, ctx driver.Handle, kind string) bool {
	if b.ctx != ctx {
		return false
	}
	f.lost = append(f.lost, kind)
	f.give(b)
	return true
}
