package gpu

import "runtime"

// A context is current on an OS thread, not on a goroutine, and goroutines
// change threads between any two calls into C. So every call of the driver that
// needs a context sets it first and holds the thread meanwhile.
//
// It is set every time, needed or not: to know whether it is current already
// one would have to ask which thread this is, and that is a system call, while
// this is not. BenchmarkCall has the price of crossing into C twice, about a
// third of a microsecond.

// run calls f with the device's context current, and names the failure after
// the driver's call that f makes.
func (d *device) run(call string, f func() result) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := d.drv.ctxSetCurrent(d.ctx); r != success {
		return d.drv.check("cuCtxSetCurrent", r)
	}
	return d.drv.check(call, f())
}

// destroy gives back what h stands for, and nothing when it is called again.
func (d *device) destroy(call string, h *handle, f func(handle) result) error {
	gone := *h
	if gone == 0 {
		return nil
	}
	*h = 0
	return d.run(call, func() result { return f(gone) })
}
