package drivertest

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// Clock measures the device time of the kernels that are launched through its table:
// from the first launch since Reset to the end of the last. All launches must be in
// one stream.
type Clock struct {
	API *driver.API // a copy of the one given, with launches that are timed

	base       *driver.API
	elapsed    func(start, end driver.Handle) (milliseconds float32, r driver.Result)
	ctx        driver.Handle // of the last launch
	start, end driver.Handle // events; 0 until the first launch
	launches   int           // since Reset
	failed     driver.Result
}

// NewClock returns a clock for the real driver.
func NewClock(api *driver.API) (*Clock, error) {
	elapsed, err := elapsedTime()
	if err != nil {
		return nil, err
	}
	timed := *api
	c := &Clock{API: &timed, base: api, elapsed: elapsed}
	var current driver.Handle // one goroutine at a time uses the table
	timed.CtxSetCurrent = func(ctx driver.Handle) driver.Result {
		current = ctx
		return api.CtxSetCurrent(ctx)
	}
	timed.LaunchKernel = func(function driver.Handle, grid, block, shared uint32, stream driver.Handle, params unsafe.Pointer) driver.Result {
		c.ctx = current
		c.record(&c.start, stream, c.launches == 0)
		r := api.LaunchKernel(function, grid, block, shared, stream, params)
		c.record(&c.end, stream, true)
		c.launches++
		return r
	}
	return c, nil
}

// record records an event in a stream and creates it if necessary.
func (c *Clock) record(event *driver.Handle, stream driver.Handle, wanted bool) {
	if !wanted || c.failed != driver.Success {
		return
	}
	if *event == 0 {
		*event, c.failed = c.base.EventCreate(driver.EventBlockingSync)
	}
	if c.failed == driver.Success {
		c.failed = c.base.EventRecord(*event, stream)
	}
}

// Reset starts a new measurement.
func (c *Clock) Reset() { c.launches = 0 }

// Took waits for the last launch and returns the device time since the first, with a
// resolution of about half a microsecond.
func (c *Clock) Took() (time.Duration, error) {
	if c.launches == 0 {
		return 0, fmt.Errorf("no kernel was launched")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := c.failed
	if r == driver.Success {
		r = c.base.CtxSetCurrent(c.ctx)
	}
	if r == driver.Success {
		r = c.base.EventSynchronize(c.end)
	}
	var ms float32
	if r == driver.Success {
		ms, r = c.elapsed(c.start, c.end)
	}
	if r != driver.Success {
		return 0, fmt.Errorf("timing kernels: CUDA error %d", r)
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}
