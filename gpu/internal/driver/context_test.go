package driver_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Calls from many goroutines, on two devices, run with the right context
// current: the fake driver refuses all others. Its shuffle makes goroutines
// that are not locked change threads between two calls.
func TestContextIsCurrent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are told apart on Linux only")
	}
	f := drivertest.New(2)
	fakeScale(f)
	f.Shuffle = true
	api := f.API()
	var devices [2]*driver.Device
	for i := range devices {
		d, err := driver.Open(api, i)
		if err != nil {
			t.Fatal(err)
		}
		devices[i] = d
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 5 {
				if err := runScale(devices[i%2], []byte(scalePTX)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, d := range devices {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	f.CheckReleased(t)
}

// The fake driver does find out: without a current context, and with another
// device's, calls fail.
func TestFakeWantsContext(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are told apart on Linux only")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := drivertest.New(2)
	api := f.API()
	a, err := driver.Open(api, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := driver.Open(api, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	defer a.Close()
	p, err := a.Alloc(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Free(p); err == nil {
		t.Error("one device frees the other's memory")
	}
	done := make(chan driver.Result)
	go func() {
		runtime.LockOSThread() // never unlocked: a new thread, gone afterwards
		_, r := api.MemAlloc(1)
		done <- r
	}()
	if r := <-done; r != 201 {
		t.Errorf("memory without a context: result %d", r)
	}
	if err := a.Free(p); err != nil {
		t.Error(err)
	}
}

// Setting the context can fail, and says so.
func TestContextCannotBeSet(t *testing.T) {
	f := drivertest.New(1)
	d := f.Open(t)
	f.FailEvery("cuCtxSetCurrent", 709)
	_, err := d.Alloc(1)
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Call != "cuCtxSetCurrent" {
		t.Error(err)
	}
	f.FailEvery("cuCtxSetCurrent", driver.Success)
}
