package gpu

import (
	"errors"
	"runtime"
	"sync"
	"testing"
)

// Calls from many goroutines, on two devices, run with the right context
// current: the fake driver refuses all others. Its shuffle makes goroutines
// that are not locked change threads between two calls.
func TestContextIsCurrent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are told apart on Linux only")
	}
	f := newFake(2)
	fakeScale(f)
	f.shuffle = true
	drv := f.driver()
	var devices [2]*device
	for i := range devices {
		d, err := openDevice(drv, i)
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
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}
	f.expectNothingLeft(t)
}

// The fake driver does find out: without a current context, and with another
// device's, calls fail.
func TestFakeWantsContext(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("threads are told apart on Linux only")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := newFake(2)
	drv := f.driver()
	a, err := openDevice(drv, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openDevice(drv, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	defer a.close()
	p, err := a.alloc(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.free(p); err == nil {
		t.Error("one device frees the other's memory")
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // never unlocked: a new thread, gone afterwards
		_, r := drv.memAlloc(1)
		done <- r
	}()
	if r := <-done; r != 201 {
		t.Errorf("memory without a context: result %d", r)
	}
	if err := a.free(p); err != nil {
		t.Error(err)
	}
}

// Setting the context can fail, and says so.
func TestContextCannotBeSet(t *testing.T) {
	f := newFake(1)
	d := openFake(t, f)
	f.failEvery("cuCtxSetCurrent", 709)
	_, err := d.alloc(1)
	if e, ok := errors.AsType[*Error](err); !ok || e.Call != "cuCtxSetCurrent" {
		t.Error(err)
	}
	f.failEvery("cuCtxSetCurrent", success)
}
