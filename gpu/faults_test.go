package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
)

// One call fails for want of memory, and those after it work again. The run
// fails with the driver's error or gives the right results. Everything is
// released, and the next batch is aligned.
func TestOneFailureOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		reached := 0
		for _, n := range everyCall(calls) {
			g := s.gpu(t)
			api := g.API()
			g.FailNth(n, driver.ResultOutOfMemory)
			o := s.runInTime(t, api)
			call := g.FailedIn()
			if call == "" {
				continue // the calls of concurrent launches vary
			}
			reached++
			what := fmt.Sprintf("call %d of about %d, %s: %v", n, len(calls), call, &o)
			if o.wrong != "" {
				t.Errorf("%s: %s", what, o.wrong)
			}
			for _, err := range []error{o.open, o.batches[0], o.batches[1], o.close} {
				if err != nil && !driver.IsOutOfMemory(err) {
					t.Errorf("%s: not the driver's error", what)
				}
			}
			if o.batches[0] != nil && o.batches[1] != nil {
				t.Errorf("%s: the second batch fails, too", what)
			}
			if call == "cuMemAlloc" && o.failed() {
				t.Errorf("%s: there is memory when it is asked for again", what)
			}
			live := g.Live()
			switch {
			case slices.Contains(releasing, call) && !o.failed():
				t.Errorf("%s: a failed release goes unnoticed", what)
			case slices.Contains(releasing, call), call == "cuCtxSetCurrent" && o.close != nil: // perhaps for a release
				if call != "cuDevicePrimaryCtxRelease" && len(live) > 0 {
					t.Errorf("%s: not released: %v", what, live)
				}
			case len(live) > 0 || len(g.Lost()) > 0:
				t.Errorf("%s: not released: %v, %v", what, live, g.Lost())
			}
		}
		if 2*reached < len(everyCall(calls)) {
			t.Errorf("%d of %d faults happen", reached, len(everyCall(calls)))
		}
	})
}

// One call finds that the device has failed, and from then on every call says
// so, as with CUDA; only the context can still be given up. The run fails with
// that error, at once, and has no wrong results.
func TestDeviceFailureOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		reached := 0
		for i, n := range everyCall(calls) {
			code := []driver.Result{719, 700}[i%2]
			g := s.gpu(t)
			api := g.API()
			name := api.GetErrorName
			api.GetErrorName = func(r driver.Result) string {
				if r == code {
					for _, call := range calls {
						if call != "cuDevicePrimaryCtxRelease" {
							g.FailEvery(call, code)
						}
					}
				}
				return name(r)
			}
			g.FailNth(n, code)
			o := s.runInTime(t, api)
			call := g.FailedIn()
			if call == "" {
				continue // the calls of concurrent launches vary
			}
			reached++
			what := fmt.Sprintf("call %d of about %d, %s: %v", n, len(calls), call, &o)
			if !o.failed() {
				t.Errorf("%s: no error", what)
			}
			if o.wrong != "" {
				t.Errorf("%s: %s", what, o.wrong)
			}
			for _, err := range []error{o.open, o.batches[0], o.batches[1], o.close} {
				var failure *Error
				if err != nil && (!errors.As(err, &failure) || driver.Result(failure.Code) != code) {
					t.Errorf("%s: not the driver's error", what)
				}
			}
			if live := g.Live(); len(live) > 0 && call != "cuDevicePrimaryCtxRelease" {
				t.Errorf("%s: not released: %v", what, live)
			}
		}
		if 2*reached < len(everyCall(calls)) {
			t.Errorf("%d of %d faults happen", reached, len(everyCall(calls)))
		}
	})
}

// Memory runs out for good at some allocation, of the device or of the host. That is
// an error only without memory for a load, and without pinned memory for a load and a
// launch.
func TestNoMoreMemoryOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		for symbol, least := range map[string]int{"cuMemAlloc": 1, "cuMemHostAlloc": 2} {
			for most := range count(calls, symbol) {
				g := s.gpu(t)
				api := g.API()
				var n atomic.Int32
				more := func() driver.Result {
					if int(n.Add(1)) > most {
						return driver.ResultOutOfMemory
					}
					return driver.Success
				}
				alloc, allocHost := api.MemAlloc, api.MemHostAlloc
				if symbol == "cuMemAlloc" {
					api.MemAlloc = func(size uint64) (driver.Ptr, driver.Result) {
						if r := more(); r != driver.Success {
							return 0, r
						}
						return alloc(size)
					}
				} else {
					api.MemHostAlloc = func(size uint64, flags uint32) (p unsafe.Pointer, r driver.Result) {
						if r := more(); r != driver.Success {
							return nil, r
						}
						return allocHost(size, flags)
					}
				}
				o := s.runInTime(t, api)
				what := fmt.Sprintf("%s succeeds %d times: %v", symbol, most, &o)
				if o.wrong != "" {
					t.Errorf("%s: %s", what, o.wrong)
				}
				if o.failed() != (most < least) {
					t.Errorf("%s: failed %v, want %v", what, o.failed(), most < least)
				}
				if live := g.Live(); len(live) > 0 || len(g.Lost()) > 0 {
					t.Errorf("%s: not released: %v, %v", what, live, g.Lost())
				}
			}
		}
	})
}

// Kernels fail in the middle of a large batch, while several launches are under way
// and other pairs wait: the batch ends with the error.
func TestFailureAmongLaunchesOnFake(t *testing.T) {
	few := longPairs(t)
	failing := []int{1, 2, 3, 4}
	if testing.Short() {
		failing = []int{3}
	}
	for _, n := range failing {
		g := newFakeGPU(t, 4000)
		launch := make(chan int, 1)
		launch <- 0
		g.before = func(string) driver.Result {
			i := <-launch + 1
			launch <- i
			if i >= n {
				return 719
			}
			return driver.Success
		}
		e := openOnFake(t, g, Options{})
		err := alignInTime(t, withCPU(t, e, align.Options{}), context.Background(), repeated(few, 70))
		if err == nil || !strings.Contains(err.Error(), "719") {
			t.Errorf("launch %d fails: %v", n, err)
		}
		g.before = nil
		b := repeated(few, 2)
		mustAlignAll(t, e, b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
	}
}

// A kernel that runs but reaches no pair is found out: nothing that it has not
// done passes for a result.
func TestNothingReachedOnFake(t *testing.T) {
	b := simulated(t, 5, simulate.Options{Length: 150, ErrorRate: 0.02, Seed: 104})
	for _, o := range []Options{{}, {ScoreOnly: true}} {
		for idle, says := range map[string]string{"wfa_trace": "letters from the GPU", "": "flags 0x80808080"} {
			if o.ScoreOnly && idle != "" {
				continue
			}
			g := newFakeGPU(t, 1000)
			kernel := g.Launch
			g.Launch = func(name string, grid, block, shared int, p unsafe.Pointer) driver.Result {
				if strings.HasPrefix(name, idle) {
					return driver.Success
				}
				return kernel(name, grid, block, shared, p)
			}
			err := alignInTime(t, openOnFake(t, g, o), context.Background(), b)
			if err == nil || !strings.Contains(err.Error(), "internal error") || !strings.Contains(err.Error(), says) {
				t.Errorf("%+v, idle %q: %v", o, idle, err)
			}
		}
	}
}

// Of a launch whose results are wrong, nothing comes into later ones.
func TestNothingLeftOfWrongResultsOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	kernel := g.Launch
	idle := true
	g.Launch = func(name string, grid, block, shared int, p unsafe.Pointer) driver.Result {
		if idle && strings.HasPrefix(name, "wfa_trace") {
			return driver.Success
		}
		return kernel(name, grid, block, shared, p)
	}
	e := openOnFake(t, g, Options{MaxError: ErrorBound{Score: 20}})
	var most []align.Pair // above the bound, and one that is not
	most = append(most, simulated(t, 3, simulate.Options{Length: 150, ErrorRate: 0.2, Model: simulate.Substitution, Seed: 106}).Pairs...)
	most = append(most, simulated(t, 1, simulate.Options{Length: 150, Seed: 107}).Pairs...)
	err := alignInTime(t, e, context.Background(), &align.Batch{First: 1, Pairs: most})
	if err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Fatalf("error %v", err)
	}
	idle = false
	few := simulated(t, 2, simulate.Options{Length: 150, ErrorRate: 0.02, Seed: 108})
	b := repeated(few, 1)
	mustAlignAll(t, e, b)
	wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
	if s := e.Stats(); s.Passes["warp"].Later > 0 {
		t.Errorf("%+v", s)
	}
}

// The error of a device that fails while kernels run tells which ones.
func TestFaultNamesLaunchOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e := openOnFake(t, g, Options{})
	g.before = func(string) driver.Result {
		g.FailEvery("cuStreamQuery", 700)
		return driver.Success
	}
	err := alignInTime(t, e, context.Background(), simulated(t, 5, simulate.Options{Length: 100, Seed: 105}))
	g.FailEvery("cuStreamQuery", driver.Success)
	if err == nil || !strings.HasPrefix(err.Error(), "5 pairs of up to 100 and 100 letters (warp kernels): cuStreamQuery: ") {
		t.Errorf("error %v", err)
	}
}
