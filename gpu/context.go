package gpu

import "runtime"

// A context is current on an OS thread, not on a goroutine, and goroutines
// change threads between any two calls into C. So every call of the driver that
// needs a context sets it first and holds the thread meanwhile.
//
// Setting it every time is cheaper than it looks: for a context that is current
// already the driver does nothing, and asking which thread this is would cost a
// system call.

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
