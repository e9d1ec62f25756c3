package gpu

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/driver"
)

// alignConcurrently aligns the pairs of a batch, four times each, in four calls at a time, and
// compares the results with the CPU engine's.
func alignConcurrently(t *testing.T, r aligntest.Engine, o align.Options, few *align.Batch) {
	t.Helper()
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			b := repeated(few, 4)
			mustAlignAll(t, r, b)
			wantRepeated(t, o, few, b)
		})
	}
	calls.Wait()
}

// ends ends calls at a launch: they are cancelled, or the device fails.
type ends struct {
	fails      bool
	launch, at atomic.Int64
	stop       atomic.Pointer[context.CancelFunc]
}

// newEnds returns those of calls on a GPU, of which none ends at first.
func newEnds(g *fakeGPU, fails bool) *ends {
	x := &ends{fails: fails}
	g.before = func(string) driver.Result {
		if x.launch.Add(1) != x.at.Load() {
			return driver.Success
		}
		if fails {
			return 719
		}
		(*x.stop.Load())()
		return driver.Success
	}
	return x
}

// each aligns a batch again and again, and ends the call at every second launch, until one comes to its end before
// that. A call that ends early has the error of its end.
func (x *ends) each(t *testing.T, r aligntest.Engine, b *align.Batch) {
	t.Helper()
	ended := 0
	for n := int64(1); ; n += 2 {
		ctx, cancel := context.WithCancel(t.Context())
		x.stop.Store(&cancel)
		x.launch.Store(0)
		x.at.Store(n)
		err := alignInTime(t, r, ctx, b)
		late := x.launch.Load() < n
		cancel()
		if late {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if ended++; x.fails != (err != context.Canceled) || err == nil {
			t.Fatalf("ended at launch %d: %v", n, err)
		}
	}
	if ended < 5 {
		t.Errorf("ended %d times", ended)
	}
	x.at.Store(0)
}
