package gpu

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/memory"
)

// A context that has ended starts no work.
func TestCancelledBeforeOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e := openOnFake(t, g, Options{})
	r := withCPU(t, e, align.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := mixedPairs(t, 100, 70)
	for _, engine := range []aligntest.Engine{e, r} {
		if err := alignInTime(t, engine, ctx, b); err != context.Canceled {
			t.Errorf("%T: error %v", engine, err)
		}
	}
	if n := g.launched(""); n > 0 {
		t.Errorf("%d launches", n)
	}
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
}

// A context that ends in the middle, at any launch, ends the call with its
// error, and the engine can be used again.
func TestCancelledMidwayOnFake(t *testing.T) {
	b := mixedPairs(t, 150, 71)
	o := align.Options{Penalties: align.DefaultPenalties}
	g := newFakeGPU(t, 1000)
	var mu sync.Mutex
	launch, at := 0, 0
	var cancel context.CancelFunc
	g.before = func(string) driver.Result {
		mu.Lock()
		defer mu.Unlock()
		if launch++; launch == at {
			cancel()
		}
		return driver.Success
	}
	e := openOnFake(t, g, Options{MaxError: ErrorBound{Score: 5}})
	r := withCPU(t, e, o)
	cancelled := 0
	for n := 1; ; n += 3 {
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		mu.Lock()
		launch, at = 0, n
		mu.Unlock()
		err := alignInTime(t, r, ctx, b)
		late := ctx.Err() == nil
		cancel()
		if late {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		cancelled++
		if err != context.Canceled {
			t.Fatalf("cancelled at launch %d: %v", n, err)
		}
	}
	if cancelled < 5 {
		t.Errorf("cancelled %d times, want more", cancelled)
	}
	at = 0
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, o, b)

	// Large batches, of which several launches are in flight.
	large := repeated(longPairs(t), 70)
	for _, n := range []int{1, 2, 3} {
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		mu.Lock()
		launch, at = 0, n
		mu.Unlock()
		if err := alignInTime(t, r, ctx, large); err != context.Canceled {
			t.Errorf("cancelled at launch %d of many: %v", n, err)
		}
		cancel()
	}
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, o, b)
}

// A deadline or a cause does not change what is returned: the context's error.
func TestCauseOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	r := withCPU(t, e, align.Options{})
	b := mixedPairs(t, 50, 72)
	timeout, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	cause, cancelCause := context.WithCancelCause(context.Background())
	cancelCause(errors.New("the cause"))
	for _, engine := range []aligntest.Engine{e, r} {
		for _, ctx := range []context.Context{timeout, cause} {
			if err := alignInTime(t, engine, ctx, b); !errors.Is(err, ctx.Err()) {
				t.Errorf("%T: error %v, want %v", engine, err, ctx.Err())
			}
		}
	}
}

// A call that is cancelled while its launch waits for pinned memory ends at once, and not when
// another launch gives some back.
func TestCancelledWithoutPinnedMemoryOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	g.HostLimit = 2 * memory.LeastPinned // for the sequences of a load, and for a launch
	release := make(chan struct{})
	waits := holdFirst(g, "wfa_warp", release)
	e := openOnFake(t, g, Options{})
	o := align.Options{Penalties: align.DefaultPenalties}
	first := simulated(t, 5, simulate.Options{Length: 100, ErrorRate: 0.02, Seed: 73})
	done := make(chan error)
	go func() { done <- e.AlignBatch(t.Context(), first) }()
	<-waits
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for !e.runners.frames.Waited() {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	second := simulated(t, 5, simulate.Options{Length: 100, ErrorRate: 0.02, Seed: 74})
	if err := alignInTime(t, e, ctx, second); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantAsOnCPU(t, o, first)
	mustAlignAll(t, e, second)
	wantAsOnCPU(t, o, second)
}
