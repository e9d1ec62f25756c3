package gpu

import "runtime"

// failNth makes the n-th call from now on fail; 1 is the next.
func (f *fakeDriver) failNth(n int, r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls, f.failAt, f.failWith, f.failedIn = 0, n, r, ""
}

// failEvery makes every call of a symbol, such as cuMemAlloc, return a result;
// success mends it.
func (f *fakeDriver) failEvery(symbol string, r result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken[symbol] = r
}

// begin is called first by every function of the table, and leaves the lock
// held. A result other than success is what the call must return.
func (f *fakeDriver) begin(symbol string) result {
	if f.shuffle {
		runtime.Gosched()
	}
	f.mu.Lock()
	f.calls++
	f.log = append(f.log, symbol)
	if r := f.broken[symbol]; r != success {
		return r
	}
	if f.calls == f.failAt {
		f.failedIn = symbol
		return f.failWith
	}
	if !f.started && symbol != "cuInit" && symbol != "cuDriverGetVersion" {
		return 3 // CUDA_ERROR_NOT_INITIALIZED
	}
	return success
}

// beginIn is begin for calls that need a current context.
func (f *fakeDriver) beginIn(symbol string) (handle, result) {
	r := f.begin(symbol)
	if r != success {
		return 0, r
	}
	ctx := f.current[threadID()]
	if ctx == 0 || f.devices[f.ordinal(ctx)].retains == 0 {
		return 0, 201 // CUDA_ERROR_INVALID_CONTEXT
	}
	return ctx, success
}

// object finds a handle of a kind in the current context.
func (f *fakeDriver) object(h handle, kind string, ctx handle) (*fakeObject, result) {
	o := f.objects[h]
	if o == nil || o.kind != kind || o.ctx != ctx {
		return nil, 400 // CUDA_ERROR_INVALID_HANDLE
	}
	return o, success
}

// use is beginIn for calls on one object.
func (f *fakeDriver) use(symbol string, h handle, kind string) (*fakeObject, result) {
	ctx, r := f.beginIn(symbol)
	if r != success {
		return nil, r
	}
	return f.object(h, kind, ctx)
}
