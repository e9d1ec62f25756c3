package gpu

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

// scaleParams is the parameter of the kernel in scalePTX.
type scaleParams struct {
	out      devicePtr
	n, scale uint32
}

// fakeScale teaches a fake driver the kernel scale.
func fakeScale(f *fakeDriver) {
	f.kernels["scale"] = fakeKernel{registers: 12}
	f.launch = func(name string, grid, block, shared int, params unsafe.Pointer) result {
		p := (*scaleParams)(params)
		out := f.memoryAt(p.out, 4*int(p.n))
		if name != "scale" || out == nil {
			return 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
		for i := range min(int(p.n), grid*block) {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(i)*p.scale)
		}
		return success
	}
}

// testScale runs the kernel scale on a device and gives back all that it takes.
func testScale(t *testing.T, d *device) {
	if err := runScale(d, []byte(scalePTX)); err != nil {
		t.Fatal(err)
	}
}

var errWrongResult = errors.New("the kernel's result is wrong")

// runScale is everything that a user of a device does, once: the first failure
// is returned, of freeing too, and whatever was made is freed.
func runScale(d *device, image []byte) (err error) {
	release := func(f func() error) {
		if e := f(); err == nil {
			err = e
		}
	}
	m, err := d.loadModule(image)
	if err != nil {
		return err
	}
	defer release(m.close)
	f, err := m.function("scale")
	if err != nil {
		return err
	}
	if err := f.setSharedBytes(64 << 10); err != nil {
		return err
	}
	perSM, err := f.blocksPerSM(128, 64<<10)
	if err != nil {
		return err
	}
	if perSM < 1 {
		return errWrongResult
	}
	const n = 10_000
	host, err := d.allocPinned(4 * n)
	if err != nil {
		return err
	}
	defer release(func() error { return d.freePinned(host) })
	p, err := d.alloc(4 * n)
	if err != nil {
		return err
	}
	defer release(func() error { return d.free(p) })
	s, err := d.newStream()
	if err != nil {
		return err
	}
	defer release(s.close)
	start, err := d.newEvent()
	if err != nil {
		return err
	}
	defer release(start.close)
	end, err := d.newEvent()
	if err != nil {
		return err
	}
	defer release(end.close)

	clear(host)
	if err := s.toDevice(p, host); err != nil {
		return err
	}
	if err := start.record(s); err != nil {
		return err
	}
	params := scaleParams{out: p, n: n - 1, scale: 3}
	if err := s.launch(f, (n+127)/128, 128, 64<<10, unsafe.Pointer(&params)); err != nil {
		return err
	}
	if err := end.record(s); err != nil {
		return err
	}
	if err := s.fill(p+4*(n-1), 0xff, 4); err != nil {
		return err
	}
	if err := s.toHost(host, p); err != nil {
		return err
	}
	if err := s.wait(context.Background()); err != nil {
		return err
	}
	if took, err := end.since(start); err != nil {
		return err
	} else if took <= 0 {
		return errWrongResult
	}
	for j := range n - 1 {
		if binary.LittleEndian.Uint32(host[4*j:]) != uint32(3*j) {
			return errWrongResult
		}
	}
	if !bytes.Equal(host[4*(n-1):], []byte{0xff, 0xff, 0xff, 0xff}) {
		return errWrongResult
	}
	return s.synchronize()
}

func TestFakeLaunch(t *testing.T) {
	f := newFake(1)
	fakeScale(f)
	testScale(t, openFake(t, f))
}

// Opening, working and closing, with every call of the driver failing in turn:
// the failure comes out as an *Error that names the call, and nothing is left.
func TestEveryCallFails(t *testing.T) {
	session := func(drv *driver) error {
		d, err := openDevice(drv, 0)
		if err != nil {
			return err
		}
		err = runScale(d, []byte(scalePTX))
		if e := d.close(); err == nil {
			err = e
		}
		return err
	}
	defer func(d time.Duration) { spinTime = d }(spinTime)
	spinTime = 0     // one query: the same calls every time
	const code = 719 // CUDA_ERROR_LAUNCH_FAILED
	seen := map[string]bool{}
	for n := 1; ; n++ {
		f := newFake(1)
		fakeScale(f)
		f.busyQueries = 1 // on to the event
		drv := f.driver()
		f.failNth(n, code)
		err := session(drv)
		if f.failedIn == "" {
			if err != nil {
				t.Fatalf("no call fails: %v", err)
			}
			break
		}
		seen[f.failedIn] = true
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Call != f.failedIn || e.Code != code || e.Name != "CUDA_ERROR_LAUNCH_FAILED" || e.Text == "" {
			t.Errorf("call %d, %s, fails: got %v", n, f.failedIn, err)
		}
		// What could not be freed goes with the context, and is one thing: the
		// others were freed all the same.
		allowed := 0
		switch f.failedIn {
		case "cuMemFree", "cuMemFreeHost", "cuStreamDestroy", "cuEventDestroy", "cuModuleUnload", "cuCtxSetCurrent":
			allowed = 1
		}
		if len(f.lost) > allowed {
			t.Errorf("call %d, %s, fails: not freed: %v", n, f.failedIn, f.lost)
		}
		left := f.live()
		if f.failedIn == "cuDevicePrimaryCtxRelease" {
			delete(left, "context")
		}
		if len(left) > 0 {
			t.Errorf("call %d, %s, fails: left alive: %v", n, f.failedIn, left)
		}
	}
	for _, symbol := range []string{
		"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid", "cuDeviceTotalMem", "cuDeviceGetAttribute",
		"cuDriverGetVersion", "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease", "cuCtxSetCurrent",
		"cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction", "cuFuncSetAttribute",
		"cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuMemGetInfo", "cuMemAlloc", "cuMemFree", "cuMemHostAlloc",
		"cuMemFreeHost", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async", "cuStreamCreate",
		"cuStreamDestroy", "cuStreamQuery", "cuStreamSynchronize", "cuEventCreate", "cuEventDestroy",
		"cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime", "cuLaunchKernel",
	} {
		if !seen[symbol] {
			t.Errorf("%s was never made to fail", symbol)
		}
	}
}

// With a symbol that always fails, work ends in that error, too, and leaves
// nothing that the symbol does not itself free.
func TestBrokenSymbol(t *testing.T) {
	for _, symbol := range []string{"cuMemAlloc", "cuMemHostAlloc", "cuStreamCreate", "cuEventCreate", "cuLaunchKernel", "cuEventRecord", "cuModuleGetFunction"} {
		f := newFake(1)
		fakeScale(f)
		d := openFake(t, f)
		f.failEvery(symbol, 999)
		if e, ok := errors.AsType[*Error](runScale(d, []byte(scalePTX))); !ok || e.Call != symbol || e.Code != 999 {
			t.Errorf("%s broken: %v", symbol, e)
		}
		f.failEvery(symbol, success)
		if err := runScale(d, []byte(scalePTX)); err != nil {
			t.Errorf("%s mended: %v", symbol, err)
		}
	}
}

func newFakeStream(t *testing.T, f *fakeDriver) *stream {
	t.Helper()
	d := openFake(t, f)
	s, err := d.newStream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := s.close(); err != nil {
				t.Error(err)
			}
		}
	})
	return s
}

// wait polls for a while and then sleeps on an event that was made for it; a
// stream that is done costs one query.
func TestWait(t *testing.T) {
	f := newFake(1)
	fakeScale(f)
	s := newFakeStream(t, f)
	count := func(symbol string) (n int) {
		for _, c := range f.log {
			if c == symbol {
				n++
			}
		}
		return n
	}
	f.log = nil
	if err := s.wait(t.Context()); err != nil || count("cuStreamQuery") != 1 || count("cuEventSynchronize") != 0 {
		t.Errorf("idle stream: %v after %v", err, f.log)
	}
	if flags := f.objects[s.done].flags; flags&eventBlockingSync == 0 {
		t.Errorf("the event has flags %#x: waiting for it spins", flags)
	}
	f.log = nil
	f.objects[s.handle].busy = 1 << 30
	start := time.Now()
	if err := s.wait(t.Context()); err != nil || count("cuEventSynchronize") != 1 || count("cuStreamSynchronize") != 0 {
		t.Errorf("busy stream: %v, %d event waits, %d stream waits", err, count("cuEventSynchronize"), count("cuStreamSynchronize"))
	}
	if n := count("cuStreamQuery"); n < 1 {
		t.Errorf("%d queries in %v", n, time.Since(start))
	}

	// A cancelled context changes nothing about waiting.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.log = nil
	if err := s.wait(ctx); err != context.Canceled || count("cuEventSynchronize") != 1 {
		t.Errorf("cancelled: %v after %v event waits", err, count("cuEventSynchronize"))
	}
	f.failEvery("cuEventSynchronize", 700)
	if e, ok := errors.AsType[*Error](s.wait(ctx)); !ok || e.Code != 700 {
		t.Error("the context's error hides the device's")
	}
	f.failEvery("cuEventSynchronize", success)

	// If it cannot sleep, it spins, but it does not return early.
	f.log = nil
	f.failEvery("cuEventRecord", 999)
	if e, ok := errors.AsType[*Error](s.wait(t.Context())); !ok || e.Code != 999 || count("cuStreamSynchronize") != 1 {
		t.Errorf("no event: %v after %d stream waits", e, count("cuStreamSynchronize"))
	}
	f.failEvery("cuEventRecord", success)
}

// The parameters of a launch are where the caller put them, however the stack
// moves, and alive.
func TestLaunchParametersStay(t *testing.T) {
	f := newFake(1)
	f.kernels["k"] = fakeKernel{}
	var got []uint64
	f.launch = func(_ string, _, _, _ int, params unsafe.Pointer) result {
		growStack(1000)
		runtime.GC()
		got = append(got, *(*uint64)(params))
		return success
	}
	s := newFakeStream(t, f)
	m, err := s.d.loadModule(fakeImage)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	k, err := m.function("k")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { // a goroutine of its own: a small stack
		params := uint64(42)
		done <- s.launch(k, 1, 1, 0, unsafe.Pointer(&params))
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
	f := newFake(1)
	fakeScale(f)
	s := newFakeStream(t, f)
	m, err := s.d.loadModule(fakeImage)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	k, err := m.function("scale")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.setSharedBytes(1 << 20); err == nil {
		t.Error("a megabyte of shared memory is allowed")
	}
	var params scaleParams
	for _, size := range [][3]int{{0, 1, 0}, {1, 0, 0}, {-1, 1, 0}, {1 << 32, 1, 0}, {1<<32 + 1, 1, 0}, {1, 1 << 32, 0}, {1, 1, -1}, {1, 1, 1 << 32}, {1, 2048, 0}, {1, 1, 49 << 10}} {
		if err := s.launch(k, size[0], size[1], size[2], unsafe.Pointer(&params)); err == nil {
			t.Errorf("launch of grid %d, block %d, %d shared bytes", size[0], size[1], size[2])
		}
	}
}
