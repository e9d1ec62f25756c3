package driver_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// loadFakeKernel returns the kernel "k" of a module, which is closed when the test ends.
func loadFakeKernel(t *testing.T, d *driver.Device) *driver.Function {
	t.Helper()
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	k, err := m.Function("k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

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
	const code = 719 // CUDA_ERROR_LAUNCH_FAILED
	seen := map[string]bool{}
	for n := 1; ; n++ {
		f := drivertest.New(1)
		fakeScale(f)
		f.BusyQueries = 1
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
		case "cuMemFree", "cuMemFreeHost", "cuMemHostUnregister", "cuStreamDestroy", "cuModuleUnload", "cuCtxSetCurrent":
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
		"cuMemFreeHost", "cuMemHostRegister", "cuMemHostUnregister", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async", "cuStreamCreateWithPriority",
		"cuStreamDestroy", "cuStreamQuery", "cuStreamSynchronize", "cuLaunchKernel",
	} {
		if !seen[symbol] {
			t.Errorf("%s was never made to fail", symbol)
		}
	}
}

// With a symbol that always fails, work ends in that error, too, and leaves
// nothing that the symbol does not itself free.
func TestBrokenSymbol(t *testing.T) {
	for _, symbol := range []string{"cuMemAlloc", "cuMemHostAlloc", "cuMemHostRegister", "cuStreamCreateWithPriority", "cuLaunchKernel", "cuStreamQuery", "cuModuleGetFunction"} {
		f := drivertest.New(1)
		fakeScale(f)
		f.BusyQueries = 1
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

// count returns how often a function of the driver has been called.
func count(f *drivertest.Driver, symbol string) (n int) {
	for _, c := range f.Log() {
		if c == symbol {
			n++
		}
	}
	return n
}

// A stream that is done costs one query; for others the device is asked until they are.
func TestWait(t *testing.T) {
	f := drivertest.New(1)
	fakeScale(f)
	_, s := newFakeStream(t, f)
	f.ClearLog()
	if err := s.Wait(t.Context()); err != nil || count(f, "cuStreamQuery") != 1 {
		t.Errorf("idle stream: %v after %v", err, f.Log())
	}
	const busy = 5
	f.ClearLog()
	f.SetBusy(s.Handle(), busy)
	if err := s.Wait(t.Context()); err != nil || count(f, "cuStreamQuery") != busy+1 || count(f, "cuStreamSynchronize") != 0 {
		t.Errorf("busy stream: %v after %v", err, f.Log())
	}

	// A cancelled context changes nothing about waiting.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.ClearLog()
	f.SetBusy(s.Handle(), busy)
	if err := s.Wait(ctx); err != context.Canceled || count(f, "cuStreamQuery") != busy+1 {
		t.Errorf("cancelled: %v after %v", err, f.Log())
	}

	// It does not return early if the device cannot be asked, and the context's error does not hide that.
	for queries := range 3 {
		f.ClearLog()
		f.SetBusy(s.Handle(), busy)
		f.FailNth(2*queries+2, 700) // a query takes two calls
		if e, ok := errors.AsType[*driver.Error](s.Wait(ctx)); !ok || e.Code != 700 || e.Call != "cuStreamQuery" || count(f, "cuStreamSynchronize") != 1 {
			t.Errorf("query %d fails: %v after %v", queries, e, f.Log())
		}
	}
}

// Streams that are waited for at the same time end on their own, and nobody asks when all have.
func TestWaitForMany(t *testing.T) {
	f := drivertest.New(1)
	fakeScale(f)
	d := f.Open(t)
	const streams = 20
	var all [streams]*driver.Stream
	for i := range all {
		s, err := d.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all[i] = s
	}
	for range 10 {
		var waits sync.WaitGroup
		for i, s := range all {
			waits.Go(func() {
				f.SetBusy(s.Handle(), i)
				if err := s.Wait(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		waits.Wait()
	}
	// One that never is done does not hold up the others.
	stuck := make(chan error)
	f.SetBusy(all[0].Handle(), 1<<30)
	go func() { stuck <- all[0].Wait(t.Context()) }()
	for range 100 {
		f.SetBusy(all[1].Handle(), 3)
		if err := all[1].Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Waits() {
		t.Error("nobody asks for a stream that is waited for")
	}
	f.SetBusy(all[0].Handle(), 0)
	if err := <-stuck; err != nil {
		t.Error(err)
	}
	for d.Waits() {
		runtime.Gosched()
	}
}

// Kernels that are apart are launched when those before are done, the first one at once.
func TestKernelsApart(t *testing.T) {
	f := drivertest.New(1)
	f.Kernels["k"] = drivertest.Kernel{}
	const busy = 4
	f.Launch = func(string, int, int, int, unsafe.Pointer) driver.Result { return driver.Success }
	d, s := newFakeStream(t, f)
	k := loadFakeKernel(t, d)
	for _, apart := range []bool{true, false, true} {
		s.SetApart(apart)
		for i := range 3 {
			f.ClearLog()
			f.SetBusy(s.Handle(), busy)
			want := 0
			if apart && i > 0 {
				want = busy + 1
			}
			if err := s.Launch(k, 1, 1, 0, unsafe.Pointer(&want)); err != nil || count(f, "cuStreamQuery") != want {
				t.Errorf("apart %v, kernel %d: %v after %v", apart, i, err, f.Log())
			}
		}
	}
	f.SetBusy(s.Handle(), busy)
	f.FailNth(2, 700)
	if e, ok := errors.AsType[*driver.Error](s.Launch(k, 1, 1, 0, unsafe.Pointer(f))); !ok || e.Call != "cuStreamQuery" || count(f, "cuLaunchKernel") != 1 {
		t.Errorf("a wait that fails: %v after %v", e, f.Log())
	}
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
	k := loadFakeKernel(t, d)
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

// An event is of its device, and may be closed twice.
func TestEvent(t *testing.T) {
	d := drivertest.New(1).Open(t)
	s, err := d.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // an event is recorded again
		if err := errors.Join(s.Record(e), e.Wait()); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	for _, err := range []error{s.Record(e), e.Wait()} {
		if _, ok := errors.AsType[*driver.Error](err); !ok {
			t.Errorf("with a closed event: %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
