package drivertest

import (
	"runtime"
	"slices"

	"wfagpu/gpu/internal/driver"
)

// FailNth makes the n-th call from now on fail; 1 is the next.
func (f *Driver) FailNth(n int, r driver.Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls, f.failAt, f.failWith, f.failedIn = 0, n, r, ""
}

// FailEvery makes every call of a symbol, such as cuMemAlloc, return a result;
// driver.Success ends that.
func (f *Driver) FailEvery(symbol string, r driver.Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken[symbol] = r
}

// FailedIn returns the symbol of the call that FailNth made fail, empty if none
// has.
func (f *Driver) FailedIn() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failedIn
}

// Log returns every call since ClearLog, by symbol.
func (f *Driver) Log() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.log)
}

// ClearLog empties the log.
func (f *Driver) ClearLog() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = nil
}

// begin is called first by every function of the table. It returns with f.mu locked.
// If the result is not Success, the call must return it.
func (f *Driver) begin(symbol string) driver.Result {
	if f.Shuffle {
		runtime.Gosched()
	}
	f.mu.Lock()
	f.calls++
	f.log = append(f.log, symbol)
	if r := f.broken[symbol]; r != driver.Success {
		return r
	}
	if f.calls == f.failAt {
		f.failedIn = symbol
		return f.failWith
	}
	if !f.started && symbol != "cuInit" && symbol != "cuDriverGetVersion" {
		return notInitialized
	}
	return driver.Success
}

// beginIn is begin for calls that need a current context.
func (f *Driver) beginIn(symbol string) (driver.Handle, driver.Result) {
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

// find looks up a handle of a kind in the current context.
func (f *Driver) find(h driver.Handle, kind string, ctx driver.Handle) (*object, driver.Result) {
	o := f.objects[h]
	if o == nil || o.kind != kind || o.ctx != ctx {
		return nil, invalidHandle
	}
	return o, driver.Success
}

// use is beginIn for calls on one object.
func (f *Driver) use(symbol string, h driver.Handle, kind string) (*object, driver.Result) {
	ctx, r := f.beginIn(symbol)
	if r != driver.Success {
		return nil, r
	}
	return f.find(h, kind, ctx)
}
