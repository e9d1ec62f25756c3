package gpu

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
)

// Calls with open parts share little memory.
func TestConcurrentGatedOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 2}
	e := openGated(t, newFakeGPU(t, neededMemory(t, Options{})), Options{}, 0.05)
	r := withCPU(t, e, o)
	few := fewErrors(t, 80, 10)
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			b := repeated(few, 4)
			mustAlignAll(t, r, b)
			wantRepeated(t, o, few, b)
		})
	}
	calls.Wait()
	if s := wantStats(t, e, 4*4*len(few.Pairs)); s.Kernels["gated"] < 100 {
		t.Errorf("%+v", s)
	}
}

// A call that is cancelled, or whose device fails, at any launch, those of open parts too, ends with its
// error, and the engine can be used again.
func TestGatedEndsOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties}
	b := fewErrors(t, 80, 11)
	for _, fails := range []bool{false, true} {
		g := newFakeGPU(t, 1000)
		var launch, at atomic.Int64
		var stop atomic.Pointer[context.CancelFunc]
		g.before = func(string) driver.Result {
			if launch.Add(1) != at.Load() {
				return driver.Success
			}
			if fails {
				return 719
			}
			(*stop.Load())()
			return driver.Success
		}
		e := openGated(t, g, Options{}, 0.05)
		r := withCPU(t, e, o)
		ended := 0
		for n := int64(1); ; n += 2 {
			ctx, cancel := context.WithCancel(t.Context())
			stop.Store(&cancel)
			launch.Store(0)
			at.Store(n)
			err := alignInTime(t, r, ctx, b)
			late := launch.Load() < n
			cancel()
			if late {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if ended++; fails != (err != context.Canceled) || err == nil {
				t.Fatalf("ended at launch %d: %v", n, err)
			}
		}
		if ended < 5 {
			t.Errorf("ended %d times", ended)
		}
		at.Store(0)
		mustAlignAll(t, r, b)
		wantAsOnCPU(t, o, b)
	}
}
