package driver

import "runtime"

// A context is current on an OS thread, not on a goroutine, and a goroutine may
// change threads between any two calls into C. So every call of the driver that
// needs a context sets it first and locks the goroutine to its thread meanwhile.
//
// The context is set every time, whether it is current or not: querying the thread
// takes a system call, setting the context does not. BenchmarkCall measures the cost
// of two calls into C, about a third of a microsecond.

// run calls f with the device's context current. call is the driver function that f
// calls, for errors.
func (d *Device) run(call string, f func() Result) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := d.api.CtxSetCurrent(d.ctx); r != Success {
		return d.api.check("cuCtxSetCurrent", r)
	}
	return d.api.check(call, f())
}

// destroy releases h with f and sets it to 0. It ignores a handle of 0.
func (d *Device) destroy(call string, h *Handle, f func(Handle) Result) error {
	gone := *h
	if gone == 0 {
		return nil
	}
	*h = 0
	return d.run(call, func() Result { return f(gone) })
}
