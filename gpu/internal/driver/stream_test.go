package driver_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

func TestFakeLaunch(t *testing.T) {
	f := drivertest.New(1)
	fakeScale(f)
	testScale(t, f.Open(t))
}

// Opening, working and closing, with every call of the driver failing in turn:
// the failure is a *driver.Error that names the call, and everything is released.
func TestEveryCallFails(t *testing.T) {
	session := func(api *driver.API) error {
		d, err := driver.Open(api, 0)
		if err != nil {
			return err
		}
		err = runScale(d, []byte(scalePTX))
		if e := d.Close(); err == nil {
			err = e
		}
		return err
	}
	defer driver.SetSpinTime(0)() // one query: the same calls every time
	const code = 719              // CUDA_ERROR_LAUNCH_FAILED
	seen := map[string]bool{}
	for n := 1; ; n++ {
		f := drivertest.New(1)
		fakeScale(f)
		f.BusyQueries = 1 // on to the event
		api := f.API()
		f.FailNth(n, code)
		err := session(api)
		if f.FailedIn() == "" {
			if err != nil {
				t.Fatalf("no call fails: %v", err)
			}
			break
		}
		seen[f.FailedIn()] = true
		e, ok := errors.AsType[*driver.Error](err)
		if !ok || e.Call != f.FailedIn() || e.Code != code || e.Name != "CUDA_ERROR_LAUNCH_FAILED" || e.Text == "" {
			t.Errorf("call %d, %s, fails: got %v", n, f.FailedIn(), err)
		}
		// What could not be freed goes with the context, and is one thing: the
		// others were freed all the same.
		allowed := 0
		switch f.FailedIn() {
		case "cuMemFree", "cuMemFreeHost", "cuStreamDestroy", "cuEventDestroy", "cuModuleUnload", "cuCtxSetCurrent":
			allowed = 1
		}
		if len(f.Lost()) > allowed {
			t.Errorf("call %d, %s, fails: not freed: %v", n, f.FailedIn(), f.Lost())
		}
		left := f.Live()
		if f.FailedIn() == "cuDevicePrimaryCtxRelease" {
			delete(left, "context")
		}
		if len(left) > 0 {
			t.Errorf("call %d, %s, fails: not released: %v", n, f.FailedIn(), left)
		}
	}
	for _, symbol := range []string{
		"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid", "cuDeviceTotalMem", "cuDeviceGetAttribute",
		"cuDriverGetVersion", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease", "cuCtxSetCurrent",
		"cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction", "cuFuncGetAttribute", "cuFuncSetAttribute",
		"cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuMemGetInfo", "cuMemAlloc", "cuMemFree", "cuMemHostAlloc",
		"cuMemFreeHost", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async", "cuStreamCreateWithPriority",
		"cuStreamDestroy", "cuStreamQuery", "cuStreamSynchronize", "cuEventCreate", "cuEventDestroy",
		"cuEventRecord", "cuEventSynchronize", "cuLaunchKernel",
	} {
		if !seen[symbol] {
			t.Errorf("%s was never made to fail", symbol)
		}
	}
}

// With a symbol that always fails, work ends in that error, too, and leaves
// nothing that the symbol does not itself free.
func TestBrokenSymbol(t *testing.T) {
	defer driver.SetSpinTime(0)()
	for _, symbol := range []string{"cuMemAlloc", "cuMemHostAlloc", "cuStreamCreateWithPriority", "cuEventCreate", "cuLaunchKernel", "cuEventRecord", "cuModuleGetFunction"} {
		f := drivertest.New(1)
		fakeScale(f)
		f.BusyQueries = 1 // on to the event
		d := f.Open(t)
		f.FailEvery(symbol, 999)
		if e, ok := errors.AsType[*driver.Error](runScale(d, []byte(scalePTX))); !ok || e.Call != symbol || e.Code != 999 {
			t.Errorf("%s broken: %v", symbol, e)
		}
		f.FailEvery(symbol, driver.Success)
		if err := runScale(d, []byte(scalePTX)); err != nil {
			t.Errorf("%s mended: %v", symbol, err)
		}
	}
}

func newFakeStream(t *testing.T, f *drivertest.Driver) (*driver.Device, *driver.Stream) {
	t.Helper()
	d := f.Open(t)
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return d, s
}

// wait polls for a while and then sleeps on an event that was made for it; a
// stream that is done costs one query.
func TestWait(t *testing.T) {
	f := drivertest.New(1)
	fakeScale(f)
	_, s := newFakeStream(t, f)
	count := func(symbol string) (n int) {
		for _, c := range f.Log() {
			if c == symbol {
				n++
			}
		}
		return n
	}
	f.ClearLog()
	if err := s.Wait(t.Context()); err != nil || count("cuStreamQuery") != 1 || count("cuEventSynchronize") != 0 {
		t.Errorf("idle stream: %v after %v", err, f.Log())
	}
	if flags := f.Flags(s.Done()); flags&driver.EventBlockingSync == 0 {
		t.Errorf("the event has flags %#x: waiting for it spins", flags)
	}
	f.ClearLog()
	f.SetBusy(s.Handle(), 1<<30)
	start := time.Now()
	if err := s.Wait(t.Context()); err != nil || count("cuEventSynchronize") != 1 || count("cuStreamSynchronize") != 0 {
		t.Errorf("busy stream: %v, %d event waits, %d stream waits", err, count("cuEventSynchronize"), count("cuStreamSynchronize"))
	}
	if n := count("cuStreamQuery"); n < 1 {
		t.Errorf("%d queries in %v", n, time.Since(start))
	}

	// A cancelled context changes nothing about waiting.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.ClearLog()
	if err := s.Wait(ctx); err != context.Canceled || count("cuEventSynchronize") != 1 {
		t.Errorf("cancelled: %v after %v event waits", err, count("cuEventSynchronize"))
	}
	f.FailEvery("cuEventSynchronize", 700)
	if e, ok := errors.AsType[*driver.Error](s.Wait(ctx)); !ok || e.Code != 700 {
		t.Error("the context's error hides the device's")
	}
	f.FailEvery("cuEventSynchronize", driver.Success)

	// If it cannot sleep, it spins, but it does not return early.
	f.ClearLog()
	f.FailEvery("cuEventRecord", 999)
	if e, ok := errors.AsType[*driver.Error](s.Wait(t.Context())); !ok || e.Code != 999 || count("cuStreamSynchronize") != 1 {
		t.Errorf("no event: %v after %d stream waits", e, count("cuStreamSynchronize"))
	}
	f.FailEvery("cuEventRecord", driver.Success)
}

// The parameters of a launch are where the caller put them, however the stack
// moves, and alive.
func TestLaunchParametersStay(t *testing.T) {
	f := drivertest.New(1)
	f.Kernels["k"] = drivertest.Kernel{}
	var got []uint64
	f.Launch = func(_ string, _, _, _ int, params unsafe.Pointer) driver.Result {
		growStack(1000)
		runtime.GC()
		got = append(got, *(*uint64)(params))
		return driver.Success
	}
	d, s := newFakeStream(t, f)
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	k, err := m.Function("k")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { // a goroutine of its own: a small stack
		params := uint64(42)
		done <- s.Launch(k, 1, 1, 0, unsafe.Pointer(&params))
	}()
	if err := <-done; err != nil || len(got) != 1 || got[0] != 42 {
		t.Errorf("parameters %v: %v", got, err)
	}
}

func growStack(n int) int {
	var b [1 << 10]byte
	b[n%len(b)] = 1
	if n == 0 {
		return int(b[0])
	}
	return growStack(n-1) + int(b[1])
}

// Sizes that C cannot hold, or that the device cannot run, are errors.
func TestBadLaunch(t *testing.T) {
	f := drivertest.New(1)
	fakeScale(f)
	d, s := newFakeStream(t, f)
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	k, err := m.Function("scale")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.SetSharedBytes(1 << 20); err == nil {
		t.Error("a megabyte of shared memory is allowed")
	}
	var params scaleParams
	for _, size := range [][3]int{{0, 1, 0}, {1, 0, 0}, {-1, 1, 0}, {1 << 32, 1, 0}, {1<<32 + 1, 1, 0}, {1, 1 << 32, 0}, {1, 1, -1}, {1, 1, 1 << 32}, {1, 2048, 0}, {1, 1, 49 << 10}} {
		if err := s.Launch(k, size[0], size[1], size[2], unsafe.Pointer(&params)); err == nil {
			t.Errorf("launch of grid %d, block %d, %d shared bytes", size[0], size[1], size[2])
		}
	}
}
